// Which parallel loops join a neighbour over scalars that are set between them, and that the interpreter makes the same
// of the program.
#include "check.h"
#include "pass/rounds_testing.h"

static bool joins(const char *body) { return *rounds_said("fuse: 1 parallel", body, pass_fuse); }
#define OMP "\n#pragma omp parallel for "
#define EACH OMP "\nfor (int i = 0; i < n; i++) "
#define SUM OMP "reduction(+ : s)\nfor (int i = 0; i < n; i++) "
#define MANY OMP "\nfor (int i = 0; i < 9000; i++) "
#define SUM_MANY OMP "reduction(+ : s)\nfor (int i = 0; i < 9000; i++) "

TEST(over_scalars) {
    CHECK(joins("unsigned s;" MANY "if (i < n) x[i] = c[i] + 1;\ns = 0;" SUM_MANY "if (i < n) s += x[i];\ny[0] = s;"));
    CHECK(joins("unsigned s = c[3];" EACH "x[i] = c[i] + 1;\ns = s * 2 + 1;" EACH "y[i] = x[i] * s;"));
}

TEST(what_stays_apart) {
    CHECK(!joins("unsigned k = 3;" EACH "x[i] = c[i] + k;\nk = 5;" EACH "y[i] = x[i] * 3;\ny[1] = k;")); // k is read
    CHECK(!joins("unsigned s;" EACH "x[i] = c[i] + 1;\ns = x[3];" EACH "y[i] = x[i] * s;")); // of what the first stores
    CHECK(!joins("unsigned s = 0;" SUM "s += c[i];\ns = s / 2;" EACH "y[i] = x[i] * s;"));   // of its sum
    CHECK(!joins("unsigned s;" EACH "x[i] = c[i] + 1;\ns = 0;" SUM "s += x[i];\ny[0] = s;")); // a short sum
    CHECK(!joins("unsigned s;" EACH "x[i] = c[i] + 1;\ns = 4;" EACH "for (unsigned k = 0; k < s; k++) y[i] += x[i];"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
