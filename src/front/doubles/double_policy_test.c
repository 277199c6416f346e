// Doubles computed in float, the edits of the printed C, the errors that name -fdouble=float; and the halves of
// 64-bit products.
#include "check.h"

#include "front/parse/parse_testing.h"

TEST(double_expressions_of_floats_become_float) {
    const char *program = "#include <math.h>\nvoid f(int n, float *x) { x[0] = 0.5 * x[1] + exp(x[2] * .1e1); x[1] *= "
                          "2.; if (x[0] > 0x1p-3) n = floor(x[0]); "
                          "x[3] = 1.0 / n + (double)x[4] * (n ? 1.5 : x[5]); }\n";
    const char *t = tree(program);
    CHECK_HAS_STR("((0.5f * <float>(x[1])) + expf((<float>(x[2]) * 1f)))", t);
    CHECK_HAS_STR("(x[1] *=<float> 2f)", t);
    CHECK_HAS_STR("if <_Bool>((<float>(x[0]) > 0.125f))", t);
    CHECK_HAS_STR("(n = <int>(floorf(<float>(x[0]))))", t);
    CHECK_HAS_STR("(1f / <float>(demoted n))", t);
    CHECK(!strstr(t, "double"));
    const char *c = printed(program);
    CHECK_HAS_STR("x[0] = 0.5f * x[1] + expf(x[2] * .1e1f); x[1] *= 2.f; if (x[0] > 0x1p-3f) n = floorf(x[0]);", c);
    CHECK_HAS_STR("x[3] = 1.0f / n + (float)x[4] * (n ? 1.5f : x[5]);", c);
    const char *diags = base_render_diags(&cx);
    CHECK_HAS_STR("t.c:2:45: note: this and 2 more expressions are double arithmetic on floats in C, computed in float",
                  diags);
}

TEST(one_more_is_one) {
    tree("void f(float *x) { x[0] = 0.5 * x[1]; x[2] = 2.0 * x[3]; }\n");
    CHECK_HAS_STR("this and 1 more expression are double arithmetic", base_render_diags(&cx));
}

TEST(constants_alone_keep_their_value) {
    const char *program = "static const float t[] = {0.1, 1.0 / 3.0, 1e-3 * 7}; void f(float *x) { x[0] = 0.1; x[1] = "
                          "t[1]; int n = (int)(0.3 * 10); "
                          "x[n] = 1e400 > 1; }\n";
    const char *t = tree(program);
    CHECK_HAS_STR("(x[0] = 0.100000001f)", t);
    CHECK_HAS_STR("{[0] = 0.100000001f, [1] = 0.333333343f, [2] = 0.00700000022f}", t);
    CHECK_HAS_STR("n: int = 3", t);
    CHECK_HAS_STR("x[0] = 0.1;", printed(program));
}

TEST(only_what_the_entry_reaches_counts) {
    tree(
        "#include <stdio.h>\n#include <omp.h>\nstatic double seconds(void) { return omp_get_wtime(); }\n"
        "void f(int n, float *x) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] = 0; }\n"
        "int main(void) { double t = seconds(); float x[3]; f(3, x); printf(\"%f %f\\n\", t, x[0] * 0.5); return 0; }");
}

TEST(double_errors_name_the_option) {
    static const char *const rows[][2] = {
        {"void f(double *x) { x[0] = 1; }", "t.c:1:16: error: parameter 'x' has type 'double *', and the GPU has no "
                                            "doubles: declare it float, or compile with -fdouble=float"},
        {"void f(float *x) { double y = x[0]; x[0] = y; }", "t.c:1:27: error: variable 'y' has type 'double'"},
        {"struct s { double a; }; void f(float *x) { struct s v; x[0] = v.a; }",
         "t.c:1:19: error: member 'a' is a double"},
        {"static double g(float x) { return x; } void f(float *x) { x[0] = g(1); }",
         "t.c:1:15: error: function 'g' returns 'double'"},
        {"static const double t[] = {1}; void f(float *x) { x[0] = t[0]; }",
         "t.c:1:21: error: variable 't' has type 'const double [1]'"},
        {"void f(float *x) { int k = x[0] * 0.1; x[k] = 0; }",
         "t.c:1:33: error: a value that C computes in double is converted to an integer"},
        {"void f(int n, float *x) { if (n > x[0] * 0.1) x[0] = 0; }",
         "t.c:1:33: error: a value that C computes in double is compared with an integer"},
        {"void f(int n, float *x) { n *= 1.5; x[n] = 0; }",
         "t.c:1:29: error: a value that C computes in double is converted to an integer"},
        {"void f(float *x) { x[0] = x[1] * 1e-300; }", "t.c:1:34: error: this constant is outside of float's range"},
        {"void f(float *x) { x[0] = x[1] * 0.5 * 16777217; }", "error: this integer does not fit a float"},
    };
    CHECK_MESSAGES(rows);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_HAS_STR("-fdouble=float", parse(rows[i][0]));
}

