// Rows that a shared loop copies some at a time: where they stand in workgroup memory.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// Each step has a loop that reads so many words of u, all of which are copied, and one that multiplies a matrix by the
// rows of x in this order. Returns the kernel of the one dispatch.
static const char *compiled(int words, const char *sums) {
    char text[3000];
    snprintf(text, sizeof text,
             "#define ALL(i, n) _Pragma(\"omp parallel for\") for (int i = 0; i < n; i++)\n"
             "#define SIMD(l, n) _Pragma(\"omp simd reduction(+ : s)\") for (int l = 0; l < n; l++)\n"
             "void f(int n, const float w[n][4096], float x[16][4096], float u[%d], float y[n], float z[n]) {\n"
             "for (int t = 0; t < 9; t++) {\n"
             "ALL(i, 4096) for (int b = 0; b < 16; b++) x[b][i] = y[i %% n] * 0.5f + b;\n"
             "ALL(i, %d) u[i] = y[i %% n] + i;\n"
             "ALL(r, n) { float s = 0; SIMD(l, %d) s += u[l] * (l %% 3); z[r] = s; }\n"
             "ALL(r, n) { float s = 0; SIMD(l, 4096) { float v = w[r][l]; %s } y[r] = s + z[n - 1 - r]; }\n"
             "}\n}\n",
             words, words, words, sums);
    if (!compile(text, 2048)) return "";
    CHECK(program->plan->single.root.kind == PLAN_DISPATCH);
    return program->plan->kernels[program->plan->single.root.kernel].wgsl;
}

#define FOUR "s += v * x[2][l]; s -= v * x[0][l]; s += v * x[3][l] * x[1][l];"

// Four stretches of four rows each, which are 1024 words apart, in whatever order they are read.
TEST(rows_are_vectors) {
    const char *kernel = compiled(5000, FOUR);
    CHECK_HAS_STR("reads 'x' from workgroup memory, 512 rows at a time", said);
    CHECK_HAS_STR("var<workgroup> staged_f32_4: array<vec4<f32>, 512>;", kernel);
    CHECK_HAS_STR(" / 32u * 1024u;", kernel);
}

// Vectors have a block of their own, for which the words of u leave no room: rows stand among these, five words apart.
TEST(rows_beside_other_words) {
    static const int words[] = {6500, 6900}; // of vectors there is room for some, but not for a pass of each lane
    for (int k = 0; k < 2; k++) {
        const char *kernel = compiled(words[k], FOUR);
        char block[80];
        snprintf(block, sizeof block, "var<workgroup> staged_f32: array<f32, %d>;", words[k]);
        CHECK_HAS_STR("reads 'x' from workgroup memory, 512 rows at a time", said);
        CHECK_HAS_STR(block, kernel);
        CHECK_HAS_STR(" / 128u * 1024u;", kernel);
        CHECK_HAS_STR(") * 5u + 3u]", kernel);
        CHECK(!strstr(kernel, "staged_f32_4"));
    }
}
