// How often a phase of a grid kernel waits, one load after the other, by the count that `auto` goes by.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"

// In a program of two phases a step: `first` sees x, of which the second makes the next one with one wait. `serial` is
// sequential code between them. The average of both, without its fraction.
static uint64_t waits(int64_t n, const char *first, const char *serial) {
    char text[1000];
    struct whorl_scalar size = {"n", (double)n};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = &size;
    o.scalar_count = 1;
    snprintf(text, sizeof text,
             "void f(int n, int x[n][n], int y[n][n], const int to[n][n], int sum[n]) {\n"
             "for (int t = 0; t < 5; t++) {\n"
             "#pragma omp parallel for collapse(2)\n"
             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int s = 0; %s y[i][j] = s; }\n"
             "%s\n"
             "#pragma omp parallel for collapse(2)\n"
             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[n - 1 - i][j] = y[j][i] / 2;\n"
             "} }\n",
             first, serial);
    whorl_program *program;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return 0;
    }
    if (!program->plan->single.fallback) FAIL("%s", first);
    uint64_t found = program->plan->single.waits;
    const char *json = whorl_program_text(program, WHORL_TEXT_PLAN);
    whorl_program *read;
    CHECK_EQ_INT(WHORL_OK, whorl_plan_read(json, strlen(json), &read, &err));
    CHECK_EQ_INT(found, read->plan->single.waits);
    whorl_program_destroy(read);
    whorl_program_destroy(program);
    return found;
}

TEST(loads_that_need_each_other_wait_in_turn) {
    CHECK_EQ_INT(1, waits(100, "s = x[i][j] + 1;", ""));
    CHECK_EQ_INT(1, waits(100, "s = x[i][j] + x[i][(j + 1) % n] * x[(i + 1) % n][j];", "")); // together
    CHECK_EQ_INT(2, waits(100, "s = x[x[x[i][j] & 63][j] & 63][j];", ""));                   // three
    CHECK_EQ_INT(2, waits(100, "s = x[i][j]; if (s > 3 && x[j][i] > 2) s = x[(i + 7) % n][j];", ""));
    CHECK_EQ_INT(1, waits(100, "s = x[to[to[i][j] & 63][j] & 63][j];", "")); // nobody writes to
}

TEST(passes_of_a_loop_wait_in_turn) {
    CHECK_EQ_INT((100 + 1) / 2, waits(100, "for (int k = 0; k < n; k++) s = x[s & 63][j];", ""));
    CHECK_EQ_INT((64 + 1) / 2, waits(100, "for (int k = 0; k < to[i][j]; k++) s = x[s & 63][j];", "")); // unknown
}

TEST(sequential_code_waits_as_it_stands) {
    // an iteration of its own (pass_lone), whose passes wait in turn
    CHECK_EQ_INT((1 + 100 + 1) / 3, waits(100, "s = x[i][j] + 1;",
                                          "int all = 0; for (int k = 0; k < n; k++) sum[k] = all += x[all & 63][0];"));
    // ... or whose loads come first (pass_gather)
    CHECK(waits(100, "s = x[i][j] + 1;", "int all = 0; for (int k = 0; k < n; k++) sum[k] = all += x[k][0];") < 10);
    CHECK_EQ_INT(0, waits(100, "s = x[i][j] + 1;", "for (int k = 0; k < n; k++) sum[k] = k;")); // one in three phases
}

// As the loops that the compiler parts into passes made side by side and the rest end (pass_gather).
TEST(passes_up_to_a_whole_number_are_counted) {
    // of the iteration in the middle, from 50 to 98
    CHECK_EQ_INT((12 + 1) / 2, waits(100, "for (int k = i; k < n - (n - i) % 4; k += 4) s = x[s & 63][j];", ""));
}

// What the iteration in the middle takes.
TEST(choices_in_bounds_are_made) {
    CHECK_EQ_INT((40 + 1) / 2, waits(100, "for (int k = i < 30 ? 5 : i + 10; k < n; k++) s = x[s & 63][j];", ""));
    CHECK_EQ_INT((95 + 1) / 2, waits(100, "for (int k = i >= 30 ? 5 : i + 10; k < n; k++) s = x[s & 63][j];", ""));
}

// pass_rank keeps the loop as it was beside what it makes of it: 100,000 passes that hardly ever run.
TEST(what_hardly_ever_happens_does_not_count) {
    CHECK(waits(400, "s = x[i][j] + 1;",
                "int at[64]; for (int k = 0; k < 64; k++) at[k] = 0;\n"
                "for (int k = 0; k < 100000; k++) sum[at[y[k % n][0] & 63]++] = k;") < 200);
}

// 1,000,000 iterations, of which the base target has 32,768 at once.
TEST(rounds_wait_in_turn) { CHECK_EQ_INT(1000000 / 32768, waits(1000, "s = x[i][j] + 1;", "")); }
