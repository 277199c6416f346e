// Which values of a reduction every workgroup computes itself, what that saves, and that the interpreter gives the same
// with and without.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "plan/program.h"
#include "whorl.h"

enum { N = 700, STEPS = 4, MOST = 20000 };

static void run(const struct ir_unit *u, int n, int32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, NULL, out, out + n, out + 2 * n, out + 3 * n};
    size_t size = 4 * (size_t)n, sizes[] = {0, 0, size, size, size, size};
    for (int i = 0; i < 4 * n; i++)
        out[i] = i * 37 % 101;
    for (int i = 2 * n; i < 3 * n; i++) // floats
        out[i] = (int32_t)base_float_bits((float)(i % 17) * 0.3f);
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 100000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// The head of a parallel loop, and of some with a reduction.
#define LOOP "\nfor (int i = 0; i < n; i++) "
#define ALL "\n#pragma omp parallel for" LOOP
#define MIN_BEST "\n#pragma omp parallel for reduction(min : best)" LOOP
#define MAX_BEST "\n#pragma omp parallel for reduction(max : best)" LOOP
#define SUM_BEST "\n#pragma omp parallel for reduction(+ : best)" LOOP
#define XOR_BEST "\n#pragma omp parallel for reduction(^ : best)" LOOP
#define ANY_BEST "\n#pragma omp parallel for reduction(|| : best)" LOOP
#define MAX_TOP "\n#pragma omp parallel for reduction(max : top)" LOOP
#define SUM_S "\n#pragma omp parallel for reduction(+ : s)" LOOP
#define MAX_S "\n#pragma omp parallel for reduction(max : s)" LOOP

static struct found {
    uint32_t loops;    // whose values are computed again
    uint32_t barriers; // of the most expensive loop, a step
    bool proven;       // all indices of the kernel are
} last;

// The program: DECLARATIONS, then in a loop over t the statements STEP, which may use the others' names.
static const char *text_of(const char *declarations, const char *step) {
    static char text[4096];
    snprintf(text, sizeof text,
             "#include <math.h>\n#include <stdio.h>\n"
             "void f(int n, int steps, int x[n], int y[n], float z[n], int found[n]) {\n%s\n"
             "for (int t = 0; t < steps; t++) {\n%s\n}\n}\n",
             declarations, step);
    return text;
}

