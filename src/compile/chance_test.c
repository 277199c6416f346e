// How often entry-level branches are taken, by what `auto` counts in phases that stand in one.
#include "check.h"
#include "plan/program.h"

// Waits of a phase, on average: the one under the condition waits 6,400 times, the other once.
static uint64_t waits(const char *condition) {
    char text[800];
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    snprintf(text, sizeof text,
             "void f(int x[6400], int y[6400], int done[1]) {\n"
             "for (int t = 0; t < 1000; t++) {\n"
             "if (%s) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < 6400; i++) { int s = i; for (int k = 0; k < 6400; k++) s = x[(s + k) & 4095]; y[i] = "
             "s; }\n"
             "}\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < 6400; i++) x[6399 - i] += y[i] + done[0];\n"
             "} }\n",
             condition);
    whorl_program *program;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return 0;
    }
    uint64_t found = program->plan->single.waits;
    whorl_program_destroy(program);
    return found;
}

TEST(a_branch_of_a_numbered_step_is_rarely_taken) {
    CHECK_EQ_INT(3200 / 2, (int)(waits("done[0] > t") / 100 * 100)); // half of the steps
    CHECK_EQ_INT(3200 / 64, (int)(waits("t == 999") / 10 * 10));
    CHECK_EQ_INT(3200 / 10, (int)(waits("(t - 3) % 10 == 0") / 10 * 10)); // `every` leaves it, as of -3
    CHECK_EQ_INT(3200 / 10 * 9, (int)(waits("t % 10 != 0") / 10 * 10));
}
