// The preprocessor: the standard's own examples, what is unspecified as gcc and clang do it, conditions, files,
// pragmas, limits.
#include "check.h"

#include "front/print/print.h"
#include "front/text/pp_testing.h"

// ---- macros ---------------------------------------------------------------------------------------------------------
TEST(object_and_function) {
    CHECK_EQ_STR("( ( 3 ) * ( 3 ) ) SQ", spelled("#define SQ(x) ((x)*(x))\n#define N 3\nSQ(N) SQ"));
    CHECK_EQ_STR("f ( 1 )", spelled("#define g() f\ng()(1)"));
    CHECK_EQ_STR("bar bar bar", spelled("#define foo() bar\n#define E\nfoo()\nfoo\n()\nfoo /* c\n*/ ( /* */ )"));
    CHECK_EQ_STR("foo ( )",
                 spelled("#define foo() bar\n#define E\nfoo E ()")); // E stands between when foo is looked at
}

TEST(standard_6_10_3_5_example_3) {
    CHECK_EQ_STR(
        "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; "
        "f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; "
        "int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;",
        spelled("#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n"
                "#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n"
                "#define r(x,y) x ## y\n#define str(x) # x\n"
                "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
                "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n"));
}

TEST(standard_6_10_3_5_example_4) {
    CHECK_EQ_STR("printf ( \"x\" \"1\" \"= %d, x\" \"2\" \"= %s\" , x1 , x2 ) ; "
                 "fputs ( \"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \": @\\n\" , s ) ; "
                 "\"vers2.h\" \"hello\" ; \"hello\" \", world\"",
                 spelled("#define str(s) # s\n#define xstr(s) str(s)\n"
                         "#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n  x ## s, x ## t)\n"
                         "#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n"
                         "#define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\ndebug(1, 2);\n"
                         "fputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n== 0) str(: @\\n), s);\n"
                         "xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n"));
}

TEST(standard_examples_5_to_7) {
    CHECK_EQ_STR("int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;",
                 spelled("#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), "
                         "t(,11,), t(,,12), "
                         "t(,,) };"));
    CHECK_EQ_STR("\"x ## y\"",
                 spelled("#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n"
                         "#define join(c, d) in_between(c hash_hash d)\njoin(x, y)"));
    CHECK_EQ_STR(
        "fprintf ( stderr , \"X = %d\\n\" , x ) ; puts ( \"The first, second, and third items.\" ) ; "
        "( ( x > y ) ? puts ( \"x>y\" ) : printf ( \"x is %d but y is %d\" , x , y ) ) ;",
        spelled("#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) puts(#__VA_ARGS__)\n"
                "#define report(test, ...) ((test)?puts(#test):\\\n printf(__VA_ARGS__))\ndebug(\"X = %d\\n\", x);\n"
                "showlist(The first, second, and third items.);\nreport(x>y, \"x is %d but y is %d\", x, y);\n"));
}

TEST(recursion_ends) {
    CHECK_EQ_STR("A B", spelled("#define A B\n#define B A\nA B"));
    CHECK_EQ_STR("2 * 9 * g", spelled("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"));
    CHECK_EQ_STR("42", spelled("#define G_0(a) NIL(G_1)(a)\n#define G_1(a) NIL(a)\n#define NIL(x) x\nG_0(42)"));
    CHECK_EQ_STR("f ( 1 ) + f", spelled("#define f(x) x f\n#define ID(x) x\n#undef f\n#define f(x) f(x) + f\nf(1)"));
    CHECK_EQ_STR("2 3 ID ( 4 )", spelled("#define ID(x) x\nID(2) ID(ID(3)) ID(ID)(4)"));
}

TEST(variadic) {
    CHECK_EQ_STR(
        "p ( 1 ) p ( 1 , ) p ( 1 , 2 , 3 ) p ( 1 , 2 )",
        spelled("#define e(f, ...) p(f, ## __VA_ARGS__)\n#define n(f, a...) p(f, ## a)\ne(1) e(1,) e(1,2,3) n(1,2)"));
    CHECK_EQ_STR("( ) ( 1 , ( 2 , 3 ) )", spelled("#define v(...) (__VA_ARGS__)\nv() v(1,(2,3))"));
}

