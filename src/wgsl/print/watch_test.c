// Which loops of a grid kernel look now and then whether a barrier was given up: those that might not end if memory
// held garbage.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

static whorl_program *program;

// `loop`: what an iteration does with its x and k, which begins with 0.
static bool watches(const char *loop) {
    static const struct whorl_scalar scalars[] = {{"n", 1000}, {"steps", 10}, {"most", 70}};
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, int steps, int most, float x[n], float y[n], int limit[n], int count[n]) {\n"
             "    for (int t = 0; t < steps; t++) {\n"
             "#pragma omp parallel for\n"
             "        for (int i = 0; i < n; i++) {\n"
             "            float v = x[i];\n"
             "            int k = 0;\n"
             "            %s\n"
             "            count[i] += k;\n"
             "            y[i] = v;\n"
             "        }\n"
             "#pragma omp parallel for\n"
             "        for (int i = 0; i < n; i++) { x[i] = y[n - 1 - i]; limit[i] = count[n - 1 - i]; }\n"
             "    }\n}\n",
             loop);
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    struct whorl_error err;
    o.scalars = scalars;
    o.scalar_count = 3;
    whorl_program_destroy(program);
    program = NULL;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return false;
    }
    const struct plan *p = program->plan;
    CHECK(p->single.root.kind == PLAN_DISPATCH);
    return strstr(p->kernels[p->single.root.kernel].wgsl, "& 0xfffu) == 0u && whorl_failed()") != NULL;
}

TEST(loops_that_end_by_themselves) {
    CHECK(!watches("while (k < 500 && v < 4.0f) { v = v * v + 0.1f; k++; }"));
    CHECK(!watches("while (v < 4.0f && k < most) { v = v * v + 0.1f; k += 2; }"));
    CHECK(!watches("for (; k < 500 && v < 4.0f; k++) { if (v < 0.5f) continue; v = v * v + 0.1f; }"));
    whorl_program_destroy(program);
    program = NULL;
}

TEST(loops_that_garbage_may_keep_going) {
    CHECK(watches("while (v < 4.0f) { v = v * v + 0.1f; k++; }"));
    CHECK(watches("while (k < limit[i] && v < 4.0f) { v = v * v + 0.1f; k++; }"));          // the end comes from memory
    CHECK(watches("while (k < n && x[k] < 4.0f) k++;"));                                    // a load before the way out
    CHECK(watches("while (k < 500 && v < 4.0f) { v = v * v + 0.1f; if (v > 1.0f) k++; }")); // not in each pass
    CHECK(watches("while (k < 500 && v < 4.0f) { v = v * v + 0.1f; if (v > 3.0f) continue; k++; }"));
    CHECK(watches("while (k < 500 && v < 4.0f) { v = v * v + 0.1f; k++; if (v > 3.0f) k = 7; }")); // and back again
    CHECK(watches("k = limit[i]; while (k < 500 && v < 4.0f) { v = v * v + 0.1f; k++; }")); // a beginning of anything
    whorl_program_destroy(program);
    program = NULL;
}
