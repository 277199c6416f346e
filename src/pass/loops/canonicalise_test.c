// The canonical form of loops around parallel loops: what it looks like, and that the interpreter gives the same before
// and after.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

enum { N = 20 };
#define DECLARED          \
    "unit f\n"            \
    "inout i32 x.1[20]\n" \
    "entry i32 t.1\n"     \
    "dim i32 i.2, i.3\n"

static const char *canonical(struct ir_unit *u) {
    struct base_text quiet;
    base_text_init(&quiet, &cx);
    struct pass_cx p = {.u = u, .target = &plan_base_target, .explain = &quiet, .eager = true};
    return pass_run(&p, PASS_EAGER, NULL, "canonicalise");
}

static void run(const struct ir_unit *u, int32_t out[N]) {
    struct whorl_error err;
    size_t sizes[] = {0, N * 4};
    void *arrays[] = {NULL, out};
    memset(out, 0, N * 4);
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 1000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// Runs the program as lowered and after the eager pipeline; returns the text after pass_canonicalise.
static const char *judge(const char *body) {
    int32_t before[N], after[N];
    size_t size = strlen(body) + 100;
    char *text = malloc(size);
    snprintf(text, size,
             "#define ALL _Pragma(\"omp parallel for\") for (int i = 0; i < n; i++)\n"
             "void f(int n, int x[n]) {\n%s}\n",
             body);
    struct ir_unit *u = lowered(text, N);
    free(text);
    if (!u || setjmp(cx.bail)) return "";
    run(u, before);
    const char *shown = canonical(u);
    run(u, after);
    CHECK(memcmp(before, after, sizeof before) == 0);
    return shown;
}

TEST(a_counted_loop_stays) {
    const char *text = judge("for (int t = 0; t < n; t++) { if (t % 3 == x[0] % 3) continue; ALL x[i] += t + i; }\n");
    CHECK(strstr(text, "for t.") && !strstr(text, "loop (") && !strstr(text, "continue"));
}

TEST(a_break_becomes_a_flag) {
    judge("for (int t = 0; t < n; t++) { ALL x[i] += t; if (x[3] > 20) break; ALL x[i] += i; }\n");
    CHECK_EQ_STR("{\n"
                 "    t.1 = 0\n"
                 "    go.4 = true\n"
                 "    loop (go.4) {\n"
                 "        parfor i.2 in 0 .. 20 {\n"
                 "            x.1[i.2] = x.1[i.2] + t.1\n"
                 "        }\n"
                 "        if (x.1[3] > 20) {\n"
                 "            go.4 = false\n"
                 "        }\n"
                 "        if (go.4) {\n"
                 "            parfor i.3 in 0 .. 20 {\n"
                 "                x.1[i.3] = x.1[i.3] + i.3\n"
                 "            }\n"
                 "            t.1 = t.1 + 1\n"
                 "            go.4 = t.1 < 20\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 after(pass_canonicalise, DECLARED "{\n"
                                                   "    for t.1 = 0 .. 20 {\n"
                                                   "        parfor i.2 in 0 .. 20 {\n"
                                                   "            x.1[i.2] = x.1[i.2] + t.1\n"
                                                   "        }\n"
                                                   "        if (x.1[3] > 20) {\n"
                                                   "            break\n"
                                                   "        }\n"
                                                   "        parfor i.3 in 0 .. 20 {\n"
                                                   "            x.1[i.3] = x.1[i.3] + i.3\n"
                                                   "        }\n"
                                                   "    }\n"
                                                   "}\n"));
}

TEST(a_while_runs_on_a_flag) {
    const char *text = judge("x[0] = 5;\nwhile (x[0] < 100 && x[1] >= 0) { ALL x[i] = 2 * x[i] + i; }\n");
    CHECK(strstr(text, "loop (go.") && !strstr(text, "loop (x."));
}

TEST(both_jumps_and_a_step) {
    judge("for (int t = 0; t != -1; t = t * 2 + 1) {\n"
          "    if (t % 3 == 1) { ALL x[i]++; if (x[0] > 6) break; continue; }\n"
          "    ALL x[i] += t;\n"
          "    if (t > 100) { if (x[2] > 150) continue; x[5] = t; break; }\n"
          "}\n");
}

TEST(a_bound_that_the_program_computes) {
    const char *text = judge("for (int k = 0; k < 4; k++) for (int j = 3 + x[k]; j > 0; j -= 2) ALL x[i] += j * k;\n");
    CHECK(strstr(text, "for k.") && strstr(text, "loop (go."));
}

TEST(a_return_out_of_two_loops) {
    judge("for (int k = 0; k < 9; k++) {\n"
          "    for (int j = 0; j < 5; j++) { ALL x[i] += j; if (x[1] > 30) return; }\n"
          "    ALL x[i] += k;\n"
          "}\n"
          "ALL x[i] = -1;\n");
}

TEST(a_sequential_loop_keeps_its_jumps) {
    judge("ALL x[i] = i * 7 % 5;\nfor (int k = 0; k < n; k++) { if (x[k] == 4) break; x[k]++; }\n");
    static const char loop[] = "{\n"
                               "    for t.1 = 0 .. 20 {\n"
                               "        if (x.1[t.1] == 4) {\n"
                               "            break\n"
                               "        }\n"
                               "        x.1[t.1] = x.1[t.1] + 1\n"
                               "    }\n"
                               "}\n";
    char text[400];
    snprintf(text, sizeof text, DECLARED "%s", loop);
    CHECK_EQ_STR(loop, after(pass_canonicalise, text));
}