TEST(stringize) {
    CHECK_EQ_STR("\"a b c d\" \"\" \"- - -\" \"@\" \"\\\"\\\\n\\\" '\\\"'\"",
                 spelled("#define S(x) #x\nS( a  b /* */ c\td ) S( ) S(- - -) S(@) S(\"\\n\" '\"')"));
    CHECK_EQ_STR("\"a b c\"", spelled("#define S(x) #x\nS(a\nb\n  c)"));
    CHECK_EQ_STR("t.c:2:1: error: '#' does not make a string literal of this argument: \"\\\"",
                 message("#define S(x) #x\nS(\\)"));
}

TEST(position_of_made_tokens) {
    spelled("#define SQ(x) ((x)*(x))\n#define T SQ(a)\n\n  T + SQ(  b)\n");
    for (uint32_t i = 0; i < 9; i++) { // all of T where T stands
        CHECK_EQ_INT(4, position(i).line);
        CHECK_EQ_INT(3, position(i).col);
    }
    CHECK_EQ_STR("b", tokens[12].text); // an argument where it is written
    CHECK_EQ_INT(12, position(12).col);
    CHECK_EQ_INT(7, position(14).col);
}

TEST(dynamic_macros) {
    CHECK_EQ_STR("2 \"t.c\" 201112L 201511 1 \"Jan  1 1970\" \"00:00:00\"",
                 spelled("\n__LINE__ __FILE__ __STDC_VERSION__ _OPENMP __WHORL__ __DATE__ __TIME__"));
    CHECK_EQ_STR("100 200 \"foo.c\" 7 \"x\"",
                 spelled("#line 100\n__LINE__\n#line 200 \"foo.c\"\n__LINE__ __FILE__\n# 7 \"x\" 1\n"
                         "__LINE__ __FILE__"));
    CHECK_EQ_STR("gen.py:12:3: error: stray '@' in the program", message("#line 12 \"gen.py\"\n  @"));
}

TEST(command_line) {
    const char *defines[] = {"A", "B=2 +", "f(x)=<x>"};
    CHECK_EQ_STR("",
                 preprocess_with((struct front_pp_options){.text = "A B f(3)", .defines = defines, .define_count = 3}));
    CHECK_EQ_STR("1 2 + < 3 >", spelled(NULL));
    const char *bad[] = {"9=1"};
    CHECK_HAS_STR("<command line>:1:9: error: a macro name is an identifier, not '9'",
                  preprocess_with((struct front_pp_options){.text = "", .defines = bad, .define_count = 1}));
}

// ---- conditions -----------------------------------------------------------------------------------------------------
static bool holds(const char *condition) {
    char text[600];
    snprintf(text, sizeof text, "#define ONE 1\n#define F(x) x\n#if %s\nyes\n#else\nno\n#endif\n", condition);
    return strcmp(spelled(text), "yes") == 0;
}

TEST(conditions) {
    static const char *const yes[] = {
        "1",
        "ONE",
        "F(ONE)",
        "defined ONE && !defined(TWO)",
        "defined F",
        "0 || 1 && 1",
        "1 ? 2 : 1/0",
        "0 && 1/0 || 1",
        "(-1)/2 == 0 && -7 % 3 == -1 && -8 >> 1 == -4",
        "-1 > 0u",
        "~0u == 0xffffffffffffffff",
        "1 << 62 > 0",
        "'a' == 97",
        "'\\377' < 0",
        "2 - 1 - 1 == 0",
        "1 + 2 * 3 == 7",
        "(1 ? -1 : 0u) > 0",
        "0x7fffffffffffffff + 1 < 0",
        "07 == 7 && 10u",
        "!unknown",
        "1 == 1 != 0",
        "(1 | 6) == 7 && (5 ^ 1) == 4 && (6 & 3) == 2",
        "__has_include(<math.h>)",
        "!__has_include(\"no such file.h\") && defined __has_include",
        "1 << 64 == 0",
        "1 >> -1 == 2",
        "0 ? 1 : 0 ? 0 : 1",
        "0x8000000000000000 / -1 == 0",
        "-0x7fffffffffffffff - 1 < 0",
        "-9223372036854775807 / 3 == -3074457345618258602",
    };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!holds(yes[i])) FAIL("#if %s does not hold", yes[i]);
    static const char *const no[] = {"0", "defined TWO", "!ONE", "F(0)", "unknown", "1 && 0", "2 > 3", "1 == 2"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (holds(no[i])) FAIL("#if %s holds", no[i]);
}

