// How a reduction's iterations are shared out over blocks and lanes: each of them once, whatever their number.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "plan/program.h"
#include "whorl.h"

enum { MOST = 300001 };

static int32_t x[MOST], out[8];

static uint32_t rows;  // parallel loops whose iterations lanes of a workgroup share out
static uint32_t loops; // sequential ones
static bool on_stmt(void *user, ir_stmt s) {
    const struct ir_stmt_node *n = &((const struct ir_unit *)user)->stmts[s];
    loops += n->kind == IR_FOR;
    rows += n->kind == IR_PARFOR && (n->flags & IR_FLAG_LANES) && !n->parfor.lane_var;
    return true;
}

// The statements see n, x[n] and out[8]. What the interpreter makes of them after the passes is in `out`.
static void run(const char *statements, int n) {
    char text[1000];
    snprintf(text, sizeof text, "void f(int n, int x[n], int out[8]) {\n%s\n}\n", statements);
    rows = loops = 0;
    memset(out, 0, sizeof out);
    for (int i = 0; i < n; i++)
        x[i] = i % 1013 - 500;
    struct ir_unit *u = lowered(text, n);
    if (!u || setjmp(cx.bail)) return;
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx passes = {.u = u, .target = &plan_base_target, .explain = &said};
    pass_run(&passes, PASS_STEPS, NULL, NULL);
    struct ir_visitor visitor = {.on_stmt = on_stmt, .user = passes.u};
    ir_walk_block(passes.u, passes.u->root, &visitor);
    void *arrays[] = {NULL, x, out};
    size_t sizes[] = {0, (size_t)n * 4, sizeof out};
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err;
    if (ir_interpret(passes.u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

TEST(each_iteration_is_in_one_block) {
    static const int counts[] = {1, 2, 255, 256, 257, 16384, 16385, 16640, 65536, 65543, 262144, 262145, MOST};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int n = counts[k];
        int64_t sum = 0;
        for (int i = 0; i < n; i++)
            sum += (i % 1013 - 500) * 3 + i % 7;
        run("int s = 0, top = -1000;\n"
            "#pragma omp parallel for reduction(+ : s) reduction(max : top)\n"
            "for (int i = 0; i < n; i++) { x[i] = x[i] * 3 + i % 7; s += x[i]; top = x[i] > top ? x[i] : top; }\n"
            "out[0] = s; out[1] = top;",
            n);
        CHECK_EQ_INT((int32_t)sum, out[0]);
        CHECK_EQ_INT(n > 16384, rows);
        for (int i = 0; i < n; i++) // nothing was done twice
            if (x[i] != (i % 1013 - 500) * 3 + i % 7) {
                FAIL("x[%d] is %d with n = %d", i, x[i], n);
                break;
            }
    }
}

TEST(a_count_that_the_data_tell) {
    static const int counts[] = {0, 1, 300, 16385, 262145, MOST};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "int s = 0, m = x[0] + 500 + %d;\n"
                 "#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < m; i++) s += i %% 5 + 1;\n"
                 "out[0] = s; out[1] = m;",
                 counts[k]);
        run(text, 10);
        int32_t sum = 0;
        for (int i = 0; i < counts[k]; i++)
            sum += i % 5 + 1;
        CHECK_EQ_INT(counts[k], out[1]);
        CHECK_EQ_INT(sum, out[0]);
    }
}

// A block has no loop where it has one iteration at most.
TEST(fewer_iterations_each_time) {
    int32_t sum = 0;
    for (int k = 0; k < 300; k++)
        for (int i = k; i < 300; i++)
            sum += (i + k) % 7;
    run("int s = 0;\nfor (int k = 0; k < n; k++) {\n#pragma omp parallel for reduction(+ : s)\n"
        "for (int i = k; i < n; i++) s += (i + k) % 7;\nout[1] = s; }\nout[0] = s;",
        300);
    CHECK_EQ_INT(sum, out[0]);
    CHECK_EQ_INT(1, loops);
}

// Found by random programs: no iterations at all, and a variable that is reduced but never updated.
TEST(nothing_to_reduce) {
    run("int s = 3;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 5; i < 5; i++) s += i;\nout[0] = s;", 1);
    CHECK_EQ_INT(3, out[0]);
    run("int s = 3, top = 7;\n#pragma omp parallel for reduction(+ : s) reduction(max : top)\n"
        "for (int i = 0; i < n; i++) s += x[i];\nout[0] = s; out[1] = top;",
        20000);
    CHECK_EQ_INT(7, out[1]);
    CHECK_EQ_INT(1, rows);
}

