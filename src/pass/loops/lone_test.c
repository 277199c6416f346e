// Which sequential code becomes an iteration, what of the pass before stays in a register, and that the interpreter
// makes the same of the program, bit by bit.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

// Sequential statements between two parallel loops of a step.
static bool says(enum pass_goal goal, const char *word, const char *statements) {
    char text[1200];
    snprintf(
        text, sizeof text,
        "int seen = 0; (void)seen;\n"
        "for (int t = 0; t < 3; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[0][i] += a[t][i];\n"
        "%s\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += c[1][i] - c[0][n - 1 - i];\n}",
        statements);
    return strstr(nest_said(goal, text, 65536), word) != NULL;
}
#define LONE "an iteration of its own"
#define CARRY "before stays in"

TEST(stretches) {
    side = 70;
    static const char sums[] = "c[1][0] = c[0][0]; for (int k = 1; k < n; k++) c[1][k] = c[1][k - 1] + c[0][k];";
    CHECK(says(PASS_SINGLE, LONE, sums));
    CHECK(says(PASS_STEPS, LONE, sums));
    CHECK(!says(PASS_EAGER, LONE, sums)); // as written
    CHECK(says(PASS_SINGLE, "a dimension of the parallel loop", "for (int k = 0; k < n; k++) c[1][k] = 2 * c[0][k];"));
    CHECK(says(PASS_SINGLE, LONE,
               "float s = 0; for (int k = 0; k < n; k++) { s += c[0][k]; if (s > 9) s = 0; c[1][k] = s; }"));
    CHECK(says(PASS_SINGLE, LONE, "if (x[3] > 0) for (int k = 0; k < n; k++) { if (k > 50) break; c[1][k] = x[k]; }"));
}

TEST(a_variable_that_several_stretches_set) {
    side = 70;
    CHECK(says(PASS_SINGLE, LONE,
               "for (int k = 0; k < n; k++) { seen = c[0][k] > 0; c[1][k] = c[0][k] + (float)seen; }\n"
               "#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += c[1][i];\n"
               "for (int k = 0; k < n; k++) { seen = x[k] > 1; c[1][k] = x[k] + (float)seen; }"));
    CHECK(!says(PASS_SINGLE, LONE,
                "for (int k = 0; k < n; k++) { c[1][k] = c[0][k] + (float)seen; seen = c[0][k] > 0; }\n"));
}

// What others read of a loop is worth a dispatch more in steps if it is long enough.
TEST(variables_that_others_read) {
    static const char sum[] =
        "float s = 0; for (int k = 0; k < n; k++) { float h = c[0][k] * 0.5f; s += h; c[1][k] = s; "
        "s += h; } c[2][t] = s * 2; for (int q = 0; q < 2; q++) c[3][q] = s;";
    side = 130;
    CHECK(says(PASS_SINGLE, LONE, sum));
    side = 70;
    CHECK(says(PASS_SINGLE, LONE, sum)); // all of it is in the stretch
    static const char left[] =
        "float s = 0; for (int k = 0; k < n; k++) { float h = c[0][k] * 0.5f; s += h; c[1][k] = s; "
        "s += h; }\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += s;";
    CHECK(!says(PASS_SINGLE, LONE, left));
    side = 130;
    CHECK(says(PASS_SINGLE, LONE, left));
}

TEST(what_stays_sequential) {
    side = 70;
    CHECK(!says(PASS_SINGLE, LONE, "for (int k = 0; k < 8; k++) c[1][k] = 2 * c[0][k];")); // short
    CHECK(!says(PASS_SINGLE, LONE, "c[1][5] = c[0][5];"));
    CHECK(!says(PASS_SINGLE, LONE, // it leaves a variable behind
                "for (int k = 0; k < n; k++) { c[1][k] = 2 * c[0][k]; seen += c[0][k] > 0; } c[2][t] = (float)seen;"));
    CHECK(!says(PASS_SINGLE, LONE, "int k = 0; while (c[0][k] > 0 && k < n - 1) { c[1][k] = c[0][k]; k++; } "));
}

#define EACH "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { %s }"
static bool carries(const char *statements) {
    char text[1200];
    snprintf(text, sizeof text, EACH, statements);
    return strstr(nest_said(PASS_STEPS, text, 65536), CARRY) != NULL;
}

TEST(recurrences) {
    side = 70;
    CHECK(carries("for (int k = 1; k < n; k++) c[i][k] = c[i][k - 1] * 0.5f + a[i][k];"));
    CHECK(carries("for (int k = n - 2; k >= 0; k--) c[i][k] = c[i][k + 1] * 0.5f + a[i][k];"));
    CHECK(carries("for (int k = 2; k < n; k++) c[i][k] = c[i][k - 1] * 0.5f + c[i][k - 2];"));
    CHECK(carries("for (int k = 3; k < n; k++) c[i][k] = c[i][k - 3] * 0.5f + a[i][k];"));
    CHECK(strstr(nest_said(PASS_STEPS,
                           "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int k = 2; k < n; k++)"
                           " c[i][k] = c[i][k - 1] * 0.5f + c[i][k - 2];",
                           65536),
                 "of the 2 passes before stays"));
}

TEST(what_is_loaded_again) {
    side = 70;
    CHECK(!carries("for (int k = 5; k < n; k++) c[i][k] = c[i][k - 5] * 0.5f + a[i][k];")); // five passes back
    CHECK(!carries("for (int k = 1; k < n; k++) if (a[i][k] > 0) c[i][k] = c[i][k - 1] * 0.5f;"));
    CHECK(!carries("for (int k = 1; k < n; k++) c[i][k] = a[i][k] > 0 ? c[i][k - 1] : 1;"));
    CHECK(!carries("for (int k = 1; k < n; k++) { c[i][k] = c[i][k - 1] + 1; c[i][(k * 7) % n] = 2; }"));
    CHECK(!carries("for (int k = 1; k < n; k++) { if (a[i][k] > 3) break; c[i][k] = c[i][k - 1] + 1; }"));
    CHECK(!carries("for (int k = 0; k < n - 1; k++) c[i][k] = c[i][k + 1] * 0.5f;")); // the next
}
