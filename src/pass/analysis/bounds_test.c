// What is proven of indices and what is not, on both sides of each line; and arrays of real programs, one element too
// short.
#include "pass/analysis/bounds.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "plan/program.h"
#include "whorl.h"

// As the passes of `single` leave it, those apart that are switched off.
static struct ir_unit *passed(const char *path, const char *text, const struct whorl_scalar *scalars, size_t count,
                              const char *off) {
    struct pass_cx p = {.u = lowered_with(path, text, scalars, count), .target = &plan_base_target};
    if (!p.u || setjmp(cx.bail)) return NULL;
    struct base_text said;
    base_text_init(&said, &cx);
    p.explain = &said;
    pass_run(&p, PASS_SINGLE, off, NULL);
    return p.u;
}

static struct pass_bounds prove(struct ir_unit *u, const bool *packed) {
    struct pass_bounds_kernel whole = {
        .unit = u, .stmt = u->root, .grid = true, .workgroup_size = 256, .packed = packed};
    return pass_prove_bounds(&whole);
}

// The body of a parallel loop over i from 0 to n = 16; a[16], b[256] and wide[4][16] are read, x[16] are data.
static bool holds(const char *body) {
    struct whorl_scalar n = {"n", 16};
    const char *text = base_format(&cx,
                                   "#include <stdbool.h>\n#include <stdint.h>\n"
                                   "void f(int n, const int a[n], const int b[n * n], const int wide[n / 4][n],\n"
                                   "       const int x[n], const uint8_t bytes[n], int out[n]) {\n"
                                   "    #pragma omp parallel for\n"
                                   "    for (int i = 0; i < n; i++) {\n"
                                   "        int s = 0;\n"
                                   "        %s\n"
                                   "        out[i] = s;\n"
                                   "    }\n}\n",
                                   body);
    char *own = strdup(text);                                   // cx is emptied
    struct ir_unit *u = passed("test.c", own, &n, 1, "unroll"); // copies of a pass have constants for indices
    free(own);
    return u && prove(u, NULL).proven;
}

#define PROVEN(body) ((void)(holds(body) || (FAIL("not proven: %s", body), 0)))
#define OPEN(body) ((void)(!holds(body) || (FAIL("proven: %s", body), 0)))

TEST(one_too_many) {
    PROVEN("s = a[i];");
    OPEN("s = a[i + 1];");
    OPEN("s = a[i - 1];");
    PROVEN("s = a[15 - i];");
    OPEN("s = a[16 - i];");
    PROVEN("s = b[i * n + 15];");
    OPEN("s = b[i * n + 16];");
    PROVEN("for (int j = 0; j < n; j++) s += b[i * n + j];");
    OPEN("for (int j = 0; j <= n; j++) s += b[i * n + j];");
    PROVEN("s = wide[i / 4][i];");
    OPEN("s = wide[i / 3][i];");    // 15 / 3 is 5
    PROVEN("s = wide[0][i + 16];"); // not in the row, but in the array
    PROVEN("s = wide[2][i + 16];");
    OPEN("s = wide[3][i + 1];");
    OPEN("s = wide[i / 4][i + 1];"); // of its last iteration
    OPEN("s = wide[1][i - 1];");     // in the array: but what is below 0 is not looked at
}

TEST(data_are_unknown) {
    OPEN("s = a[x[i]];");
    PROVEN("s = a[x[i] & 15];");
    OPEN("s = a[x[i] & 16];");
    OPEN("s = a[x[i] % 16];");
    PROVEN("s = a[x[i] % 8 + 7];");
    OPEN("s = a[x[i] % 8 + 6];");
    PROVEN("s = a[(unsigned)x[i] % 16];");
    OPEN("s = a[(unsigned)x[i] % 17];");
    OPEN("s = a[(int)(0.5f * (float)i)];");
    PROVEN("s = a[((uint64_t)(uint32_t)x[i] * 16u) >> 32];");
    OPEN("s = a[((uint64_t)(uint32_t)x[i] * 17u) >> 32];");
    PROVEN("s = b[__builtin_clz((unsigned)x[i] | 1u) * 8];");
    OPEN("s = a[__builtin_clz((unsigned)x[i] | 1u)];");
    OPEN("s = b[bytes[i]];"); // the words of an array that is not packed may hold anything
}