TEST(planes_are_rows_too) {
    run("int s = 0;\n#pragma omp parallel for collapse(2) reduction(+ : s)\n"
        "for (int i = 3; i < 250; i += 2)\nfor (int j = 500; j > 100; j--) s += i * 3 + j;\nout[0] = s;",
        1);
    int32_t sum = 0;
    for (int i = 3; i < 250; i += 2)
        for (int j = 500; j > 100; j--)
            sum += i * 3 + j;
    CHECK_EQ_INT(sum, out[0]);
    CHECK_EQ_INT(1, rows);
}

TEST(who_stays_with_one_lane_a_block) {
    static const char *const those[] = {
        // long iterations, in which a lane must be able to stop
        "int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
        "for (int i = 0; i < n; i++) {\nint h = x[i];\nfor (int k = 0; k < 40; k++) h = (h & 1023) * 3 ^ k;\n"
        "s += h; }\nout[0] = s;",
        "int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
        "for (int i = 0; i < n; i++) {\nint h = x[i];\nfor (int k = 40; k > 0; k--) h = (h & 1023) * 3 ^ k;\n"
        "s += h; }\nout[0] = s;",
        // updates of what other iterations update
        "int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
        "for (int i = 0; i < n; i++) {\n#pragma omp atomic\nout[2 + i % 3] += 1;\ns += x[i]; }\nout[0] = s;",
        // more sums than the lanes have memory for
        "int a = 0, b = 0, c = 0, d = 0, e = 0;\n#pragma omp parallel for reduction(+ : a, b, c, d, e)\n"
        "for (int i = 0; i < n; i++) { a += x[i]; b += x[i] * 2; c += i; d += i ^ 1; e += 3; }\n"
        "out[0] = a + b + c + d + e;",
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++) {
        run(those[k], 20000);
        CHECK_EQ_INT(0, rows);
    }
}

// A length that the run gives.
static const char given[] = "void sums(int n, int m, const int x[300001], int out[3]) {\n"
                            "    int sum = 5, least = 9;\n    unsigned bits = 5;\n"
                            "#pragma omp parallel for reduction(+ : sum) reduction(min : least) reduction(^ : bits)\n"
                            "    for (int i = 0; i < n; i += 1) {\n"
                            "        sum += x[i];\n        least = x[i] < least ? x[i] : least;\n"
                            "        bits ^= (unsigned)(i * m);\n    }\n"
                            "    out[0] = sum;\n    out[1] = least;\n    out[2] = (int)bits;\n}\n";
static const struct whorl_scalar scalars[] = {{"n", 100}, {"m", 3}};
static const char *const uniform[] = {"n", "m"};
static const int lengths[] = {0, 1, 7, 255, 257, 5000, 16383, 16384, 16385, 262144, 262145, MOST};

static struct whorl_compile_options given_options(uint32_t busy) {
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.uniform = uniform;
    o.scalar_count = o.uniform_count = 2;
    o.target.busy_invocations = busy;
    return o;
}

static void run_given(const struct ir_unit *u, int n) {
    void *arrays[] = {NULL, NULL, x, out};
    const size_t sizes[] = {0, 0, sizeof x, 3 * sizeof *out};
    const uint32_t bits[] = {(uint32_t)n, 3, 0, 0};
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes, .param_bits = bits};
    struct whorl_error err = {0};
    if (ir_interpret(u, &options, &err) != WHORL_OK) FAIL("%d: %s", n, err.message);
}

static void compare_given(uint32_t busy, enum pass_goal goal) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) FAIL("%s", base_render_diags(&cx));
    struct whorl_compile_options user = given_options(busy);
    struct front_options options = {.path = "sums.c", .text = given, .user = &user};
    struct ir_unit *before = front_compile(&cx, &options).unit;
    struct base_text said;
    base_text_init(&said, &cx);
    struct plan_target target = plan_base_target;
    target.busy_invocations = busy;
    struct pass_cx p = {.u = ir_unit_clone(before), .target = &target, .explain = &said, .eager = goal == PASS_EAGER};
    pass_run(&p, goal, NULL, NULL);
    uint32_t combines = 0;
    for (ir_stmt s = 1; s < p.u->stmt_count; s++)
        combines += p.u->stmts[s].kind == IR_COMBINE && p.u->stmts[s].combine.there;
    CHECK(combines >= 3);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        run_given(before, lengths[k]);
        int32_t want[3] = {out[0], out[1], out[2]};
        run_given(p.u, lengths[k]);
        if (memcmp(want, out, sizeof want) != 0) FAIL("%d: %d, not %d", lengths[k], out[0], want[0]);
    }
}

