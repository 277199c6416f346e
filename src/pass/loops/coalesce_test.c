// Which nests become one parallel loop, and that the interpreter makes the same of them.
#include <stdlib.h>

#include "check.h"
#include "pass/rounds_testing.h"

static void all_but_butterfly(struct pass_cx *p) { pass_run(p, PASS_STEPS, "butterfly", NULL); }

// Iterations of the one loop that a nest becomes, in a program with this body; 0: it stays.
static int iterations(const char *body) {
    const char *said = rounds_said("coalesce: ", body, all_but_butterfly);
    return *said ? atoi(strstr(said, " of ") + 4) : 0;
}

#define UP "for (int len = 2; len <= n; len *= 2)"
#define BLOCKS "\n#pragma omp parallel for\nfor (int i = 0; i < n; i += len) "
#define BOTH "\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i += len) "
#define PASSES "for (int j = 0; j < len / 2; j++) "
#define MIX(a, b) "{ unsigned p = x[" a "], q = x[" b "]; x[" a "] = p + q; x[" b "] = (p - q) * 3; }"

TEST(nests) {
    CHECK_EQ_INT(32, iterations(UP BLOCKS PASSES MIX("i + j", "i + j + len / 2")));
    CHECK_EQ_INT(32, iterations("for (int len = n; len > 1; len /= 2)" BLOCKS PASSES MIX("i + j", "i + j + len / 2")));
    CHECK_EQ_INT(32, iterations(UP BLOCKS "for (int j = i; j < i + len / 2; j++) " MIX("j", "j + len / 2")));
    CHECK_EQ_INT(64, iterations(UP BLOCKS "for (int j = i; j < i + len; j++) { x[j] += c[i] * j; y[j] = x[j]; }"));
    CHECK_EQ_INT(
        32, iterations(UP BLOCKS "{ unsigned w = c[i]; " PASSES "{ x[i + j] += w; x[i + j + len / 2] ^= w * j; } }"));
    // rounds inside of rounds
    CHECK_EQ_INT(32,
                 iterations("for (int r = 2; r <= n; r *= 2) for (int len = r; len >= 2; len /= 2)" BLOCKS PASSES MIX(
                     "i + j", "i + j + len / 2")));
}

TEST(dimensions) {
    CHECK_EQ_INT(32, iterations(UP BOTH PASSES MIX("i + j", "i + j + len / 2")));
    CHECK_EQ_INT(
        64, iterations("for (int h = 1; h < n; h *= 2)\n#pragma omp parallel for collapse(3)\n"
                       "for (int a = 0; a < n / 2 / h; a++) for (int s = 0; s < 2; s++) for (int b = 0; b < h; b++)"
                       "x[a * h * 2 + s * h + b] += c[a] + s + b;"));
}

TEST(what_stays) {
    // a value goes from pass to pass
    CHECK_EQ_INT(0, iterations(UP BLOCKS "{ unsigned w = 1; " PASSES "{ x[i + j] += w; w *= 3; } }"));
    CHECK_EQ_INT(0, iterations(UP BLOCKS PASSES "x[i + j + 1] += x[i + j];"));
    CHECK_EQ_INT(0, iterations(UP BLOCKS PASSES "x[i] += c[i + j];"));
    // what stands in front of the loop is of an array that it stores
    CHECK_EQ_INT(0, iterations(UP BLOCKS "{ unsigned w = x[i]; " PASSES "x[i + j] += w; }"));
    // something stands behind it
    CHECK_EQ_INT(0, iterations(UP BLOCKS "{ " PASSES "x[i + j] += 1; y[i] = 1; }"));
    // no powers of two; another product in each round
    CHECK_EQ_INT(0, iterations("for (int len = 3; len <= n; len *= 2)\n#pragma omp parallel for\n"
                               "for (int i = 0; i < n / len; i++) " PASSES "x[i * len + j] += 1;"));
    CHECK_EQ_INT(0, iterations("for (int len = 2; len <= n / 2; len *= 2)\n#pragma omp parallel for\n"
                               "for (int i = 0; i < n / len; i++) for (int j = 0; j < len * len / n; j++)"
                               "x[i * len + j] += 1;"));
    // apart, but no bit of the number stands in both places
    CHECK_EQ_INT(0, iterations(UP BLOCKS PASSES MIX("i + j", "i + len - 1 - j")));
    // data say how many
    CHECK_EQ_INT(0, iterations(UP BLOCKS "for (int j = 0; j < (int)(c[i] % len); j++) x[i + j] += 1;"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
