// The claims of the optimiser, asserted on small programs: how many dispatches are left, what needed no memory, what
// stays apart.
#include <string.h>

#include "check.h"
#include "pass/pass.h"
#include "plan/program.h"
#include "whorl.h"

static whorl_program *compile(const char *text, const char *off) {
    struct whorl_scalar scalars[] = {{"n", 100}, {"steps", 1000}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.pass_off = off;
    whorl_program *p = NULL;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &p, &err) != WHORL_OK) FAIL("%s", err.message);
    return p;
}

static uint64_t dispatches(const struct plan *p, const struct plan_node *node) {
    if (node->kind == PLAN_DISPATCH) return 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < node->child_count; i++)
        sum += dispatches(p, &node->children[i]);
    return node->kind == PLAN_LOOP ? sum * (uint64_t)p->exprs[node->count].value : sum;
}

static const char *const step_form =
    "void f(int n, int steps, const float w[n][4], float out[n]) {\n"
    "    float x[n], h[n][4];\n"
    "    #pragma omp parallel for\n"
    "    for (int i = 0; i < n; i++) x[i] = 0.5f;\n"
    "    for (int t = 0; t < steps; t++) {\n"
    "        #pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) h[i][j] = w[i][j] * x[i];\n"
    "        #pragma omp parallel for\n"
    "        for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < 4; j++) s += h[i][j]; x[i] = s; }\n"
    "    }\n"
    "    #pragma omp parallel for\n"
    "    for (int i = 0; i < n; i++) out[i] = x[i];\n"
    "}\n";

TEST(a_step_form_becomes_one_dispatch) {
    whorl_program *p = compile(step_form, NULL);
    if (!p) return;
    CHECK(p->plan->single.exists);
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->single.root), 1);
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->steps.root), 1002);
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->eager.root), 2002);
    CHECK(!p->plan->single.same_as_steps);
    // The state lives in registers: only the parameters are bound.
    CHECK_EQ_INT(p->plan->kernels[p->plan->single.root.children[0].kernel].binding_count, 2);
    whorl_program_destroy(p);
}

// The kernel of a single that is one dispatch with barriers; NULL after a failed check.
static const struct plan_kernel *grid_kernel(const struct plan *p) {
    CHECK(p->single.exists && p->single.root.kind == PLAN_DISPATCH && p->single.fallback != NULL);
    if (!p->single.fallback || p->single.root.kind != PLAN_DISPATCH) return NULL;
    const struct plan_kernel *k = &p->kernels[p->single.root.kernel];
    CHECK(k->grid != NULL);
    return k->grid ? k : NULL;
}

// Without fuse or interchange the time loop stays around parallel loops: still one dispatch, and without a barrier,
// because each invocation computes what it reads later.
TEST(each_pass_can_be_switched_off) {
    static const char *const off[] = {"fold",          "sink",      "rotate",    "fuse",      "interchange", "settle",
                                      "spread",        "unroll",    "promote",   "scalarise", "choose",      "hoist",
                                      "prefetch",      "lanes",     "widen",     "slice",     "recompute",   "stage",
                                      "double_buffer", "ping_pong", "privatise", "compose"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        whorl_program *p = compile(step_form, off[i]);
        CHECK(p != NULL);
        if (!p) continue;
        bool fuse = !strcmp(off[i], "fuse"), apart = fuse || !strcmp(off[i], "interchange");
        CHECK_EQ_INT(dispatches(p->plan, &p->plan->single.root), 1);
        CHECK_EQ_INT(dispatches(p->plan, &p->plan->steps.root), fuse ? 2002 : 1002);
        if (!apart) {
            CHECK(p->plan->single.fallback == NULL);
        } else {
            const struct plan_kernel *k = grid_kernel(p->plan);
            if (k) CHECK_EQ_INT(0, k->grid->tick_barriers);
            CHECK_EQ_INT(dispatches(p->plan, p->plan->single.fallback), fuse ? 2002 : 1002);
        }
        whorl_program_destroy(p);
    }
}

// Counters: whole workgroups, so that a copy takes many updates, in kernels of their own as in one with barriers; the
// same blocks of iterations in both.
TEST(counters_have_copies_in_every_strategy) {
    static const char text[] = "void f(int n, int steps, const int x[100000], int count[50], int out[50]) {\n"
                               "    for (int t = 0; t < steps; t++) {\n"
                               "        #pragma omp parallel for\n"
                               "        for (int i = 0; i < 100000; i++) {\n"
                               "            #pragma omp atomic\n"
                               "            count[x[i] % 50]++;\n"
                               "        }\n"
                               "        #pragma omp parallel for\n"
                               "        for (int k = 0; k < 50; k++) out[k] += count[k];\n"
                               "    }\n}\n";
    static const char words[] = "var<workgroup> private_words: array<atomic<u32>, 50>;";
    for (int off = 0; off < 2; off++) {
        whorl_program *p = compile(text, off ? "privatise" : NULL);
        if (!p) return;
        uint32_t kernels = 0;
        for (uint32_t k = 0; k < p->plan->kernel_count; k++) {
            if (!strstr(p->plan->kernels[k].wgsl, words)) continue;
            CHECK_EQ_INT(256, p->plan->kernels[k].workgroup_size);
            kernels++;
        }
        CHECK_EQ_INT(off ? 0 : 2, kernels); // of the one dispatch; of steps and eager
        const struct plan_kernel *grid = grid_kernel(p->plan);
        if (grid) CHECK_EQ_INT(2, grid->grid->tick_barriers);
        whorl_program_destroy(p);
    }
}

