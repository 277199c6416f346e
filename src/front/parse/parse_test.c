// The typed tree of right programs: conversions, constants, initialisers, statements. What is asserted with
// _Static_assert is what gcc and clang assert of the same text.
#include "check.h"

#include "front/parse/parse_testing.h"

TEST(sizes_and_types_are_those_of_c) {
    CHECK_EQ_STR(
        "",
        parse(
            "#include <stdint.h>\n#include <stddef.h>\n"
            "struct a { char c; double d; short s; }; struct b { int x; struct { char y, z; }; float m[3][2]; };\n"
            "enum e { A, B = 7, C, D = sizeof(int) }; enum n { N = -1 };\n"
            "_Static_assert(sizeof(struct a) == 24 && sizeof(struct b) == 32 && _Alignof(struct a) == 8, \"layout\");\n"
            "_Static_assert(offsetof(struct b, m[1]) == 16 && offsetof(struct b, z) == 5, \"offsets\");\n"
            "_Static_assert(C == 8 && D == 4, \"enum\");\n"
            "_Static_assert(-1 > 0u && (int8_t)200 == -56 && (uint8_t)-1 == 255 && -7 / 2 == -3 && -7 % 3 == -1, "
            "\"int\");\n"
            "_Static_assert((1u << 31) + (1u << 31) == 0 && 1ull << 40 == 1099511627776 && -8 >> 1 == -4, \"wide\");\n"
            "_Static_assert('a' == 97 && (int)2.9 == 2 && 0.1 + 0.2 > 0.3 && 0.1f + 0.2f == 0.3f, \"float\");\n"
            "_Static_assert((1 ? 2 : 3) == 2 && (0 || 3) == 1 && !5 == 0 && ~0 == -1, \"logic\");\n"
            "#define KIND(x) _Generic((x), _Bool: 0, char: 1, int: 2, unsigned: 3, long: 4, unsigned long: 5, float: "
            "6, "
            "double: 7, default: 8)\n"
            "char c; short s; unsigned u; long l; float f; enum e e; enum n n; _Bool t; float arr[3];\n"
            "_Static_assert(KIND(c + s) == 2 && KIND(u + 1) == 3 && KIND(u + l) == 4 && KIND(sizeof c) == 5, "
            "\"promote\");\n"
            "_Static_assert(KIND(f * 2) == 6 && KIND(0.5 * f) == 7 && KIND(t + t) == 2 && KIND(c) == 1, \"usual\");\n"
            "_Static_assert(KIND(e + 0) == 3 && KIND(n + 0) == 2 && KIND(A) == 2 && KIND(c << l) == 2, \"enum\");\n"
            "_Static_assert(KIND(t ? f : l) == 6 && KIND(&arr[2] - arr) == 4 && KIND(f < 2) == 2 && KIND((c, u)) == 3, "
            "\"ops\");\n"
            "_Static_assert(sizeof arr / sizeof arr[0] == 3 && sizeof(arr + 0) == 8 && sizeof \"abc\" == 4, "
            "\"sizeof\");\n"
            "_Static_assert(sizeof(int (*)[4]) == 8 && sizeof(int[4][2]) == 32, \"declarators\");\n"));
}

TEST(conversions_are_casts) {
    const char *t = tree(
        "void f(int n, float x[n], unsigned char b, unsigned u) { x[n] = b + 1; n += 1.5f; u = n < u; if (x) n = -b; "
        "x[b++] += n; }\n"
        "float g(const float *p) { return *p ? p[1] : 3; }\n");
    CHECK_HAS_STR("(x[n] = <float>((<int>(b) + 1)))", t);
    CHECK_HAS_STR("(n +=<float> 1.5f)", t);
    CHECK_HAS_STR("(u = <unsigned int>((<unsigned int>(n) < u)))", t);
    CHECK_HAS_STR("if <_Bool>(x)", t);
    CHECK_HAS_STR("(n = -(<int>(b)))", t);
    CHECK_HAS_STR("(x[(b post +=<int> 1)] +=<float> <float>(n))", t);
    CHECK_HAS_STR("return (<_Bool>(*(p)) ? p[1] : <float>(3))", t);
}

TEST(array_parameters_keep_their_bounds) {
    tree("void f(int n, const float w[n][163], float out[restrict static 4]) { out[0] = w[1][2]; }");
    struct front_function *f = front_find_function(ast, "f");
    CHECK_EQ_STR("const float (*)[163]", front_type_name(&cx, f->params[1]->type));
    CHECK_EQ_STR("const float [n][163]", front_type_name(&cx, f->params[1]->declared));
    CHECK_EQ_STR("float [4]", front_type_name(&cx, f->params[2]->declared));
    CHECK(f->params[1]->declared->length_expr->symbol == f->params[0]);
}

TEST(declarators) {
    tree("int *p[3]; int (*q)[3]; int (*(r[2]))[4]; const char *const s; float m[2][3]; typedef float row[8]; row "
         "rows[2]; unsigned "
         "long long int k; long unsigned z; int f(void), g(int, float[]);");
    const char *const want[] = {"int *[3]",     "int (*)[3]",   "int (*[2])[4]", "const char *const",
                                "float [2][3]", "float [2][8]", "unsigned long", "unsigned long"};
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQ_STR(want[i], front_type_name(&cx, ast->globals[i]->type));
}

