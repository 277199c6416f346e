// Loops whose passes touch elements of their own, which only playing them shows (permuted.c).
#include <stdio.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

// Whether the sequential loops of this body become parallel.
static int made_parallel(const char *body) {
    char text[1500];
    struct base_text said;
    snprintf(text, sizeof text,
             "void f(int n, const float x[1024], const int at[1024], float y[1024], float z[4][1024]) {\n"
             "static const int places[8] = {3, 0, 7, 5, 1, 6, 2, 4};\n(void)places;\n%s\n"
             "#pragma omp parallel for\nfor (int i = 0; i < 1024; i++) z[0][i] += 1;\n}\n",
             body);
    struct ir_unit *u = lowered(text, 1024);
    if (!u || setjmp(cx.bail)) return -1;
    (void)run_passes(u, PASS_STEPS, "autopar", 65536, false, &said);
    return check_times("autopar:", said.data);
}

TEST(orders_of_their_own) {
    CHECK_EQ_INT(1, made_parallel("for (int i = 0; i < 1024; i++) { int r = 0; for (int b = 0; b < 10; b++)"
                                  " r |= (i >> b & 1) << (9 - b); y[r] = x[i]; }"));
    CHECK_EQ_INT(1, made_parallel("for (int i = 0; i < 1024; i++) y[i & 1 ? 1023 - i / 2 : i / 2] = x[i];"));
    CHECK_EQ_INT(1, made_parallel("for (int i = 0; i < 1024; i++) { int to = i * 5 % 1024; y[to] = x[i] + y[to]; }"));
    CHECK_EQ_INT(1, made_parallel("for (int i = 0; i < 1024; i++) y[i / 8 * 8 + places[i % 8]] = x[i];"));
    CHECK_EQ_INT(1, made_parallel("for (int i = 0; i < 1024; i++) { int r = (i ^ i >> 1); z[3][r] = x[i]; }"));
}

TEST(passes_that_meet) {
    CHECK_EQ_INT(0, made_parallel("for (int i = 0; i < 1024; i++) { int to = i * 6 % 1024; y[to] = x[i]; }"));
    CHECK_EQ_INT(0, made_parallel("for (int i = 0; i < 1024; i++) y[i & 1 ? 1023 - i / 2 : i / 2] = y[i];"));
    CHECK_EQ_INT(
        0, made_parallel("for (int i = 0; i < 1024; i++) { int to = i * 5 % 1024; y[to] = y[(to + 1) % 1024]; }"));
    CHECK_EQ_INT(0, made_parallel("for (int i = 0; i < 1024; i++) y[at[i]] = x[i];"));
    CHECK_EQ_INT(
        0, made_parallel("for (int i = 0; i < 1024; i++) { int to = i * 5 % 1024; if (x[i] > 0) to = 3; y[to] = 1; }"));
    CHECK_EQ_INT(0, made_parallel("for (int i = 0; i < 1024; i++) { y[i * 5 % 1024] = 1; if (x[i] > 0) y[3] = 2; }"));
    CHECK_EQ_INT(0, made_parallel("int t = 0; for (int i = 0; i < 1024; i++) { t = (t + i) % 1024; y[t] = x[i]; }"));
}
