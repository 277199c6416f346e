// Which loads behind a shared loop are made before it; which are asked for before the barrier in front of their phase.
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

static whorl_program *program;
static const char *said;

// `tail`: what an iteration does with its sum s. Returns the kernel of the one dispatch.
static const char *compiled(const char *tail, const char *off) {
    static const struct whorl_scalar scalars[] = {{"n", 512}, {"steps", 10}};
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, int steps, const _Float16 w[steps][n][n], const float bias[steps][n], const int at[n],\n"
             "       float x[n], float y[n], float z[n]) {\n"
             "    for (int t = 0; t < steps; t++) {\n"
             "#pragma omp parallel for\n"
             "        for (int i = 0; i < n; i++) {\n"
             "            float s = 0.0f;\n"
             "#pragma omp simd reduction(+ : s)\n"
             "            for (int k = 0; k < n; k++) s += (float)w[t][i][k] * x[k];\n"
             "            %s\n"
             "        }\n"
             "#pragma omp parallel for\n"
             "        for (int i = 0; i < n; i++) x[i] = y[n - 1 - i];\n"
             "    }\n}\n",
             tail);
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.target.subgroup_lanes = 32;
    o.target.workgroup_bytes = 32768;
    o.pass_off = off;
    whorl_program_destroy(program);
    program = NULL;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return said = "";
    }
    said = whorl_program_text(program, WHORL_TEXT_EXPLAIN);
    const struct plan *p = program->plan;
    CHECK(p->single.root.kind == PLAN_DISPATCH);
    return p->kernels[p->single.root.kernel].wgsl;
}

static bool moves(const char *tail, const char *how_many) {
    char line[80];
    compiled(tail, NULL);
    snprintf(line, sizeof line, "issue: %s loads are made before", how_many);
    return strstr(said, line) != NULL;
}

TEST(loads_of_what_the_loop_does_not_write) {
    CHECK(moves("y[i] = s + bias[t][i] + z[i];", "2"));
    CHECK(moves("y[i] = s + z[i] * z[i];", "1"));                                        // one load is enough
    CHECK(moves("if (s > 0.0f) y[i] = bias[t][i]; else y[i] = z[i];", "2"));             // harmless wherever it stands
    CHECK(moves("int j = n - 1 - i; y[i] = s + z[j];", "0") || !strstr(said, "issue:")); // j is not known before
    CHECK(moves("y[i] = s > 1.0f ? z[i] : 2.0f;", "1"));
}

TEST(others_stay_behind_it) {
    static const char *const tails[] = {
        "y[i] = s; z[i] += s;",                       // what the loop writes
        "y[i] = s; if (i + t < n) y[i] += z[i + t];", // only inside of its array where the condition holds
        "y[i] = s > 1.0f ? z[i + t] : 2.0f;",         //
        "y[i] = s + z[at[i]];",                       // at[i] moves, what it leads to does not
    };
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
        compiled(tails[k], NULL);
        const char *line = strstr(said, "issue:");
        if (line && strncmp(line, "issue: 1 loads", 14) != 0) FAIL("%s: %.40s", tails[k], line);
        if (k < 3 && line) FAIL("%s: %.40s", tails[k], line);
    }
}

// The matrix is asked for before the barrier, and then one pass ahead.
TEST(rows_are_asked_for_before_the_barrier) {
    const char *kernel = compiled("y[i] = s;", NULL);
    const char *asked = strstr(kernel, "early_u32_2_0 = t"), *loop = strstr(kernel, "= early_u32_2_0;");
    CHECK(asked && loop && asked < loop);
    const char *barrier = asked ? strstr(asked, "whorl_barrier(li, groups") : NULL;
    CHECK(barrier && barrier < loop);
    // What was stored is waited for first: behind the matrix it might come after the barrier.
    const char *release = strstr(kernel, "if (!fences) {\n");
    const char *fence = release ? strstr(release, "storageBarrier();") : NULL;
    CHECK(fence && fence < asked);
    CHECK(loop && strstr(loop, "early_u32_2_0 = t")); // the next pass
}

// An array that the program writes may only be loaded behind the barrier.
TEST(what_is_written_waits) {
    static const struct whorl_scalar scalars[] = {{"n", 512}, {"steps", 10}};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    o.scalars = scalars;
    o.scalar_count = 2;
    o.target.subgroup_lanes = 32;
    o.target.coherent_memory = true;
    whorl_program_destroy(program);
    program = NULL;
    const char *text = "void f(int n, int steps, float w[n][n], float x[n]) {\n"
                       "    for (int t = 0; t < steps; t++) {\n"
                       "#pragma omp parallel for\n"
                       "        for (int i = 0; i < n; i++) {\n"
                       "            float s = 0.0f;\n"
                       "#pragma omp simd reduction(+ : s)\n"
                       "            for (int k = 0; k < n; k++) s += w[i][k];\n"
                       "            x[i] = s;\n        }\n"
                       "#pragma omp parallel for collapse(2)\n"
                       "        for (int i = 0; i < n; i++)\n"
                       "            for (int k = 0; k < n; k++) w[i][k] = x[k] + 1;\n"
                       "    }\n}\n";
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) FAIL("%s", err.message);
    if (program) CHECK(!strstr(whorl_program_text(program, WHORL_TEXT_WGSL), "early_"));
}

TEST(tear_down) { whorl_program_destroy(program); }