TEST(initializers_become_paths) {
    const char *t = tree(
        "struct v { float x, y; }; struct s { int k; struct v v[2]; struct { int in; }; };\n"
        "struct s a = {1, 2, 3, 4, 5, 6}; struct s b = {.v[1].y = 7, 8, .k = 9, .in = 3}; int c[] = {[3] = 1, 2, [0] = "
        "5};\n"
        "int d[2][3] = {{1}, 2, 3, 4}; char e[] = \"ab\"; char f[2][4] = {\"ab\", {\"c\"}}; int g[3] = {1, 2, 3,};\n"
        "struct s h = {.v = {{1, 2}, {3}}, .v[0] = {5}}; float i = {2}; static int z;\n"
        "void fn(struct v q) { struct s l = {1, q, {2, 3}}; struct v m = q; q = (struct v){.y = 1}; }");
    CHECK_HAS_STR("global a: struct s = {.k = 1, .v[0].x = 2f, .v[0].y = 3f, .v[1].x = 4f, .v[1].y = 5f, ..in = 6}", t);
    CHECK_HAS_STR("global b: struct s = {.v[1].y = 7f, ..in = 8, .k = 9, ..in = 3}", t);
    CHECK_HAS_STR("global c: int [5] = {[3] = 1, [4] = 2, [0] = 5}", t);
    CHECK_HAS_STR("global d: int [2][3] = {[0][0] = 1, [1][0] = 2, [1][1] = 3, [1][2] = 4}", t);
    CHECK_HAS_STR("global e: char [3] = {[0] = 97, [1] = 98}", t);
    CHECK_HAS_STR("global f: char [2][4] = {[0][0] = 97, [0][1] = 98, [1][0] = 99}", t);
    CHECK_HAS_STR("global h: struct s = {.v[1].x = 3f, .v[0].x = 5f}", t);
    CHECK_HAS_STR("global i: float = {2f}", t);
    CHECK_HAS_STR("l: struct s = {.k = 1, .v[0] = q, .v[1].x = <float>(2), .v[1].y = <float>(3)}", t);
    CHECK_HAS_STR("m: struct v = q", t);
    CHECK_HAS_STR("(q = (struct v){.y = <float>(1)})", t);
}

TEST(statements) {
    const char *t =
        tree("static const int N = 4;\n"
             "int f(int n) { static const float table[] = {1, .5f}; float a[N];\n"
             "switch (n) { case 0: case 2 ... 3: n++; int k; case -1: break; default: n = 2; } \n"
             "do { if (n) continue; else break; } while (n--); for (;;) { break; } while (1) ; return N; }");
    CHECK_HAS_STR("global table: const float [2] = {[0] = 1f, [1] = 0.5f}", t);
    CHECK_HAS_STR("a: float [4]", t);
    CHECK_HAS_STR("    case 0..0:\n    case 2..3:\n      (n post +=<int> 1)\n      k: int\n    case -1..-1:\n      "
                  "break\n    default:\n",
                  t);
    CHECK_HAS_STR("do while <_Bool>((n post -=<int> 1))\n", t);
}

TEST(scopes_hide_and_come_back) {
    const char *t =
        tree("typedef int T; int f(T T) { { float T = 1; T += 1; } return T; } T x; struct s { int a; };\n"
             "int g(void) { struct s { float b; } v = {1}; return sizeof(struct s) == 4 && v.b; } struct s y;");
    CHECK_HAS_STR("(T +=<float> <float>(1))", t);
    CHECK_HAS_STR("global x: int", t);
    CHECK(front_find_function(ast, "h") == NULL);
}

TEST(marks_what_is_written_and_pointed_at) {
    tree(
        "void f(int a, int b, int c, int *p) { int d[2] = {1}; struct { int x; } s; a = b; p = &c; d[0] = 1; s.x++; }");
    struct front_function *f = front_find_function(ast, "f");
    CHECK(f->params[0]->written && !f->params[0]->address_taken);
    CHECK(!f->params[1]->written);
    CHECK(f->params[2]->written && f->params[2]->address_taken);
    CHECK(f->params[3]->written);
    for (const struct front_node *n = f->body->a; n->kind == FRONT_DECL; n = n->next)
        CHECK(n->symbol->written);
}

TEST(variable_lengths) {
    const char *t = tree("void f(int n, int m) { float a[n][3]; float (*p)[m] = 0; unsigned long k = sizeof a; p[1][2] "
                         "= a[n - 1][0]; }");
    CHECK_HAS_STR("a: float [n][3]", t);
    CHECK_HAS_STR("k: unsigned long = (<unsigned long>(n) * 12ul)", t);
    CHECK_HAS_STR("p: float (*)[m]", t);
}

TEST(nesting_is_bounded) {
    static char text[200000];
    const char *const deep[][2] = {{"int x = ", "("},
                                   {"void f(int a) { a = ", "-"},
                                   {"int ", "*"},
                                   {"int x[1] = ", "{"},
                                   {"void f(void) ", "{"},
                                   {"struct s { ", "struct { "},
                                   {"void f(int a) { a = ", "a + "},
                                   {"void f(int a) { ", "if (a) ; else "}};
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        size_t size = strlen(strcpy(text, deep[i][0]));
        while (size < 100000)
            size += strlen(strcpy(text + size, deep[i][1]));
        const char *diags = parse(text);
        CHECK(strstr(diags, "levels deep") || strstr(diags, "nested in one another"));
    }
}