static void compile_it(const char *text, int n, const char *off, struct found *out, int32_t *memory) {
    struct whorl_scalar scalars[] = {{"n", n}, {"steps", STEPS}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    whorl_program *program = NULL;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.pass_off = off;
    *out = (struct found){0};
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    if (!program) return;
    out->loops = check_times("recompute: ", program->explain);
    out->proven = strstr(program->explain, "indices are proven") != NULL;
    const struct plan *p = program->plan;
    CHECK(p->single.exists && p->kernels[p->single.root.kernel].grid);
    if (p->single.exists && p->kernels[p->single.root.kernel].grid)
        out->barriers = p->kernels[p->single.root.kernel].grid->step_barriers;
    whorl_program_destroy(program);
    struct ir_unit *u = lowered_with("test.c", text, scalars, 2);
    if (!u || setjmp(cx.bail)) return;
    struct base_text said;
    base_text_init(&said, &cx);
    struct pass_cx passes = {.u = u, .target = &plan_base_target, .explain = &said};
    pass_run(&passes, PASS_SINGLE, off, NULL);
    CHECK(passes.tree != NULL);
    run(passes.u, n, memory);
}

// With and without the pass; `last` is what it did.
static struct found compare(const char *declarations, const char *step, int n) {
    const char *text = text_of(declarations, step);
    struct found off;
    static int32_t memory[2][4 * MOST];
    compile_it(text, n, "recompute", &off, memory[0]);
    CHECK_EQ_INT(0, off.loops);
    compile_it(text, n, NULL, &last, memory[1]);
    CHECK(memcmp(memory[0], memory[1], 16 * (size_t)n) == 0);
    CHECK(last.loops ? last.barriers < off.barriers : last.barriers == off.barriers);
    return last;
}

// Others read what an iteration made, and the largest of these is known behind a barrier: in the next step, all of them
// can be read.
#define CHANGE                                                            \
    ALL "y[i] = (x[(i * 7 + best) % n] + i % 3) % 211; top = -1;" MAX_TOP \
        "{ x[i] = y[(i + 1) % n]; top = x[i] > top ? x[i] : top; }"
#define FIRST "int best = n;" MIN_BEST "if (x[i] == top && i < best) best = i;\n found[t] = best;"
#define BOTH                                                                                  \
    "int best = n, count = 0;\n"                                                              \
    "#pragma omp parallel for reduction(min : best) reduction(+ : count)\n"                   \
    "for (int i = 0; i < n; i++) if (x[i] == top) { best = i < best ? i : best; count++; }\n" \
    "found[t] = best + count;"
#define TAKEN(step) CHECK_EQ_INT(1, compare("int top = 5;", step, N).loops)
#define LEFT(step) CHECK_EQ_INT(0, compare("int top = 5;", step, N).loops)

TEST(who_is_the_best) {
    TAKEN(FIRST CHANGE);
    CHECK_EQ_INT(2, last.barriers);
    TAKEN("int best = n;" MIN_BEST "{ int v = x[i]; if (v > 7) v -= t; else v += 2;"
          " if (v == top) best = i < best ? i : best; } found[t] = best;" CHANGE);
    TAKEN("int best = 0;" SUM_BEST "best += x[i] == top; found[t] = best;" CHANGE);
    TAKEN("unsigned best = 0;" XOR_BEST "best ^= (unsigned)x[i] * 3u; found[t] = (int)best; best %= 7u;" CHANGE);
    TAKEN("int best = 0;" ANY_BEST "if (x[i] == 210) best = 1; found[t] = best;" CHANGE);
    TAKEN(
        "int best = 1, m = n / 2;\n#pragma omp parallel for collapse(2) reduction(max : best)\n"
        "for (int i = 0; i < 2; i++) for (int k = 0; k < m; k++) if (x[i * m + k] > top) best = k > best ? k : best;\n"
        "found[t] = best;" CHANGE);
    // scalars that change behind the loop, and several reductions of one
    TAKEN(FIRST "top = (top + best) % 11;" CHANGE);
    TAKEN(BOTH "best += count;" CHANGE);
}

TEST(not_what_is_more_than_values) {
    LEFT("int best = n;" MIN_BEST "{ if (x[i] == top && i < best) best = i; found[i] += x[i]; }" CHANGE);
    LEFT("int best = 0;" MAX_BEST "{ int s = 0; for (int k = 0; k < 90; k++) s += x[(i + k) % n] ^ k;"
         " best = s > best ? s : best; } found[t] = best;" CHANGE);
    LEFT("int best = 0;" MAX_BEST "{ int v = 0;\n#pragma omp atomic capture\nv = found[0]++;\n(void)v;"
         " best = x[i] > best ? x[i] : best; } found[t] = best;" CHANGE);
    LEFT("int best = 0;" MAX_BEST "{ if (x[i] > 5000) printf(\"%d\\n\", i); best = x[i] > best ? x[i] : best; }"
         " found[t] = best;" CHANGE);
}

TEST(not_what_is_long) {
    LEFT("int best = 0;" MAX_BEST "{ unsigned h = (unsigned)x[i]; h ^= h >> 3; h ^= h << 5; h ^= h >> 7; h ^= h << 9;"
         " h ^= h >> 11; h ^= h << 13; h ^= h >> 5; int v = (int)(h % 1000u); best = v > best ? v : best; }"
         " found[t] = best;" CHANGE);
    LEFT("int best = 0;" MAX_BEST "{ int v = x[i] + x[(i + 1) % n] + x[(i + 2) % n] + x[(i + 3) % n] + x[(i + 4) % n];"
         " best = v > best ? v : best; } found[t] = best;" CHANGE);
    const char *longer =
        "int best = 0;" MAX_BEST
        "{ int v = ((x[i] * 3 + 5) ^ (x[i] * 7 - t) ^ (i << 3) ^ (i >> 2)) & (x[i] + 255) & (i * 5 + 99);"
        " best = v > best ? v : best; } found[t] = best;" CHANGE;
    CHECK_EQ_INT(1, compare("int top = 5;", longer, N).loops);
    CHECK_EQ_INT(0, compare("int top = 5;", longer, 8192).loops);
    CHECK_EQ_INT(1, compare("int top = 5;", FIRST CHANGE, 8192).loops);
    CHECK_EQ_INT(0, compare("int top = 5;", FIRST CHANGE, 8193).loops);
    CHECK_EQ_INT(0, compare("int top = 5;", FIRST CHANGE, MOST).loops); // several iterations a block
}

TEST(not_where_nothing_is_saved) {
    // what others wrote needs a barrier before everyone reads it
    LEFT(FIRST ALL "y[i] = (x[(i * 7 + best) % n] + i % 3) % 211;" ALL "x[i] = y[(i + 1) % n];");
    CHECK_EQ_INT(2, last.barriers);
    // the operands are overwritten at once
    LEFT("int best = 0;" MAX_BEST "best = x[i] > best ? x[i] : best; found[t] = best;" ALL
         "x[i] = (x[i] * 3 + best) % 97;");
    CHECK_EQ_INT(1, last.barriers);
    // an array of which everyone reads his own elements alone would become one that is shared
    LEFT("float s = 0;" MAX_S "s = z[i] > s ? z[i] : s; found[t] = (int)s;" ALL
         "y[i] = x[(i * 7 + (int)s) % n]; top = -1;" MAX_TOP
         "{ x[i] = y[(i + 1) % n]; z[i] = (float)(x[i] % 17); top = x[i] > top ? x[i] : top; }");
    CHECK_EQ_INT(3, last.barriers);
}

// A product that nobody stores may be contracted with an addition; that of the sum itself is kept from it.
TEST(sums_of_values_that_round_alike) {
#define GATHER                                                                                                        \
    "found[t] = (int)s; s = fabsf(s);" ALL "y[i] = x[(i * 7 + (int)s) % n] + (z[(i + 1) % n] > 2); top = -1;" MAX_TOP \
    "{ x[i] = y[(i + 1) % n]; z[i] = (float)(x[i] % 17) * 0.7f - 4; top = x[i] > top ? x[i] : top; }"
    TAKEN("float s = 0;" SUM_S "s += z[i];" GATHER);
    TAKEN("float s = 0;" SUM_S "s += z[i] - 0.3f;" GATHER);
    TAKEN("float s = 0;" SUM_S "s += z[i] > 1 ? -z[i] : 2.0f;" GATHER);
    TAKEN("float s = 0;" SUM_S "s += (float)x[i];" GATHER);
    TAKEN("float s = 0;" MAX_S "s = fmaxf(s, z[i] * z[i]);" GATHER);
    TAKEN("float s = 0;" SUM_S "s += z[i] * z[i];" GATHER);
    TAKEN("float s = 0;" SUM_S "s += (z[i] - 1) * (z[i] + 2);" GATHER);
    LEFT("float s = 0;" SUM_S "s += z[i] * z[i] + 1;" GATHER);
    LEFT("float s = 0;" SUM_S "s += sqrtf(z[i] * z[i]);" GATHER);
    LEFT("float s = 0;" SUM_S "s += z[i] > 1 ? z[i] / 3.0f : 2.0f;" GATHER);
    LEFT("float s = 0;" SUM_S "s += z[i] * 0.5f - 1;" GATHER);
}

// The count is wanted late, so that its COMBINE stands behind the loop that overwrites what was counted.
TEST(not_what_is_overwritten_before_it_is_combined) { LEFT(BOTH CHANGE); }

TEST(indices_of_values_are_proven) {
#define MIRRORED \
    ALL "y[i] = x[n - 1 - i] + best; top = -1;" MAX_TOP "{ x[i] = y[n - 1 - i]; top = x[i] > top ? x[i] : top; }"
    TAKEN("int best = n;" MIN_BEST "if (x[n - 1 - i] == top && i < best) best = i; found[t] = best;" MIRRORED);
    CHECK(last.proven);
    TAKEN("int best = n;" MIN_BEST "if (i > 0 && x[i - 1] == top && i < best) best = i; found[t] = best;" MIRRORED);
    CHECK(last.proven);
    TAKEN("int best = n;" MIN_BEST "if (i < t || (x[i - t] == top && i < best)) best = i; found[t] = best;" MIRRORED);
    CHECK(last.proven); // i - t may be below 0 for all that is known: that index has a limit
}

// Iterations that become fewer: a block has one of them or none, and how many there are is counted out of the values.
TEST(fewer_each_time) {
    TAKEN("int best = 0;\n#pragma omp parallel for reduction(max : best)\n"
          "for (int i = t; i < n; i++) best = x[i] % 97 > best ? x[i] % 97 : best;\nfound[t] = best;" CHANGE);
    CHECK(last.proven);
    TAKEN("int best = 0;\n#pragma omp parallel for reduction(max : best)\n"
          "for (int i = n - 2 + t; i < n; i++) best = x[i] % 97 > best ? x[i] % 97 : best;\nfound[t] = best;" CHANGE);
    CHECK(last.proven); // none at all
    // a condition of the program's own: it may never hold, or depend on the iteration
    TAKEN("int best = 0, c = 1 - 2 * t;" SUM_BEST "if (i < c) best += x[i];\nfound[t] = best;" CHANGE);
    TAKEN("int best = 0;" SUM_BEST "if (i < 400 - i) best += x[i];\nfound[t] = best;" CHANGE);
}

// A few words of the compiler's own may become shared for that.
TEST(parts_of_a_critical_section) {
    TAKEN("int best = 1 << 20, who = n;\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) {\n"
          "int c = (x[i] * 5) ^ i;\n#pragma omp critical\n"
          "if (c < best || (c == best && i < who)) { best = c; who = i; }\n}\nfound[t] = who;" CHANGE);
}

// Loads come first, as many as COMBINE issues at once.
TEST(loads_are_issued_together) {
    struct whorl_scalar scalars[] = {{"n", 2048}, {"steps", STEPS}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    whorl_program *program = NULL;
    o.scalars = scalars;
    o.scalar_count = 2;
    if (whorl_compile("test.c", text_of("int top = 5;", FIRST CHANGE), &o, &program, &err) != WHORL_OK)
        FAIL("%s", err.message);
    if (!program) return;
    const char *kernel = program->plan->kernels[program->plan->single.root.kernel].wgsl;
    const char *from = strstr(kernel, "var sum: i32"), *value = from ? strstr(from, "let x0 = select(") : NULL;
    const char *end = value ? strstr(value, "let x7 = select(") : NULL;
    CHECK(end != NULL);
    int loads = 0, late = 0;
    for (const char *at = from; end && (at = strstr(at, "atomicLoad(")) && at < end; at++)
        *(at < value ? &loads : &late) += 1;
    CHECK_EQ_INT(8, loads);
    CHECK_EQ_INT(0, late);
    whorl_program_destroy(program);
}

TEST(tear_down) { base_cx_deinit(&cx); }