TEST(parts_of_words_are_of_their_type) {
    struct whorl_scalar n = {"n", 256};
    struct ir_unit *u =
        passed("test.c",
               "#include <stdint.h>\n"
               "void f(int n, const uint8_t at[n], const int8_t less[n], const int b[n], int out[n]) {\n"
               "    #pragma omp parallel for\n"
               "    for (int i = 0; i < n; i++) out[i] = b[at[i]];\n}\n",
               &n, 1, NULL);
    bool packed[64] = {false};
    CHECK(!prove(u, packed).proven);
    for (ir_array a = 1; a < u->array_count; a++)
        packed[a] = u->arrays[a].elem == WHORL_U8;
    CHECK(prove(u, packed).proven);
}

TEST(arithmetic_that_wraps) {
    PROVEN("s = a[(((unsigned)x[i] % 1u) | ((unsigned)x[15 - i] % 1u)) + (unsigned)i];"); // 0 | 0: no bit is set
    OPEN("s = a[(((unsigned)x[i] % 2u) | ((unsigned)x[15 - i] % 1u)) + (unsigned)i];");
    // of i up to 1: 46340 * 46340 fits, 46341 * 46341 does not, and its sign would come from the wrap
    PROVEN("if (i < 2) s = a[(i * 46340 * 46340) >> 30];");
    OPEN("if (i < 2) s = a[(i * 46341 * 46341) >> 30];");
    OPEN("s = a[(unsigned)(i - 1) * 16u >> 4];");
    OPEN("s = a[(i - 8) >> 1];"); // below zero
    PROVEN("s = a[(i - 8) >> 1 & 15];");
    OPEN("s = a[(i + 1u) * 268435456u / 268435456u];");
    PROVEN("s = a[(i % 8 + 7u) * 268435456u / 268435456u];");
}

TEST(counters) {
    PROVEN("for (int j = 0; j < 14; j += 3) s += a[j + 3] + x[i];"); // 12 is the last
    OPEN("for (int j = 0; j < 14; j += 3) s += a[j + 4] + x[i];");
    PROVEN("for (int j = 15; j >= 0; j--) s += a[j] * x[i];");
    OPEN("for (int j = 16; j >= 0; j--) s += a[j] * x[i];");
    PROVEN("for (int j = 15; j > 0; j -= 2) s += a[j - 1] * x[i];");
    OPEN("for (int j = 14; j >= 0; j -= 2) s += a[j - 1] * x[i];");
    OPEN("for (int j = 14; j >= 0; j--) s += a[j - 1] * x[i];");
    PROVEN("for (int j = 0; j < n; j++) { if (j >= x[i]) break; s += a[j]; }");
    OPEN("for (int j = 0; j < x[i]; j++) s += a[j];");
    // a counter that wraps before its end is seen
    PROVEN("for (unsigned j = 4294967290u; j < 4294967294u; j += 1) { if (x[j & 15] == i) break; s += a[j - "
           "4294967290u]; }");
    OPEN("for (unsigned j = 4294967290u; j < 4294967295u; j += 2) { if (x[j & 15] == i) break; s += a[j - "
         "4294967290u]; }");
}