TEST(what_later_stages_need_cannot_be_switched_off) {
    static const char
        *const required[] = {"canonicalise", "reduce", "sync"},
               *one_loop = "void f(float x[9]) {\n#pragma omp parallel for\nfor (int i = 0; i < 9; i++) x[i] = 1;\n}\n";
    size_t count = 0;
    for (size_t i = 0; pass_names[i]; i++)
        count += pass_is_required(pass_names[i]);
    CHECK_EQ_INT(sizeof required / sizeof *required, count);
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
        o.pass_off = required[i];
        whorl_program *p = NULL;
        struct whorl_error err;
        CHECK(pass_is_required(required[i]));
        CHECK_EQ_INT(WHORL_INVALID, whorl_compile("test.c", one_loop, &o, &p, &err));
        CHECK_HAS_STR("cannot be switched off", err.message);
        whorl_program_destroy(p);
    }
}

// What calls expanded in place leave behind: copies are read from where they come, a sum in steps is one expression.
TEST(copies_and_sums_in_steps_leave_no_variables) {
    static const char source[] = "static int sum3(int a, int b, int c) { int s = a; s += b; s += c; return s; }\n"
                                 "void f(int n, int steps, int x[n]) {\n"
                                 "    #pragma omp parallel for\n"
                                 "    for (int i = 0; i < n; i++) {\n"
                                 "        int a = x[i], b = a, c = sum3(b, i, 1);\n"
                                 "        int old = a; a = c; c = old;\n" // after this, b is still what x[i] was
                                 "        for (int k = 0; k < n; k++) { int t = a; a = c ^ k; c = t; }\n"
                                 "        x[i] = sum3(a, b, c);\n"
                                 "    }\n"
                                 "}\n";
    whorl_program *p = compile(source, NULL);
    if (!p) return;
    CHECK_EQ_INT(4, check_times("var v", strstr(p->plan->kernels[0].wgsl, "fn main")));
    whorl_program_destroy(p);
}

// What chooses between values needs no branch in the kernel, also inside another; what reads an element keeps it.
TEST(branches_between_values_are_selections) {
    static const char source[] = "static int part(int x) { if (x < 0) return -x & 7; return x & 3; }\n"
                                 "void f(int n, int steps, int x[n], int y[n]) {\n"
                                 "    #pragma omp parallel for\n"
                                 "    for (int i = 0; i < n; i++) {\n"
                                 "        int v = 0;\n"
                                 "        if (x[i] > 5) { if (i > 3) v = 1; else v = i; }\n"
                                 "        else v = 2;\n"
                                 "        int w;\n"
                                 "        if (v > 1) w = x[v]; else w = 0;\n"
                                 "        y[i] = v + part(i - 3) + w;\n"
                                 "    }\n"
                                 "}\n";
    for (int on = 0; on < 2; on++) {
        whorl_program *p = compile(source, on ? NULL : "choose");
        if (!p) return;
        CHECK_EQ_INT(on ? 1 : 4, check_times("} else {", strstr(p->plan->kernels[0].wgsl, "fn main")));
        CHECK((strstr(p->explain, "choose: 3 branches") != NULL) == on);
        whorl_program_destroy(p);
    }
}

TEST(a_stencil_needs_two_barriers_a_step) {
    whorl_program *p = compile("void f(int n, int steps, float a[n], float b[n]) {\n"
                               "    for (int t = 0; t < steps; t++) {\n"
                               "        #pragma omp parallel for\n"
                               "        for (int i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i + 1];\n"
                               "        #pragma omp parallel for\n"
                               "        for (int i = 1; i < n - 1; i++) a[i] = b[i];\n"
                               "    }\n"
                               "}\n",
                               "compose,copy_back,confine"); // which make one loop of the two, or one iteration
    if (!p) return;
    const struct plan_kernel *k = grid_kernel(p->plan);
    if (k) {
        CHECK_EQ_INT(2, k->grid->step_barriers);
        CHECK_EQ_INT(98, p->plan->exprs[k->grid->widest].value);
    }
    CHECK_EQ_STR(p->plan->single.note, "");
    CHECK_EQ_INT(dispatches(p->plan, p->plan->single.fallback), 2000);
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->steps.root), 2000);
    CHECK(!p->plan->single.same_as_steps);
    CHECK(strstr(p->explain, "barrier before test.c:3: 'a' is written at test.c:6 and read at test.c:4 by") != NULL);
    CHECK(strstr(p->explain, "barrier before test.c:5: 'a' is read at test.c:4 and written at test.c:6 by") != NULL);
    whorl_program_destroy(p);
}