TEST(partial_results_are_those_that_are_there) {
    for (int i = 0; i < MOST; i++)
        x[i] = i * 37 % 1000 - 300;
    for (int goal = PASS_EAGER; goal <= PASS_SINGLE; goal++) {
        compare_given(32768, (enum pass_goal)goal);
        compare_given(64, (enum pass_goal)goal);
    }
}

static int64_t most_blocks(const struct plan *p, int n) {
    int64_t values[8] = {0}, count, most = 0;
    for (uint32_t i = 0; i < p->scalar_count && i < 8; i++)
        values[i] = strcmp(p->scalars[i].name, "n") == 0 ? n : 3;
    for (uint32_t i = 0; i < p->kernel_count; i++) {
        if (!p->kernels[i].range_sliceable) continue;
        CHECK(plan_eval(p, p->kernels[i].iterations, values, &count));
        most = count > most ? count : most;
    }
    return most;
}

TEST(the_host_counts_blocks) {
    static const uint32_t busy[] = {64, 32768};
    for (int rows_too = 0; rows_too < 2; rows_too++) {
        struct whorl_compile_options o = given_options(busy[rows_too]);
        whorl_program *program = NULL;
        struct whorl_error err = {0};
        CHECK_EQ_INT(WHORL_OK, whorl_compile("sums.c", given, &o, &program, &err));
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            int n = lengths[k], lines = (n + 255) / 256, each = (lines + 1023) / 1024;
            int want = !rows_too ? (n < 16384 ? n : 16384) : n ? (lines + each - 1) / each : 0;
            if (want > 10) CHECK_EQ_INT(want, most_blocks(program->plan, n)); // other kernels are smaller than that
        }
        whorl_program_destroy(program);
    }
}

// Many rows: lanes share each, and their results are reduced by a loop of its own.
TEST(rows_of_a_matrix_keep_their_lanes) {
    static const int counts[] = {16384, 16385, 70001};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int n = counts[k], top = -100000, odd = 0;
        int64_t sum = 5;
        for (int i = 0; i < n; i++) {
            int dot = 0;
            for (int j = 0; j < 40; j++)
                dot += ((i + j) % n % 1013 - 500) * (j % 3 - 1);
            sum += dot;
            top = dot > top ? dot : top;
            odd |= dot == 499;
        }
        run("int s = 5, top = -100000; _Bool odd = 0;\n"
            "#pragma omp parallel for reduction(+ : s) reduction(max : top) reduction(|| : odd)\n"
            "for (int i = 0; i < n; i++) {\n    int dot = 0;\n#pragma omp simd reduction(+ : dot)\n"
            "    for (int j = 0; j < 40; j++) dot += x[(i + j) % n] * (j % 3 - 1);\n"
            "    s += dot; top = dot > top ? dot : top; odd = odd || dot == 499;\n}\n"
            "out[0] = s; out[1] = top; out[2] = odd;",
            n);
        CHECK_EQ_INT((int32_t)sum, out[0]);
        CHECK_EQ_INT(top, out[1]);
        CHECK_EQ_INT(odd, out[2]);
        CHECK_EQ_INT(1, rows); // of few the rows themselves, of many what they left: lanes for so many would idle
    }
    run("int s = 0;\n"
        "#pragma omp parallel for reduction(+ : s)\n"
        "for (int i = 0; i < n; i++) {\n    int dot = 0;\n#pragma omp simd reduction(+ : dot)\n"
        "    for (int j = 0; j < 8; j++) dot += x[(i + j) % n];\n    s += dot;\n}\n"
        "out[0] = s;",
        70001);
    CHECK_EQ_INT(1, rows); // these are no rows, but short iterations side by side
}

TEST(tear_down) { base_cx_deinit(&cx); }