TEST(conditions) {
    PROVEN("if (i > 0) s = a[i - 1];");
    OPEN("if (i >= 0) s = a[i - 1];");
    OPEN("if (i > 0) s = 1; else s = a[i - 1];");
    PROVEN("s = a[i ? i - 1 : 0] + a[i == 15 ? i : i + 1];");
    OPEN("s = a[i != 1 ? i - 1 : 0];");
    OPEN("s = a[i == 14 ? i : i + 1];");
    OPEN("if (i == 0) s = a[i - 1];");
    PROVEN("if (i < 15) s = a[i + 1];");
    OPEN("if (i < 16) s = a[i + 1];");
    PROVEN("s = i == 0 ? 0 : i > 0 ? a[i - 1] : 0;");
    PROVEN("int k = x[i]; if (k >= 0 && k < n) s = a[k];");
    OPEN("int k = x[i]; if (k >= 0 || k < n) s = a[k];");
    OPEN("int k = x[i]; if (k >= 0 && k <= n) s = a[k];");
    PROVEN("int k = x[i]; if (!(k < 0 || k >= n)) s = a[k];");
    PROVEN("int k = x[i]; if ((unsigned)k < (unsigned)n) s = a[k];");
    OPEN("int k = x[i]; if (k < n) s = a[k];");
    PROVEN("int k = x[i]; bool out_of_it = k < 0 || k >= n; s = a[out_of_it ? 0 : k];");
    OPEN("int k = x[i]; bool out_of_it = k < 0 || k > n; s = a[out_of_it ? 0 : k];");
    PROVEN("for (int j = 0; j < 100; j++) { int k = x[i] + j; if (k < 0 || k >= n) continue; s += a[k]; }");
    OPEN("for (int j = 0; j < 100; j++) { int k = x[i] + j; if (k < 0 || k >= n) s++; s += a[k]; }");
    OPEN("int k = x[i]; if (k >= 0 && k < n) { k += x[0]; s = a[k]; }"); // no longer what was compared
    OPEN("float k = (float)x[i]; if (k >= 0 && k < 16) s = a[(int)k];");
}

TEST(variables_that_change) {
    PROVEN("unsigned k = (unsigned)x[i]; for (int j = 0; j < 100; j++) { k = k * 3u + 1u; s += a[k >> 28]; }");
    OPEN("int k = 0; for (int j = 0; j < 100; j++) { s += a[k]; k += x[k & 15]; }");
    PROVEN("int k = 3; if (x[i] > 0) k = 15; for (int j = 0; j < 100; j++) s += a[k] * x[j & 15];");
    OPEN("int k = 3; if (x[i] > 0) k = 16; for (int j = 0; j < 100; j++) s += a[k] * x[j & 15];");
    OPEN("int k = 3; for (int j = 0; j < x[i]; j++) k++; s = a[k];");
}

TEST(no_elements) {
    struct whorl_scalar n = {"n", 4};
    struct ir_unit *u = passed("test.c",
                               "void f(int n, const int a[n], int out[n]) {\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) out[i] = a[0];\n}\n",
                               &n, 1, NULL);
    ir_array a = u->params[1].ref;
    CHECK(prove(u, NULL).proven);
    u->arrays[a].dims[0] = ir_const_i32(u, 1);
    CHECK(prove(u, NULL).proven);
    u->arrays[a].dims[0] = ir_const_i32(u, 0);
    CHECK(!prove(u, NULL).proven);
    CHECK_EQ_INT(a, prove(u, NULL).array);
}

// ---- real programs --------------------------------------------------------------------------------------------------

static char *source(const char *path) {
    char *text = NULL;
    size_t size;
    struct whorl_error err;
    if (base_read_file(path, 1 << 20, &text, &size, &err) != WHORL_OK) FAIL("%s", err.message);
    char *whole = strndup(text, size);
    base_heap_free(text);
    return whole;
}

// Every array that is taken one element shorter, in any of its dimensions, has an index that is no longer proven. Its
// copies in workgroup memory stay as they are: then the copy is what is not proven.
static void shorter(const char *path, const struct whorl_scalar *scalars, size_t count) {
    char *text = source(path);
    struct ir_unit *u = passed(path, text, scalars, count, NULL);
    free(text);
    struct pass_bounds whole = prove(u, NULL);
    if (!whole.proven) FAIL("%s: %s %s is not proven", path, whole.why, u->arrays[whole.array].name);
    struct ir_effects fx = ir_effects_of(u, u->root);
    uint32_t tried = 0;
    for (ir_array a = 1, n = u->array_count; a < n; a++) {
        if (!ir_bit(fx.arrays_read, a) && !ir_bit(fx.arrays_written, a)) continue;
        for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
            uint32_t size;
            ir_expr before = u->arrays[a].dims[d];
            CHECK(ir_is_const(u, before, &size) && size > 0);
            u->arrays[a].dims[d] = ir_const_i32(u, (int32_t)size - 1);
            if (prove(u, NULL).proven) FAIL("%s: '%s' may be shorter in dimension %u", path, u->arrays[a].name, d + 1);
            u->arrays[a].dims[d] = before;
            tried++;
        }
    }
    CHECK(tried > 1);
}

