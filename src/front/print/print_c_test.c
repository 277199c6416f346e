// The printed C: what it looks like, and that a C compiler sees the same tokens at the same positions.
#include "check.h"

#include "front/print/print.h"
#include "front/text/pp_testing.h"

static const char *printed(const char *text) {
    const char *diags = preprocess(text);
    if (diags[0]) FAIL("%s", diags);
    return front_print_c(&cx, tokens, token_count, NULL);
}

TEST(headers_pragmas_lines) {
    CHECK_EQ_STR(
        "#include <math.h>\n"
        "#line 3 \"t.c\"\n"
        "float f(float *x) {\n"
        "#pragma omp parallel for num_threads(4)\n"
        "    for (;;) x[0] += 3.14159265358979323846 * __builtin_isnan(x[1]);\n"
        "#pragma GCC ivdep\n"
        "}\n",
        printed("#include <math.h>\n#define N 4\nfloat f(float *x) {\n    #pragma omp parallel for num_threads(N)\n"
                "    for (;;) x[0] += M_PI * isnan(x[1]);\n#pragma GCC ivdep\n}\n"));
}

TEST(pragma_within_a_line) {
    CHECK_EQ_STR("#line 2 \"t.c\"\nint a;\n#line 2 \"t.c\"\n#pragma omp barrier\n#line 2 \"t.c\"\n         int b;\n",
                 printed("#define B _Pragma(\"omp barrier\")\nint a; B int b;\n"));
}

TEST(nothing_joins) {
    CHECK_EQ_STR("#line 2 \"t.c\"\na = - -1 + +2 & &b / *c;\n",
                 printed("#define E(x) x\na = -E(-)1 +E(+)2 &E(&)b /E(*)c;\n"));
}

TEST(names_of_real_headers) {
    CHECK_EQ_STR("#include <math.h>\n#undef isnan\n#line 3 \"t.c\"\nint isnan(int x);\n",
                 printed("#include <math.h>\n#undef isnan\nint isnan(int x);\n"));
}

TEST(edits) {
    const char *diags = preprocess("y = exp(0.5 * x);");
    CHECK_EQ_STR("", diags);
    const char *edits[20] = {[2] = "expf", [4] = "0.5f"};
    CHECK_EQ_STR("#line 1 \"t.c\"\ny = expf(0.5f * x);\n", front_print_c(&cx, tokens, token_count, edits));
}

TEST(far_lines) {
    CHECK_EQ_STR("#line 1 \"t.c\"\na\n\n\nb\n#line 20 \"t.c\"\nc\n#line 5 \"x \\\"y\\\"\"\nd\n",
                 printed("a\n\n\nb\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nc\n#line 5 \"x \\\"y\\\"\"\nd"));
}
