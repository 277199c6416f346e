// Loops whose passes touch elements of their own, which only playing them shows (permuted.c).
#include <stdio.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

// Whether the sequential loops of this body become parallel.
static int made_parallel(const char *body) {
    char text[2500];
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

// Where counters of loops around say what passes touch, it is shown for all of their values.
#define STAGE(low)                                                                                 \
    "for (int k = 0; k < 512; k++) { int low = " low ", high = low + h; float t = y[high] * 0.5f;" \
    " y[high] = y[low] - t; y[low] += t; }"
TEST(stages) {
    CHECK_EQ_INT(1, made_parallel("for (int h = 1; h < 1024; h *= 2) " STAGE("k / h * 2 * h + k % h")));
    CHECK_EQ_INT(1, made_parallel("for (int b = 9; b >= 0; b--) { int h = 1 << b; " STAGE(
                        "(k >> b << (b + 1)) | (k & (h - 1))") " }"));
    CHECK_EQ_INT(1, made_parallel("for (int s = 0; s < 9; s++) for (int i = 0; i < 1024; i++)"
                                  " y[i * (2 * s + 1) % 1024] = x[i] + y[i * (2 * s + 1) % 1024];"));
    CHECK_EQ_INT(0, made_parallel("for (int h = 1; h < 1024; h *= 2) " STAGE("k / h * h + k % h")));
    CHECK_EQ_INT(0, made_parallel("for (int h = 512; h > 0; h /= 2) " STAGE("k / h * 2 * h + k * 2 % h")));
    CHECK_EQ_INT(0, made_parallel("for (int s = 0; s < 9; s++) for (int i = 0; i < 1024; i++)"
                                  " y[i * (s < 8 ? 2 * s + 1 : 6) % 1024] = x[i];")); // the last one
    CHECK_EQ_INT(0, made_parallel("for (int s = 0; s < 900; s++) for (int i = 0; i < 1024; i++)"
                                  " y[i * (2 * s + 1) % 1024] = x[i];")); // too many
}

// What was played for loops of which the last value shows that passes meet is not there for others.
TEST(many_stages) {
    char body[1500] = "";
    for (int k = 0; k < 8; k++)
        strcat(body,
               "for (int s = 0; s < 60; s++) for (int i = 0; i < 1024; i++) y[i * (s < 59 ? 2 * s + 1 : 6) % 1024]"
               " = 1;\n");
    strcat(body, "for (int h = 1; h < 1024; h *= 2) " STAGE("k / h * 2 * h + k % h"));
    CHECK_EQ_INT(0, made_parallel(body));
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
