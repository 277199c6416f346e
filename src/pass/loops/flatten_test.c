// Which nested sums become those of one loop.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What the pass says of the loops in an iteration, of which there are 3, on a device that 8,192 invocations keep busy.
static const char *said_of_type(const char *type, const char *statements, bool keep_order) {
    static char text[2048];
    snprintf(
        text, sizeof text,
        "void f(int n, const int a[3][n][n], const int b[3][n][n][n], const int e[n], int c[n], int o[3]) {\n"
        "#pragma omp parallel for\nfor (int k = 0; k < 3; k++) {\n%s s = 0, t = 0;\n%s\no[k] = (int)(s + t);\n}\n}\n",
        type, statements);
    return said_by("flatten", text, 40, 8192, keep_order);
}
static const char *said_of(const char *statements) { return said_of_type("int", statements, false); }

#define TWO(BEFORE, INNER, BEHIND) \
    "for (int i = 0; i < n; i++) { " BEFORE "for (int j = 0; j < n; j++) { " INNER " } " BEHIND "}"

TEST(nests) {
    CHECK(strstr(said_of(TWO("", "s += a[k][i][j];", "")), "of 2 nested loops"));
    CHECK(strstr(said_of(TWO("", "if (a[k][i][j] > 3) s += e[i];", "")), "of 2 nested loops"));
    CHECK(strstr(said_of(TWO("int w = e[i] * 2; ", "s += w * a[k][i][j];", "")), "of 2 nested loops"));
    CHECK(strstr(said_of(TWO("t += e[i]; ", "s += a[k][i][j];", "t += 3;")), "of 2 nested loops"));
    CHECK(strstr(said_of("for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) for (int l = 0; l < n - 2; l++) "
                         "s += b[k][i][j][l];"),
                 "of 3 nested loops"));
    CHECK(strstr(said_of("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int l = 0; l < n; l++) "
                         "s += b[k][i][l][j];"),
                 "of 2 nested loops")); // the innermost walks down columns
}

TEST(order) {
    const char *text = TWO("s += e[i];", "s += a[k][i][j];", "");
    CHECK(strstr(said_of_type("float", text, false), "of 2 nested loops"));
    CHECK(strstr(said_of_type("int", text, true), "of 2 nested loops"));
    CHECK(!strstr(said_of_type("float", text, true), "nested loops"));
}

TEST(nests_that_stay) {
    CHECK_EQ_STR("", said_of(TWO("", "s += a[k][j][i];", "")));        // lanes of the outer one are neighbours
    CHECK_EQ_STR("", said_of(TWO("", "s = s * 3 + a[k][i][j];", ""))); // no sum
    // what a sum takes is set anew behind it
    CHECK_EQ_STR("", said_of(TWO("int w = e[i]; t += w; w = e[n - 1 - i]; ", "s += w * a[k][i][j];", "")));
    CHECK_EQ_STR("", said_of(TWO("int w = 0; ", "w += a[k][i][j];", "s += w * w;"))); // a sum of each pass
    CHECK_EQ_STR("", said_of("for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) s += a[k][i][j];"));
    CHECK_EQ_STR(
        "",
        said_of("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (e[j] > 9) break; s += a[k][i][j]; }"));
    CHECK_EQ_STR("", said_of("for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) s += a[k][i][j];")); // few passes
}