TEST(groups) {
    CHECK_EQ_STR(
        "b e",
        spelled("#if 0\na\n#elif 1\nb\n#elif BAD(\nc\n#else\nd\n#endif\n#ifndef X\ne\n#endif\n#ifdef X\nf\n#endif"));
    CHECK_EQ_STR("c",
                 spelled("#if 0\n#if 1\na\n#else\n#endif\n#bad\nit's\n\" /* x\n/* x\n#else */ y\n#else\nc\n#endif"));
    CHECK_EQ_STR("a 1 b", spelled("#define f(x) a x b\nf(\n#if 1\n1\n#else\n2\n#endif\n)"));
}

TEST(condition_errors) {
    CHECK_EQ_STR("t.c:2:2: error: this #if has no #endif", message("a\n#if 1\nb"));
    CHECK_EQ_STR("t.c:1:2: error: #else without #if", message("#else"));
    CHECK_EQ_STR("t.c:3:2: error: #else after #else", message("#if 0\n#else\n#else\n#endif"));
    CHECK_EQ_STR("t.c:1:2: error: the condition is missing", message("#if\n#endif"));
    CHECK_EQ_STR("t.c:1:2: error: expected a value at the end of the condition", message("#if 1 +\n#endif"));
    CHECK_EQ_STR("t.c:1:7: error: division by zero in the condition", message("#if 1 / 0\n#endif"));
    CHECK_EQ_STR("t.c:1:5: error: a floating constant in the condition of #if", message("#if 1.5\n#endif"));
    CHECK_EQ_STR("t.c:1:5: error: 'f' is not a function-like macro here", message("#if f(1)\n#endif"));
    CHECK_EQ_STR("t.c:1:7: error: expected an operator at '2' in the condition", message("#if 1 2\n#endif"));
    CHECK_EQ_STR("t.c:1:13: error: 'defined' needs a macro name", message("#if defined 1\n#endif"));
}

// ---- files ----------------------------------------------------------------------------------------------------------
static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    CHECK(file);
    fputs(text, file);
    fclose(file);
}

TEST(files) {
    char folder[] = "/tmp/whorl-pp-XXXXXX", path[3][64];
    CHECK(mkdtemp(folder));
    snprintf(path[0], sizeof path[0], "%s/main.c", folder);
    snprintf(path[1], sizeof path[1], "%s/a.h", folder);
    snprintf(path[2], sizeof path[2], "%s/math.h", folder);
    write_file(path[0], "#include \"a.h\"\n#include \"./a.h\"\n#define NAME <a.h>\n#include NAME\n#include <math.h>\n"
                        "#include \"math.h\"\nmain __FILE__");
    write_file(path[1], "#pragma once\na __FILE__");
    write_file(path[2], "own");
    const char *dirs[] = {"/nowhere", folder};
    CHECK_EQ_STR(
        "", preprocess_with((struct front_pp_options){.path = path[0], .include_dirs = dirs, .include_dir_count = 2}));
    char want[200];
    snprintf(want, sizeof want, "a \"%s\" own main \"%s\"", path[1], path[0]);
    CHECK_EQ_STR(want, spelled(NULL));
    write_file(path[1], "#if 1\nx");
    snprintf(want, sizeof want, "%s:1:2: error: this #if has no #endif", path[1]);
    CHECK_HAS_STR(want, preprocess_with((struct front_pp_options){.path = path[0]}));
    write_file(path[1], "#include \"main.c\"");
    CHECK_HAS_STR("include nested deeper than 64", preprocess_with((struct front_pp_options){.path = path[0]}));
    for (int i = 0; i < 3; i++)
        remove(path[i]);
    remove(folder);
    CHECK_HAS_STR("error: ", preprocess_with((struct front_pp_options){.path = path[0]}));
    CHECK_EQ_INT(WHORL_IO, cx.status);
}

