// Which loops that end when data say so are unrolled by what they swap, and that the interpreter makes the same of the
// program.
#include "check.h"
#include "pass/rounds_testing.h"

static void passes(struct pass_cx *p) {
    pass_canonicalise(p);
    pass_rotate(p);
}
// Steps a pass; 0: it stays.
static int steps(const char *body) {
    const char *said = rounds_said("rotate: ", body, passes), *at = strstr(said, "arrays: ");
    return at ? at[8] - '0' : 0;
}
#define OMP "\n#pragma omp parallel for "
#define BEGIN "unsigned more = 100; int k = 0; unsigned *a = x, *b = y;\n"
#define STEP                                                                                                       \
    OMP "reduction(max : more)\nfor (int i = 0; i < n; i++) { b[i] = a[(i + 1) % n] / 3; if (b[i] > more) more = " \
        "b[i]; }\n"
#define SWAP "unsigned *t = a; a = b; b = t;"
#define SHOW OMP "\nfor (int i = 0; i < n; i++) x[i] = a[i] + k;"

TEST(until_it_settles) {
    CHECK_EQ_INT(2, steps(BEGIN "while (more > 5) { more = 0;" STEP SWAP "}" SHOW));
    CHECK_EQ_INT(2, steps(BEGIN "while (more > 5 && k < 30) { more = 0;" STEP SWAP "k++; }" SHOW)); // beside a counter
    CHECK_EQ_INT(2, steps(BEGIN "for (k = 0; k < 7; k++) { more = 0;" STEP SWAP "if (more < 9) break; }" SHOW));
    CHECK_EQ_INT(2, steps(BEGIN "do { more = 0;" STEP SWAP "k++; } while (more > 0 && k < 11);" SHOW));
}

TEST(of_the_step) {
#define CHOSEN OMP "\nfor (int i = 0; i < n; i++) { if (k % 2) x[i] = y[i] / 3; else y[i] = x[i] / 2; }\n"
    CHECK_EQ_INT(2, steps("int k; for (k = 0; k < 9; k++) {" CHOSEN "if (x[3] < 40) break; }" OMP
                          "\nfor (int i = 0; i < n; i++) x[i] += k;"));
    CHECK_EQ_INT(2, steps("int k = 4; while (x[5] > 7 && k < 20) {" CHOSEN "k++; }"));
    CHECK_EQ_INT(0, steps("int k = 4; while (x[5] > 7 && k < 20) { k++;" CHOSEN "}")); // it has grown
    CHECK_EQ_INT(0, steps("int k = 4; while (x[5] > 7 && k < 20) {" CHOSEN "if (x[0] & 1) k++; else x[5] /= 2; }"));
    CHECK_EQ_INT(0, steps("int k = x[0] & 1; while (x[5] > 7 && k < 20) {" CHOSEN "k++; }")); // from where?
}

// A remainder that would take too many copies stays, the swap does not.
TEST(swaps_beside_remainders) {
#define LOGGED(m) "if (k % " m " == 0) {" OMP "\nfor (int i = 0; i < n; i++) b[i] += a[i] / 9;\n}\n"
    CHECK_EQ_INT(2, steps(BEGIN "for (k = 0; k < 20; k++) { more = 0;" STEP LOGGED("5") SWAP "}" SHOW));
    CHECK_EQ_INT(2, steps(BEGIN "for (k = 0; k < 5; k++) { more = 0;" STEP LOGGED("3") SWAP "}" SHOW));
    CHECK_EQ_INT(6, steps(BEGIN "for (k = 0; k < 20; k++) { more = 0;" STEP LOGGED("3") SWAP "}" SHOW));
    CHECK_EQ_INT(2, steps(BEGIN "while (more > 5 && k < 30) { more = 0;" STEP LOGGED("7") SWAP "k++; }" SHOW));
}

// Two or three steps would be more than a counter's 32 bits hold.
TEST(wide_steps) {
#define WIDE(step) "for (int t = -2000000000; t < 1000000000; t += " step ") { more = t;" STEP SWAP "}" SHOW
    CHECK_EQ_INT(0, steps(BEGIN WIDE("1200000000")));
    CHECK_EQ_INT(2, steps(BEGIN WIDE("1000000000")));
    CHECK_EQ_INT(0, steps(BEGIN "for (int t = 2000000000; t > -1000000000; t -= 1200000000) {" STEP SWAP "}" SHOW));
}

TEST(tear_down) { base_cx_deinit(&cx); }
