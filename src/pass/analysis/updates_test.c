// Which updates lanes may make in any order, and that they are loads and stores again where no lanes come.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

static int count_of(const char *text, const char *word) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

// ATOMICs of the loop's body after a pass, in an iteration of 30 on a device that 4,096 invocations keep busy.
static int atomics(const char *pass, const char *body, bool keep_order) {
    char text[1500];
    snprintf(text, sizeof text,
             "void f(int n, const int x[30][n], int h[30][64], float s[30][64], int y[30][n]) {\n"
             "#pragma omp parallel for\nfor (int i = 0; i < 30; i++)\nfor (int k = 0; k < n; k++) { %s }\n}\n",
             body);
    struct ir_unit *u = lowered(text, 300);
    if (!u || setjmp(cx.bail)) return -1;
    struct base_text said;
    return count_of(run_passes(u, PASS_EAGER, pass, 4096, keep_order, &said), "free\n");
}

TEST(in_any_order) {
    CHECK_EQ_INT(1, atomics("lanes", "h[i][x[i][k] & 63]++;", true));
    CHECK_EQ_INT(1, atomics("lanes", "h[i][x[i][k] & 63] = k + h[i][x[i][k] & 63];", false));
    CHECK_EQ_INT(1, atomics("lanes", "if (x[i][k] > 3) h[i][x[i][k] & 63] -= x[i][k];", false));
    CHECK_EQ_INT(2, atomics("lanes", "h[i][x[i][k] & 63] ^= k; y[i][k] = 2; h[i][k % 7] ^= 3;", false));
}

TEST(who_sees_the_order) {
    static const char *const those[] = {
        "h[i][x[i][k] & 63]++; y[i][k] = h[i][3];",              // is looked at
        "y[i][k] = h[i][x[i][k] & 63]++;",                       // the old one is
        "h[i][x[i][k] & 63] += h[i][k & 63];",                   // adds another element
        "h[i][h[i][3] & 63] += 1;",                              // the place follows from one
        "h[i][x[i][k] & 63] *= 3;",                              // no device has that
        "h[i][x[i][k] & 63] += 2; h[i][k & 63] |= 4;",           // two operators
        "h[i][x[i][k] & 63] = 5 - h[i][x[i][k] & 63];",          // does not commute
        "s[i][x[i][k] & 63] += 0.5f;",                           // sums of floats have an order
        "h[i][x[i][k] & 63] += y[i][0]; y[i][k & 1] = x[i][k];", // adds what a pass before wrote
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        if (atomics("lanes", those[k], false)) FAIL("%s", those[k]);
}

TEST(taken_back) {
    static const char few[] = "h[i][x[i][k] & 63]++; if (k > 5) for (int l = 1; l < n; l++) y[i][l] = y[i][l - 1] + k;";
    CHECK_EQ_INT(0, atomics("share", few, false)); // lanes would spare too little
    CHECK_EQ_INT(0, atomics("lanes", few, false));
}

TEST(tear_down) { base_cx_deinit(&cx); }
