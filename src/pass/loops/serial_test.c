// Serial loops that make several passes at once, and those that may not; the interpreter gives the same before and
// after.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

enum { N = 6, ROW = 87, SIZE = N * ROW };
static int32_t memory[2][N + 3 * SIZE];

static void run(const struct ir_unit *u, int32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, out, out + N, out + N + SIZE, out + N + 2 * SIZE};
    size_t sizes[] = {0, 4 * N, 4 * SIZE, 4 * SIZE, 4 * SIZE};
    for (int i = 0; i < N + 3 * SIZE; i++)
        out[i] = i * 37 % 101;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 100000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

static char said_of[300];

// The IR of a parallel loop over i with the body, when loops have been widened; said_of: what was said of that, "" for
// nothing.
static const char *widened(const char *body, const char *off) {
    char text[2048];
    snprintf(text, sizeof text,
             "void f(int n, int v[n], int a[n][87], int b[n][87], const int q[n][87]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n"
             "int t[87], sum = 0, x = 0, m = (i + 1) %% n, even = v[i] %% 2; (void)t; (void)x; (void)m; (void)even;\n"
             "%s\n"
             "v[i] = sum;\n}\n}\n",
             body);
    struct ir_unit *u = lowered(text, N);
    said_of[0] = 0;
    if (!u || setjmp(cx.bail)) return "";
    struct base_text said;
    struct plan_target target = plan_base_target;
    target.busy_invocations = 1; // a device that is busy with these iterations
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    run(u, memory[0]);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    const char *ir = pass_run(&p, PASS_STEPS, off, "slice");
    run(p.u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    const char *found = strstr(said.data, "widen: ");
    if (found) snprintf(said_of, sizeof said_of, "%.*s", (int)strcspn(found, "\n"), found);
    return ir;
}

static void shared(const char *body, int loops) {
    const char *ir = widened(body, NULL);
    CHECK_EQ_STR("widen: the loop at line 5 makes 4 passes at once; what these have in common is done once", said_of);
    CHECK_EQ_INT(loops, check_times(" .. 100 {", ir));
}
static void loads_first(const char *body) {
    (void)widened(body, NULL);
    CHECK_EQ_STR("widen: the loop at line 5 makes 4 passes at once, their loads first", said_of);
}
static void left(const char *body) {
    (void)widened(body, NULL);
    if (*said_of) FAIL("%s: %s", body, said_of);
}

#define LONG "for (int c = 0; c < 100; c++) "
#define MAKE "x = k / 4; " LONG "x = x * 3 + c; "
#define ALL "for (int k = 0; k < 87; k++) "
#define SUM "for (int k = 0; k < 87; k++) sum += t[k];"

TEST(what_passes_share_is_done_once) {
    shared("for (int k = 0; k < 84; k++) { " MAKE "a[i][k] = x % 97 + k; }", 1);
    shared(ALL "{ " MAKE "a[i][k] = x % 97 + k; }", 2); // and the last three passes
    shared("for (int k = 8; k < 81; k++) { " MAKE "a[i][k] = x % 97 + k; }", 2);
    shared("for (unsigned k = 4; k < 87; k++) { " MAKE "a[i][k] = x % 97; }", 2);
    shared(ALL "{ x = k >> 3; " LONG "x = x * 3 + q[i][c % 87]; t[k] = x % 97 + (k & 3); } " SUM, 2);
    shared(ALL "{ x = (k & ~3) + a[m][(i + 1) % n]; " LONG "x = x * 3 + c; t[k] = x % 97 + (k & 3); } " SUM, 2);
    // a value of a place that stands in no array of rows
    shared(ALL "{ " MAKE "t[86 - k] = x % 97 + k; } " SUM, 2);
    shared("for (int r = 0; r < 1 + i; r++) " ALL "{ " MAKE "a[i][k] += x % 97; }", 2);
}

TEST(a_value_is_read_back_from_its_variable) {
    shared(ALL "{ " MAKE "t[k] = x % 97; a[i][k] = t[k]; } " SUM, 2);
    const char *ir =
        widened(ALL "{ " MAKE "t[k] = x % 97 + k; a[i][k] = t[k] + 1; b[i][k] = a[i][k] * t[k]; } " SUM, NULL);
    CHECK_EQ_INT(3, check_times(" * 4 + 3] = ", ir)); // each is stored,
    CHECK_EQ_INT(3, check_times(" * 4 + 3]", ir));    // and not loaded
    // not what has changed since, nor what an array of fewer bits holds
    shared(ALL "{ " MAKE "int y = x + k; t[k] = y; if (k % 3 == 1) t[k] = 5; a[i][k] = t[k]; } " SUM, 2);
    shared(ALL "{ " MAKE "int y = x + k; t[k] = y; y = y % 97; a[i][k] = t[k] + y; t[k] = k; b[i][k] = t[k]; } " SUM,
           2);
    shared("short s[87]; " ALL "{ " MAKE "s[k] = x; a[i][k] = s[k]; } sum = s[i];", 2);
}

// All loads of a round stand before its first store; a choice of arrays is made once for all of them.
TEST(loads_come_first) {
    loads_first(ALL "{ a[i][k] = a[i][k] * 3 + k; }");
    loads_first(ALL "{ int y = a[i][k]; b[i][k] = y + b[i][k]; a[i][k] = y ^ k; }");
    loads_first(ALL "{ x = b[i][k] > 7 ? b[i][k] : -k; if (x > 50) x = 50; b[i][k] = x + sum; }");
    loads_first("for (int r = 0; r < 2 + i; r++) " ALL "{ a[i][k] = a[i][k] * 3 + r; }");
    loads_first(ALL "{ x = even ? a[i][k] : b[i][k]; int y = even ? b[i][k] : a[i][k]; "
                    "x += y * 3; if (even) b[i][k] = x; else a[i][k] = x; }");
    const char *ir =
        widened(ALL "{ x = (even ? a[i][k] : b[i][k]) * 5; if (even) a[i][k] = x; else b[i][k] = 7; }", NULL);
    CHECK_EQ_INT(3, check_times("if (even", ir)); // loads and stores of a round, stores of the rest
    // conditions of a pass's own, which another value takes the place of
    loads_first(
        ALL "{ int y = (k ^ i) % 3; x = (y ? a[i][k] : b[i][k]) + b[i][k]; if (y > 1) a[i][k] = x; else b[i][k] = k; "
            "y = x & 1; t[k] = y; } " SUM);
    loads_first(ALL "{ x = b[i][k] + a[i][k]; if (even) a[i][k] = x; else b[i][k] = 5; x = x * 3; t[k] = x; } " SUM);
    // two conditions
    loads_first(ALL "{ x = b[i][k] + a[i][k]; if (even) a[i][k] = x; if (m > 2) b[i][k] = 7; }");
    // what is stored twice, or now and then, keeps its place
    loads_first(ALL "{ x = b[i][k] + a[i][k] * 3; a[i][k] = x; if (k % 3 == 1) a[i][k] = k; "
                    "b[i][k] = a[i][k] + 1; }");
}

// Two passes at once have this in common, four have not.
TEST(as_many_passes_as_have_it_in_common) {
    const char *ir = widened(ALL "{ x = k / 2 * 2 + i; " LONG "x = x * 3 + c; a[i][k] = x + k; }", NULL);
    CHECK_EQ_STR("widen: the loop at line 5 makes 2 passes at once; what these have in common is done once", said_of);
    CHECK_EQ_INT(2, check_times(" .. 100 {", ir));
}

TEST(not_where_passes_need_each_other) {
    left(ALL "{ " MAKE "sum = sum * 3 + x; a[i][k] = sum; }");
    left(ALL "{ " MAKE "sum += x; a[i][k] = x; }");
    left(ALL "{ " MAKE "a[i][k] = x + k; } sum = x;"); // the last pass's value
    left("t[0] = i; for (int k = 1; k < 87; k++) { " MAKE "t[k] = t[k - 1] + x; } " SUM);
    left(ALL "{ " MAKE "a[i][k] = k > 0 ? a[i][k - 1] + x : x; }");
    left(ALL "{ " MAKE "a[i][k / 2] = x; }");
    left(ALL "{ " MAKE "a[i][0] = x + k; b[i][k] = a[i][0]; }");
    left(ALL "{ " MAKE "a[i][k] = x; if (x % 7 == k) break; }");
    left(ALL "{ a[i][k] = a[i][k] * 3 + k; if (a[i][k] % 7 == 3) break; }");
    left(ALL "{ " MAKE "t[k % 5] = x + k; a[i][k] = t[k % 5]; }");
}

TEST(not_where_it_does_not_pay) {
    left("for (int k = 0; k < 7; k++) { x = k / 4; " LONG "x = x * 3 + c; a[i][k] = x; }");
    left(ALL "{ x = k / 4; a[i][k] = x * 3 + i; }");
    left(ALL "{ x = i * 5; " LONG "x = x * 3 + c; a[i][k] = x; }");
    left("for (int k = 86; k >= 0; k--) { " MAKE "a[i][k] = x; }");
    left("for (int k = 0; k < 87; k += 2) { " MAKE "a[i][k] = x; }");
    left("for (int k = 3; k < 87; k++) { " MAKE "a[i][k] = x; }");
    left(ALL "{ " MAKE "a[i][k] = (k + 3) / 4; }");
    left("for (int k = 0; k < 80 + even; k++) { " MAKE "a[i][k] = x; }");
}

TEST(it_can_be_switched_off) {
    const char *ir = widened(ALL "{ " MAKE "a[i][k] = x % 97 + k; }", "widen");
    CHECK_EQ_STR("", said_of);
    CHECK_EQ_INT(1, check_times(" .. 100 {", ir));
}