TEST(programs_with_shorter_arrays) {
    const struct whorl_scalar grid[] = {{"n", 64}, {"steps", 10}, {"seed", 1}, {"feed", 0.04}, {"kill", 0.06}};
    shorter("programs/grids/heat.c", grid, 2);
    shorter("programs/grids/nbody.c", grid, 2);
    shorter("programs/grids/wave.c", grid, 2);
    shorter("programs/grids/game_of_life.c", grid, 2);
    shorter("programs/grids/gray_scott.c", grid, 5);
    const struct whorl_scalar ways[] = {{"n", 64}, {"density", 3}};
    shorter("programs/grids/floyd_warshall.c", ways, 2);
    const struct whorl_scalar chain[] = {{"layers", 4}, {"n", 64}};
    shorter("programs/grids/matvec_chain.c", chain, 2);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

static const char *explained;
static whorl_program *compiled(const char *text, const char *off, const char *uniform) {
    struct whorl_scalar scalars[] = {{"n", 64}, {"steps", 5000}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.pass_off = off;
    o.uniform = &uniform;
    o.uniform_count = uniform != NULL;
    whorl_program *p = NULL;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &p, &err) != WHORL_OK) FAIL("%s", err.message);
    explained = whorl_program_text(p, WHORL_TEXT_EXPLAIN);
    return p;
}

#define INDIVIDUALS(INDEX)                                                \
    "void f(int n, int steps, const float w[steps], float out[n]) {\n"    \
    "    #pragma omp parallel for\n"                                      \
    "    for (int i = 0; i < n; i++) {\n"                                 \
    "        float s = 0;\n"                                              \
    "        for (int t = 0; t < steps; t++) s = s * s + w[" INDEX "];\n" \
    "        out[i] = s;\n"                                               \
    "    }\n}\n"

TEST(kernels_say_it) {
    whorl_program *p = compiled(INDIVIDUALS("t"), NULL, NULL);
    CHECK_EQ_INT(1, p->plan->kernel_count);
    CHECK(p->plan->kernels[0].proven);
    CHECK_HAS_STR("indices are proven; the library adds no checks", explained);
    // its counter comes from memory when it is resumed, and is put within the loop's bounds
    CHECK(p->plan->kernels[0].resume_words > 1);
    CHECK_HAS_STR(", 0, 4999);", p->plan->kernels[0].wgsl);
    CHECK(!strstr(whorl_program_text(p, WHORL_TEXT_PLAN), "proven"));
    whorl_program_destroy(p);
    p = compiled(INDIVIDUALS("(t + i) % (steps + 1)"), NULL, NULL); // one too many: this index has a limit, no other
    CHECK(p->plan->kernels[0].proven);
    CHECK_HAS_STR("but 1 that the kernel keeps within their arrays itself, the first of 'w' at test.c:5", explained);
    CHECK_HAS_STR("min(u32(", p->plan->kernels[0].wgsl);
    CHECK_HAS_STR(", 4999u)", p->plan->kernels[0].wgsl);
    whorl_program_destroy(p);
    p = compiled(INDIVIDUALS("t"), "bounds", NULL);
    CHECK(!p->plan->kernels[0].proven);
    CHECK(!strstr(explained, "bounds:"));
    whorl_program_destroy(p);
    p = compiled(INDIVIDUALS("t"), NULL, "steps"); // nobody knows how long the array is
    CHECK(!p->plan->kernels[0].proven);
    whorl_program_destroy(p);
}