TEST(built_in_headers) {
    static const char *const names[] = {"assert", "float",  "limits", "math",   "omp",    "stdbool",
                                        "stddef", "stdint", "stdio",  "stdlib", "string", "time"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[100];
        snprintf(text, sizeof text, "#include <%s.h>\n#include \"%s.h\"\nend", names[i], names[i]);
        CHECK_EQ_STR("end", spelled(text));
    }
    CHECK_EQ_STR("3.14159265358979323846 __builtin_isnan ( x ) ( - 2147483647 - 1 ) 1",
                 spelled("#include <math.h>\n#include <stdint.h>\n#include <stdbool.h>\nM_PI isnan(x) INT32_MIN true"));
    CHECK_EQ_STR(
        "3", spelled("#include <math.h>\n#define M_PI 3\nM_PI")); // not all compilers have it, so programs define it
    CHECK_EQ_STR(
        "t.c:2:10: warning: <nowhere.h> is left out: it is neither built in nor in a -I folder, and only what the "
        "entry does not reach can do without it",
        message("\n#include <nowhere.h>"));
    CHECK_EQ_STR("t.c:2:10: error: \"nowhere.h\" is not there", message("\n#include \"nowhere.h\"\n@"));
}

// ---- pragmas --------------------------------------------------------------------------------------------------------
TEST(pragmas) {
    CHECK_EQ_STR(
        "a [omp parallel for num_threads ( 4 ) ] b [STDC FP_CONTRACT OFF] c",
        spelled("#define N 4\na\n#pragma omp parallel for \\\n  num_threads(N)\nb\n#pragma STDC FP_CONTRACT OFF\nc"));
    CHECK_EQ_STR("[omp parallel for if ( x ) ] for", spelled("#define P(c) _Pragma(\"omp parallel for if(\" #c)\n"
                                                             "#define Q _Pragma(\"omp parallel for if(x)\")\nQ for"));
    CHECK_EQ_INT(FRONT_TOK_PRAGMA, tokens[0].kind);
    CHECK_EQ_INT(FRONT_KW_FOR, tokens[2].kind);
    CHECK_EQ_INT(FRONT_TOK_PRAGMA_END, tokens[7].kind);
    CHECK_EQ_INT(3, position(2).line); // where Q is used
    CHECK_EQ_INT(1, position(2).col);
    CHECK_EQ_STR("[omp simd ] x",
                 spelled("#define ID(x) x\n#define S(x) #x\n#define PR(x) _Pragma(S(x))\nID(PR(omp simd) x)"));
    CHECK_EQ_STR("t.c:1:9: warning: unknown pragma 'opm' is ignored", message("#pragma opm parallel"));
    CHECK_EQ_STR("t.c:1:1: error: _Pragma takes one string literal in parentheses", message("_Pragma(omp)"));
    CHECK_EQ_STR("t.c:1:1: error: _Pragma takes one string literal in parentheses", message("_Pragma) x"));
}

// ---- errors ---------------------------------------------------------------------------------------------------------
TEST(directive_errors) {
    CHECK_EQ_STR("t.c:1:2: error: #error no  luck, it's over", message("#error no  luck, it's over  \n"));
    CHECK_EQ_STR("t.c:1:3: warning: #warning careful", message("# warning careful"));
    CHECK_EQ_STR("t.c:1:2: error: there is no directive #foo", message("#foo bar"));
    CHECK_EQ_STR("t.c:1:9: error: a macro name is an identifier, not '1'", message("#define 1 x"));
    CHECK_EQ_STR("t.c:1:8: error: no macro name in #define", message("#define\n"));
    CHECK_EQ_STR("t.c:1:9: error: 'defined' cannot be a macro name", message("#define defined 1"));
    CHECK_EQ_STR("t.c:1:14: error: '#' is not followed by a macro parameter", message("#define f(x) # y"));
    CHECK_EQ_STR("t.c:1:11: error: '##' has nothing before it to join", message("#define a ## b"));
    CHECK_EQ_STR("t.c:1:13: error: '##' has nothing behind it to join", message("#define a b ##"));
    CHECK_EQ_STR("t.c:1:13: error: duplicate macro parameter 'x'", message("#define f(x,x)"));
    CHECK_EQ_STR("t.c:1:14: error: expected ',' or ')' in the macro's parameter list", message("#define f(x  y)"));
    CHECK_EQ_STR("t.c:1:11: error: '__VA_ARGS__' outside the replacement list of a variadic macro",
                 message("#define a __VA_ARGS__"));
    CHECK_EQ_STR("t.c:2:9: warning: macro 'a' is defined again, differently", message("#define a 1\n#define a 2"));
    CHECK_EQ_STR("", preprocess("#define a(x) x  + 1\n#define a(x) x + 1"));
    CHECK_EQ_STR("t.c:2:8: warning: text after #endif is ignored", message("#if 1\n#endif x"));
    CHECK_EQ_STR("t.c:1:7: error: #line needs a decimal number from 1 to 2147483639", message("#line 0"));
    CHECK_EQ_STR("t.c:1:10: error: expected \"FILE\" or <FILE>", message("#include x"));
}

