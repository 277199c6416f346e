// What a compile takes in memory: with the loops of the program, not with their square.
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "plan/program.h"

// So many loops, one after the other; every fourth is parallel.
static char *loops(int count) {
    char *text = malloc(200 * (size_t)count + 200), *end = text;
    if (!text) abort();
    end += sprintf(end, "void many(int n, int x[n], int y[n], int s[64]) {\n");
    for (int k = 0; k < count; k++) {
        if (k % 4)
            end += sprintf(end, "    for (int i = 1; i < 64; i++) s[i] = s[i - 1] * %d + i;\n", k + 3);
        else
            end += sprintf(end,
                           "#pragma omp parallel for\n"
                           "    for (int i = 1; i < n - 1; i++) %c[i] = %c[i - 1] + %c[i + 1] * %d;\n",
                           k % 8 ? 'x' : 'y', k % 8 ? 'y' : 'x', k % 8 ? 'y' : 'x', k + 1);
    }
    sprintf(end, "}\n");
    return text;
}

static size_t most_bytes(int count) {
    struct whorl_scalar n = {"n", 1000};
    struct whorl_compile_options o = WHORL_COMPILE_OPTIONS_INIT;
    o.scalars = &n;
    o.scalar_count = 1;
    char *text = loops(count);
    whorl_program *program = NULL;
    struct whorl_error err = {0};
    CHECK_EQ_INT(WHORL_OK, whorl_compile("many.c", text, &o, &program, &err));
    size_t bytes = program ? program->cx->arena.most_bytes : 0;
    whorl_program_destroy(program);
    free(text);
    return bytes;
}

TEST(memory_grows_with_the_loops) {
    size_t few = most_bytes(250), many = most_bytes(1000);
    CHECK(few > 0);
    CHECK(many < 6 * few);    // a square: 16
    CHECK(many < 320u << 20); // half of it are kernels of sequential stretches (pass_lone)
}
