// Sequential loops that become parallel though they are short: those that only sum up, between phases of one dispatch.
#include <stdio.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

#define PHASE "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] += x[(i + k) % n];\n"
#define SEARCH "int p = 0; for (int i = 1; i < n; i++) if (y[i] > y[p]) p = i;\n"
#define SUM "int s = 0; for (int i = 0; i < n; i++) s += y[i];\n"

static int moved; // loops around them, by the last call

// How many of the loops.
static int made_parallel(const char *body, int n, enum pass_goal goal, uint32_t busy) {
    char text[1500];
    struct base_text said;
    snprintf(text, sizeof text, "void f(int n, int x[n], int y[n], int at[n]) {\n%s\n}\n", body);
    struct ir_unit *u = lowered(text, n);
    if (!u || setjmp(cx.bail)) return -1;
    (void)run_passes(u, goal, "autopar", busy, false, &said);
    moved = check_times("interchange:", said.data);
    return check_times("autopar:", said.data);
}

TEST(short_sums_between_phases) {
    const char *search = "for (int k = 0; k < n; k++) {" PHASE SEARCH "at[k] = p; x[p] = -k; }";
    const char *sum = "for (int k = 0; k < n; k++) {" PHASE SUM "x[k] -= s; }";
    CHECK_EQ_INT(2, made_parallel(search, 100, PASS_SINGLE, 65536)); // the largest, and its place
    CHECK_EQ_INT(1, made_parallel(sum, 100, PASS_SINGLE, 65536));
    CHECK_EQ_INT(1, made_parallel(sum, 48, PASS_SINGLE, 65536));
    CHECK_EQ_INT(0, made_parallel(sum, 47, PASS_SINGLE, 65536));
    CHECK_EQ_INT(0, made_parallel(sum, 100, PASS_STEPS, 65536)); // a dispatch each
    CHECK_EQ_INT(0, made_parallel(sum, 100, PASS_SINGLE, 64));
    CHECK_EQ_INT(1, made_parallel(sum, 256, PASS_STEPS, 65536));
}

TEST(short_loops_that_stay) {
    // it stores
    CHECK_EQ_INT(0, made_parallel("for (int k = 0; k < n; k++) {" PHASE
                                  "for (int i = 0; i < n; i++) at[i] = y[i]; x[k] = at[n - 1]; }",
                                  100, PASS_SINGLE, 65536));
    // once, in front of a loop
    CHECK_EQ_INT(0, made_parallel(SUM "for (int k = 0; k < n; k++) {" PHASE "x[k] -= s; }", 100, PASS_SINGLE, 65536));
    // in a sequential loop that has no phases
    CHECK_EQ_INT(0, made_parallel("for (int k = 0; k < n; k++) {" PHASE "for (int q = 0; q < 2; q++) {" SUM
                                  "x[q] -= s; } }",
                                  100, PASS_SINGLE, 65536));
}

// The loop around goes inside, for all strategies.
#define ROWS                                                                                                           \
    "int q[20][257];\n#pragma omp parallel for\nfor (int k = 0; k < 20; k++) for (int i = 0; i < 257; i++) q[k][i] = " \
    "x[i] + k;\n"
#define BEHIND "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = q[i % 20][i % 257];\n"
TEST(rows_that_need_the_one_before) {
    const char *sums = ROWS "for (int k = 1; k < 20; k++) for (int i = 0; i < 256; i++) q[k][i] += q[k - 1][i];" BEHIND;
    const char *next =
        ROWS "for (int k = 1; k < 20; k++) for (int i = 0; i < 256; i++) q[k][i] += q[k - 1][i + 1];" BEHIND;
    const char *theirs = "for (int k = 1; k < 20; k++) {" PHASE "}";
    CHECK_EQ_INT(1, made_parallel(sums, 5120, PASS_STEPS, 65536));
    CHECK_EQ_INT(1, moved);
    CHECK_EQ_INT(1, made_parallel(next, 5120, PASS_STEPS, 65536));
    CHECK_EQ_INT(0, moved);
    CHECK_EQ_INT(0, made_parallel(theirs, 5120, PASS_STEPS, 65536));
    CHECK_EQ_INT(0, moved);
}

TEST(tear_down) { base_cx_deinit(&cx); }