// As C has it, rows are one behind the other: what leaves its row finds the next ones. Who has rows that are not must
// hear of it (offload/variant.c).
TEST(rows_may_be_left) {
    whorl_program *p = compiled("void f(int n, int steps, const float w[7][5], const int at[n], float out[n]) {\n"
                                "    #pragma omp parallel for\n"
                                "    for (int i = 0; i < n; i++) out[i] = w[2][at[i]] + w[1][i % 25];\n"
                                "}\n",
                                NULL, NULL);
    CHECK(p->plan->kernels[0].proven);
    CHECK_HAS_STR("but 1 that the kernel keeps within their arrays itself, the first of 'w' at test.c:3", explained);
    CHECK_HAS_STR(", 34u)", p->plan->kernels[0].wgsl);
    CHECK(!strstr(p->plan->kernels[0].wgsl, ", 4u)"));
    whorl_program_destroy(p);
    p = compiled("void f(int n, int steps, const float w[7][5], float out[n]) {\n"
                 "    #pragma omp parallel for\n"
                 "    for (int i = 0; i < 30; i++) out[i] = w[1][i];\n"
                 "}\n",
                 NULL, NULL);
    CHECK(p->plan->kernels[0].proven);
    CHECK_HAS_STR("all 3 indices are proven, but 1 access may go from row to row", explained);
    whorl_program_destroy(p);
}

// What comes from memory is put where the program itself puts it, whatever it was.
TEST(saved_words_are_not_believed) {
    whorl_program *p = compiled("void f(int n, int steps, const int w[n], int out[n]) {\n"
                                "    #pragma omp parallel for\n"
                                "    for (int i = 0; i < n; i++) {\n"
                                "        int k = out[i] & 63, s = 0;\n"
                                "        out[i] = 0;\n"
                                "        for (int t = k; t < n; t++) {\n"
                                "            out[i] += w[k] + w[t];\n"
                                "            for (int q = 0; q < s; q++) s = out[i] & 3;\n"
                                "        }\n"
                                "        out[k] = w[k];\n"
                                "    }\n}\n",
                                NULL, NULL);
    CHECK_EQ_INT(1, p->plan->kernel_count);
    CHECK(p->plan->kernels[0].resume_words > 1);
    CHECK_HAS_STR("indices are proven; the library adds no checks", explained);
    CHECK_HAS_STR("_k, 0, 63);", p->plan->kernels[0].wgsl);
    CHECK_HAS_STR("_t, 0, 63);", p->plan->kernels[0].wgsl);
    whorl_program_destroy(p);
    // k has several values, so that nothing says where the second index was
    p = compiled("void f(int n, int steps, const int w[n], int out[n]) {\n"
                 "    #pragma omp parallel for\n"
                 "    for (int i = 0; i < n; i++) {\n"
                 "        int k = out[i] & 63, s = 0;\n"
                 "        out[i] = 0;\n"
                 "        for (int t = 0; t < steps; t++) {\n"
                 "            out[i] += w[k];\n"
                 "            for (int q = 0; q < s; q++) s = out[i] & 3;\n"
                 "            k = (k + out[i]) & 63;\n"
                 "        }\n"
                 "    }\n}\n",
                 NULL, NULL);
    CHECK(p->plan->kernels[0].resume_words > 1);
    CHECK_HAS_STR("the first of 'w' at test.c:7", explained);
    CHECK_HAS_STR(", 63u)", p->plan->kernels[0].wgsl);
    whorl_program_destroy(p);
}

TEST(plans_from_outside_claim_nothing) {
    whorl_program *p = compiled(INDIVIDUALS("t"), NULL, NULL);
    const char *json = whorl_program_text(p, WHORL_TEXT_PLAN);
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) FAIL("%s", base_render_diags(&cx));
    struct plan *outside = plan_read(&cx, json, strlen(json));
    CHECK(!outside->kernels[0].proven && !outside->kernels[0].bounded);
    whorl_program_destroy(p);
}