TEST(a_reduction_costs_one_more_dispatch) {
    whorl_program *p = compile("void f(int n, int steps, const float a[n], float out[1]) {\n"
                               "    float sum = 0;\n"
                               "    #pragma omp parallel for reduction(+:sum)\n"
                               "    for (int i = 0; i < n; i++) sum += a[i] * (float)steps;\n"
                               "    out[0] = sum / (float)n;\n"
                               "}\n",
                               NULL);
    if (!p) return;
    CHECK(p->plan->single.exists);
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->single.root), 2);
    whorl_program_destroy(p);
}

TEST(element_wise_chains_need_no_scratch) {
    whorl_program *p = compile("void f(int n, int steps, const float x[n], float y[n]) {\n"
                               "    float a[n], b[n];\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) a[i] = x[i] + 1.0f;\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) b[i] = a[i] * (float)steps;\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) y[i] = b[i] - a[i];\n"
                               "}\n",
                               NULL);
    if (!p) return;
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->single.root), 1);
    CHECK_EQ_INT(p->plan->kernels[p->plan->single.root.children[0].kernel].binding_count, 2);
    CHECK(p->plan->single.same_as_steps);
    whorl_program_destroy(p);
}

TEST(more_arrays_than_bindings_are_packed) {
    whorl_program *p = compile("void f(int n, int steps, const float a[n], const float b[n], const float c[n], const "
                               "float d[n], const float e[n],\n"
                               "       const int g[n], float o[n], float q[n], float r[n]) {\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) { o[i] = a[i] + b[i] + c[i]; q[i] = d[i] + e[i]; r[i] "
                               "= (float)(g[i] + steps); }\n"
                               "}\n",
                               NULL);
    if (!p) return;
    for (uint32_t k = 0; k < p->plan->kernel_count; k++)
        CHECK(p->plan->kernels[k].binding_count + 1 <= 8);
    whorl_program_destroy(p);
}

TEST(long_loops_get_resume_points) {
    whorl_program *p = compile(step_form, NULL);
    if (!p) return;
    const struct plan_kernel *k = &p->plan->kernels[p->plan->single.root.children[0].kernel];
    CHECK(k->resume_words > 0 && k->resume_words < 16);
    CHECK_EQ_INT(k->ticks, 1000);
    whorl_program_destroy(p);
}

TEST(row_operations_pass_over_memory_twice) {
    whorl_program *p =
        compile("void f(int n, int steps, const float x[n][256], const float b[256], float y[n][256]) {\n"
                "    #pragma omp parallel for\n"
                "    for (int r = 0; r < n; r++) {\n"
                "        float sum = 0;\n"
                "        for (int c = 0; c < 256; c++) sum += x[r][c];\n"
                "        for (int c = 0; c < 256; c++) y[r][c] = x[r][c] - sum * (float)steps;\n"
                "    }\n"
                "    #pragma omp parallel for\n"
                "    for (int r = 0; r < n; r++) for (int c = 0; c < 256; c++) y[r][c] += b[c];\n"
                "    #pragma omp parallel for\n"
                "    for (int r = 0; r < n; r++) for (int c = 0; c < 256; c++) y[r][c] = y[r][c] > 0 ? y[r][c] : 0.1f "
                "* y[r][c];\n"
                "}\n",
                NULL);
    if (!p) return;
    CHECK_EQ_INT(dispatches(p->plan, &p->plan->single.root), 1);
    CHECK_HAS_STR(" (6.01 x the largest array), steps ", p->explain);
    CHECK_HAS_STR(" (2.01 x the largest array), single ", p->explain);
    CHECK_HAS_STR(" (2.01 x the largest array)\n", p->explain);
    // y is written by its one store and never read back
    const struct plan_kernel *k = &p->plan->kernels[p->plan->single.root.children[0].kernel];
    CHECK(strstr(p->explain, "'y' is stored once a pass") != NULL);
    CHECK_EQ_INT(k->binding_count, 3);
    whorl_program_destroy(p);
}

TEST(a_loop_without_a_body_takes_nothing_with_it) {
    whorl_program *p = compile("void f(int n, int steps, const float x[n], float y[n]) {\n"
                               "    #pragma omp parallel for\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        for (int k = 0; k < 7; k++) {}\n"
                               "        y[i] = x[i];\n"
                               "    }\n"
                               "}\n",
                               "fold");
    if (!p) return;
    CHECK_EQ_INT(p->plan->kernel_count, 1);
    if (p->plan->kernel_count) CHECK_EQ_INT(p->plan->kernels[0].binding_count, 2);
    whorl_program_destroy(p);
}
