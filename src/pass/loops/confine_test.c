// Which loops around parallel ones become iterations, which stay, and that the interpreter makes the same of the
// program. Sums and products are of numbers that floats hold, so that their order does not show.
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

#define FOR(statement) "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { " statement " }\n"
#define STEPS(count, body) "for (int t = 0; t < " #count "; t++) {" body "}"
#define SHIFT FOR("c[0][i] = x[i] * 0.5f + x[n - 1 - i] * 0.25f;") FOR("x[i] = c[0][i];")

static bool confines_on(enum pass_goal goal, const char *statements, uint32_t busy) {
    side = 40;
    return strstr(nest_said(goal, statements, busy), "is one iteration, whose lanes share") != NULL;
}
static bool confines(const char *statements) { return confines_on(PASS_SINGLE, statements, 65536); }

TEST(where) {
    CHECK(confines(STEPS(100, SHIFT)));
    CHECK(strstr(said_last, "near: lanes of the loop"));
    CHECK(!confines(STEPS(10, SHIFT)));                           // few waits
    CHECK(!confines_on(PASS_STEPS, STEPS(100, SHIFT), 65536));    // a dispatch each
    CHECK(!confines_on(PASS_SINGLE, STEPS(100, SHIFT), 64));      // a GPU in software
    CHECK(!confines(STEPS(100, FOR("x[i] = x[i] * 0.5f + 1;")))); // moves into the iterations
    CHECK(confines("for (int s = 0; s < 4; s++) {" STEPS(40, SHIFT) FOR("x[i] += 1;") "}")); // the outermost
}

// In parts, whose passes follow each other; the last one may have fewer.
#define DIVIDED "(((int)x[n - 1 - i] + 9999) % 971 % 883 % 797 % 719 % 631 % 547 % 463 % 379 % 283 % 197)"
#define SLOW FOR("c[0][i] = " DIVIDED ";") FOR("x[i] = c[0][i] - 90;")
TEST(long_loops) {
    CHECK(confines("for (int t = 5; t < 20011; t += 2) {" SLOW "x[t % 7] = (float)(t % 11); }"));
    CHECK(!strstr(said_last, "interchange: ")); // a part is as long as it should be
    CHECK(confines("for (int t = 20000; t > -7; t -= 3) {" SLOW "x[(t + 7) % n] = (float)(t % 11); }"));
    CHECK(confines("for (unsigned t = 4294967000u - 8009u; t < 4294967000u; t++) {" SLOW "x[t % 7] = t % 11; }"));
}

// Each part has local arrays of its own, also the last one, which has fewer passes.
TEST(local_arrays_of_parts) {
    CHECK(confines("for (int t = 0; t < 8009; t++) {" FOR(
        "float w[2]; for (int k = 0; k < 2; k++) w[(k + i) % 2] = " DIVIDED " * k; c[0][i] = w[0] - w[1];")
                       FOR("x[i] = c[0][n - 1 - i] + 1;") "}"));
}

TEST(what_it_hands_on) {
    CHECK(confines("float s = 1; int seen = 0; _Bool odd = 0;" STEPS(
        6001, SLOW
        "s = s * 0.5f + x[1]; odd = !odd; if (odd && x[2] > 0) seen++;") "x[0] = s + (odd ? 1 : 0); x[1] = seen;"));
    CHECK(confines(
        "float s;" STEPS(100, "s = 0;\n#pragma omp parallel for reduction(max : s)\nfor (int i = 0; i < n; i++) { "
                              "s = x[i] > s ? x[i] : s; }" FOR("x[i] = s - x[i] * 0.5f;"))));
    CHECK(
        confines("float last = 3; int seen = 0;" STEPS(100, SHIFT "last = x[2]; if (x[1] > 9) seen = 1;") // one unread
                 "x[0] = last + seen;"));
    CHECK(confines("int t;"
                   "for (t = 0; t < 100; t++) {" SHIFT "} x[0] = t;"));
}

TEST(loops_that_data_end) {
    CHECK(confines("float most = 9; int k = 0; while (most > 0.125f && k < 9000) { most = 0; k++;\n"
                   "#pragma omp parallel for reduction(max : most)\nfor (int i = 0; i < n; i++) { float d = x[i] < 0 ? "
                   "-x[i] : x[i]; most = d > most ? d : most; }" SHIFT "} x[0] = k;"));
    CHECK(confines("int k = 0; do { k++;" SHIFT "if (k > 30 && x[3] > 0) break; } while (k < 90); x[0] = k;"));
}

// No lane can pause in a loop: one that may be long, or sequential and without an end, is for the grid, which can.
#define ENDS(most) FOR("int k = 0; while (k < " most " && x[i] > k) k++; c[0][i] = k;") FOR("x[i] = c[0][n - 1 - i];")
TEST(loops_that_may_be_long) {
    CHECK(confines(STEPS(200, ENDS("50"))));
    CHECK(!confines(STEPS(200, ENDS("200000"))));
    CHECK(!confines(STEPS(100, SHIFT "int k = n; while (k > 1) k = k % 2 ? 3 * k + 1 : k / 2; x[0] = k;")));
}

TEST(short_loops_and_conditions) {
    CHECK(confines(STEPS(200, "\n#pragma omp parallel for\nfor (int i = 0; i < 3; i++) { x[i] += x[n - 1 - i]; }" SHIFT
                              "if (t > 50) {" FOR("c[1][i] += x[i] * 0.5f;") "}")));
    CHECK(confines(
        STEPS(200, "\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 5; i++) for (int j = 0; j < 6; j++) "
                   "c[i][j] = c[i][j] * 0.5f + x[i + j];" FOR("x[i] = c[1][i] * 0.25f;"))));
    CHECK(confines(STEPS(200, FOR("float w[2]; for (int k = 0; k < 2; k++) w[(k + i) % 2] = x[i] * k; "
                                  "c[0][i] = w[0] - w[1];") FOR("x[i] = c[0][n - 1 - i];"))));
}

TEST(what_stays) {
    CHECK(!confines(STEPS(100, SHIFT FOR("c[i][0] += x[i]; c[i][1] = c[0][0] + 1;")))); // no iteration is apart
    CHECK(!confines(STEPS(100, FOR("float s = 0; for (int k = 0; k < n; k++) for (int l = 0; l < n; l++) "
                                   "s += a[k][l] * b[l][i]; c[0][i] = s;") FOR("x[i] = c[0][n - 1 - i];")))); // long
    CHECK(!confines(STEPS(100, SHIFT "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n#pragma omp atomic\n"
                                     "c[1][i % 2] += 1; }")));
    side = 130; // c has no room
    CHECK(!strstr(nest_said(PASS_SINGLE, STEPS(100, SHIFT FOR("c[i][t % n] = c[t % n][i] * 0.5f;")), 65536),
                  "one iteration"));
}