TEST(call_errors) {
    CHECK_EQ_STR("t.c:3:5: error: macro 'f' takes 2 arguments, not 1\na + f(1)\n    ^\n"
                 "t.c:1:9: note: macro 'f' is defined here\n#define f(x, y) x\n        ^\n",
                 preprocess("#define f(x, y) x\n\na + f(1)"));
    CHECK_EQ_STR("t.c:2:1: error: macro 'f' takes 0 arguments, not 1", message("#define f() x\nf(1)"));
    CHECK_EQ_STR("t.c:2:1: error: macro 'f' takes at least 2 arguments, not 1",
                 message("#define f(x, y, ...) x\nf(1)"));
    CHECK_EQ_STR("t.c:2:3: error: the arguments of macro 'f' do not end", message("#define f(x) x\n  f(1, (2)\n"));
    CHECK_EQ_STR("t.c:2:1: error: joining 'a' and '+' by '##' does not give a token",
                 message("#define f(x) a##x\nf(+)"));
    CHECK_EQ_STR("t.c:3:1: error: #include inside the arguments of a macro",
                 message("#define f(x) x\nf(\n#include <math.h>\n)"));
    CHECK_EQ_STR("t.c:3:1: error: #pragma inside the arguments of a macro; write _Pragma(\"omp ...\") there",
                 message("#define f(x) x\nf(\n#pragma omp atomic\n)"));
}

// ---- limits: a message, soon, whatever comes ------------------------------------------------------------------------
// before, then `unit` and after it `closer` so many times.
static const char *repeated(const char *before, const char *unit, const char *closer, size_t times) {
    static struct base_text text;
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    base_text_init(&text, &cx);
    base_text_put(&text, before);
    for (size_t i = 0; i < times; i++)
        base_text_put(&text, unit);
    for (size_t i = 0; i < times; i++)
        base_text_put(&text, closer);
    static char *copy; // preprocess starts a new arena
    free(copy);
    copy = strdup(text.data);
    return copy;
}

TEST(limits) {
    CHECK_HAS_STR("#if nested deeper than 1000", preprocess(repeated("", "#if 1\n", "", 2000)));
    CHECK_HAS_STR("too many levels", preprocess(repeated("#if ", "(", ")", 5000)));
    CHECK_HAS_STR("nested deeper than 400 in arguments", preprocess(repeated("#define f(x) x\n", "f(", ")", 1000)));
    CHECK_HAS_STR("the arguments of macro 'f' do not end", preprocess(repeated("#define f(x) x\n", "f(", "", 100000)));
    CHECK_EQ_INT(0, strlen(preprocess(repeated("", "#if 0\n", "#endif\n", 100000)))); // not nested in what is taken
    char text[4000] = "#define a0\n";
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), 60, "#define a%d a%d a%d\n", i + 1, i, i);
    strcat(text, "#if a40\n#endif");
    CHECK_HAS_STR("macros expand to more than", preprocess(text));
    text[0] = 0;
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), 60, "#define p%d(x) p%d(x##x)\n", i + 1, i);
    strcat(text, "p40(abcd)");
    CHECK_HAS_STR("macros make a token of more than", preprocess(text));
}

TEST(every_allocation_fails_once) {
    const char *dirs[] = {"programs/lib"};
    struct front_pp_options options = {
        .path = "tests/preprocess/macros.c", .include_dirs = dirs, .include_dir_count = 1};
    volatile uint64_t nth = 0;
    volatile bool done = false;
    while (!done) {
        base_cx_deinit(&cx);
        base_cx_init(&cx);
        base_heap_fail_at(++nth);
        if (setjmp(cx.bail) == 0) {
            tokens = front_preprocess(&cx, &options, &token_count);
            front_print_c(&cx, tokens, token_count, NULL);
            done = true;
        } else if (cx.status != WHORL_MEMORY) {
            FAIL("allocation %d: %s", (int)nth, whorl_status_name(cx.status));
        }
    }
    base_heap_fail_at(0);
    CHECK(nth > 3); // the file and blocks of the arena
}
