// What a phase of a grid kernel loads again, by the count that `auto` goes by.
#include <stdlib.h>

#include "check.h"
#include "plan/program.h"

// In a program of two phases a step: `first` sees x, of which `second` makes the next one.
static uint64_t again(const char *first) {
    char text[1000];
    struct whorl_scalar n = {"n", 1000};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = &n;
    o.scalar_count = 1;
    snprintf(text, sizeof text,
             "void f(int n, int x[n][n], int y[n][n], const int to[n][n]) {\n"
             "for (int t = 0; t < 5; t++) {\n"
             "#pragma omp parallel for collapse(2)\n"
             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int s = 0; %s y[i][j] = s; }\n"
             "#pragma omp parallel for collapse(2)\n"
             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[n - 1 - i][j] = y[i][j] / 2;\n"
             "} }\n",
             first);
    whorl_program *program;
    struct whorl_error err;
    if (whorl_compile("test.c", text, &o, &program, &err) != WHORL_OK) {
        FAIL("%s", err.message);
        return 0;
    }
    if (!program->plan->single.fallback) FAIL("%s", first);
    uint64_t bytes = program->plan->single.again_bytes;
    whorl_program_destroy(program);
    return bytes;
}

enum { ARRAY = 4 * 1000 * 1000 }; // bytes; a load of all iterations, side by side, is as much

// The average of two phases, of which only the first loads anything again.
TEST(loads_by_how_they_meet_the_cache) {
    CHECK_EQ_INT(0, again("s = x[i][j] + 1;"));         // a copy alone is no phase (pass_copy_back)
    CHECK_EQ_INT(7 * ARRAY / 2, again("s = x[j][i];")); // a sector for each word
    CHECK_EQ_INT(2 * ARRAY / 2, again("for (int k = 0; k < 3; k++) s += x[i][(j + k * 7) % n];"));
    CHECK_EQ_INT(0, again("s = x[to[i][j]][j];"));                                               // the data say which
    CHECK(again("s = x[i][j]; for (int k = 0; k < n; k++) s = s * 3 + to[i][k];") < ARRAY / 20); // nobody writes to
    // the same word for all neighbours, and once for those that are made side by side
    CHECK(again("for (int k = 0; k < n; k++) s = s * 3 + x[i][k];") > (uint64_t)ARRAY * 3);
}