TEST(everything_is_float_where_asked) {
    const char *program = "#include <math.h>\ntypedef double real; double t[2] = {0.1, 1}; real f(double *x, int n) { "
                          "double y = x[0] * 0.1 + sin(t[1]); "
                          "int k = 1e3 * y; return k > y * 2.5 ? (double)n : 1; }\n";
    options.double_as_float = true;
    const char *t = tree(program);
    CHECK(!strstr(t, "double") && !strstr(t, "demoted"));
    CHECK_EQ_STR("", base_render_diags(&cx));
    CHECK_HAS_STR(
        "typedef float real; float t[2] = {0.1f, 1}; real f(float *x, int n) { float y = x[0] * 0.1f + sinf(t[1]); "
        "int k = 1e3f * y; return k > y * 2.5f ? (float)n : 1; }",
        printed(program));
    options.double_as_float = false;
}

TEST(integers_in_doubles_are_warned_of) {
    options.double_as_float = true;
    tree("double f(double x, double b) {\n    const double r = 0x1p-23;\n    double high = r * x, a = (int)(x * 0.25);"
         "\n    return x - 8388608.0 * (int)high + a * b; }\n");
    CHECK_HAS_STR("t.c:4:28: warning: a double is taken apart here that has more than the 24 bits of a float",
                  base_render_diags(&cx));
    tree("#include <math.h>\ndouble f(double x, int n) { return floor(x / 8) + (int)(0x1p-23 * n); }\n");
    CHECK_EQ_STR("", base_render_diags(&cx));
    options.double_as_float = false;
}

TEST(halves_of_64_bit_products) {
    const char *t =
        tree("#include <stdint.h>\n#include <stddef.h>\n"
             "uint32_t a(uint32_t x, uint32_t y) { return (uint32_t)(((uint64_t)x * y) >> 32); }\n"
             "uint32_t b(uint32_t x, uint32_t y) { return (unsigned long long)x * (unsigned long long)y >> 40; }\n"
             "uint32_t c(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y + 3); }\n"
             "uint32_t d(uint32_t x) { uint64_t p = (uint64_t)x * 0xD2511F53u; uint32_t hi = p >> 32; uint32_t lo = "
             "(uint32_t)p; return hi ^ lo; }\n"
             "uint32_t e(uint32_t x) { const size_t p = 0xD2511F53ull * x; return (p & 0xffffffff) + (uint32_t)(p >> "
             "32); }\n"
             "uint64_t g(uint32_t x) { uint64_t p = (uint64_t)x * x; return p + (p >> 32); }\n"
             "uint32_t h(uint64_t x) { return (x * 3) >> 32; }\n");
    CHECK_HAS_STR("return mulhi(x, y)\n", t);
    CHECK_HAS_STR("return (mulhi(x, y) >> 8)\n", t);
    CHECK_HAS_STR("return ((x * y) + 3u)\n", t);
    CHECK_HAS_STR("p.lo: unsigned int = (x * 3528531795u)\n    p.hi: unsigned int = mulhi(x, 3528531795u)\n    hi: "
                  "unsigned int = p.hi\n"
                  "    lo: unsigned int = p.lo\n",
                  t);
    CHECK_HAS_STR("p.lo: unsigned int = (3528531795u * x)", t);
    CHECK_HAS_STR("p: unsigned long = ((unsigned long)(x) * <unsigned long>(x))", t);
    CHECK_HAS_STR("return <unsigned int>(((x * 3ul) >> 32))", t);
}
