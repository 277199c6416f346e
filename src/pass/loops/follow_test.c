// Which arrays' elements are made again where they are read, and that the interpreter makes the same of the program.
#include "check.h"
#include "pass/rounds_testing.h"

// Loads of arrays of the program's own behind the pass, where `fill` fills `from` and the loop behind reads it.
static int loads(const char *fill, const char *read) {
    char text[800];
    struct base_text said;
    snprintf(text, sizeof text,
             "void f(int n, int x[n], int y[n], const int c[n]) {\nint from[64], to[64]; (void)to;\n%s\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += %s;\n}\n",
             fill, read);
    struct ir_unit *u = same_behind(text, pass_follow, &said);
    if (!u) return -1;
    const char *shown = strstr(ir_print(u), "{\n");
    return check_times("+ from.", shown) + check_times("+ to.", shown);
}
#define ALL "\n#pragma omp parallel for\nfor (int t = 0; t < n; t++) "

TEST(from_their_places) {
    CHECK_EQ_INT(0, loads(ALL "from[t] = t * 100;", "from[i]"));
    CHECK_EQ_INT(0, loads(ALL "from[t] = t * n;" ALL "to[t] = from[t] + n < 4000 ? from[t] + n : 4000;", "to[i]"));
    CHECK_EQ_INT(0, loads(ALL "from[t] = t;", "from[5]"));
}

TEST(what_stays) {
    CHECK_EQ_INT(1, loads(ALL "from[t] = c[t];", "from[i]"));
    CHECK_EQ_INT(1, loads(ALL "from[t] = t;" ALL "if (c[t] & 1) from[t] = 7;", "from[i]"));
    CHECK_EQ_INT(1, loads(ALL "from[n - 1 - t] = t;", "from[i]"));
    CHECK_EQ_INT(1, loads(ALL "if (c[t] < 9) from[t] = t; else to[t] = c[t];", "from[i]")); // perhaps
    CHECK_EQ_INT(1, loads(ALL "from[t] = t / 3 % 5 * 7 / 3;", "from[i]"));                  // dear
    CHECK_EQ_INT(1, loads(ALL "from[t] = t;" ALL "{\n#pragma omp atomic\nfrom[c[t] & 63] += 1;\n}", "from[i]"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
