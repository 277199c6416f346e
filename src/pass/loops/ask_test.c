// Which loads under conditions are made without them, and that the interpreter makes the same of the program.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

static int asked(enum pass_goal goal, const char *statements) {
    char text[1400];
    snprintf(text, sizeof text,
             "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { %s }",
             statements);
    const char *line = strstr(nest_said(goal, text, 65536), "ask: ");
    return line ? line[5] - '0' : 0;
}

TEST(guards_at_edges) {
    side = 33;
    static const char five[] = "float s = a[i][j]; if (i > 0 && a[i - 1][j] < s) s = a[i - 1][j];"
                               "if (i < n - 1 && a[i + 1][j] < s) s = a[i + 1][j]; if (j > 0) s += a[i][j - 1];"
                               "s += j < n - 1 ? a[i][j + 1] : 0.0f; c[i][j] = s;";
    CHECK(asked(PASS_STEPS, five) == 4);
    CHECK(asked(PASS_SINGLE, five) == 4);
    CHECK(asked(PASS_EAGER, five) == 0); // as written
    CHECK(asked(PASS_STEPS, "int k = i < 9 ? i : 9; float s = b[k][j]; if (i > 20 && b[k][j] > 0) s += b[k - 1][j]; "
                            "if (j > 3) s -= b[k][j - 3]; c[i][j] = s;") == 3);
    CHECK(asked(PASS_STEPS, "float s = 0; for (int k = 1; k < 70; k++) { s = s * 0.5f + x[i]; float v = a[i][k % 33];"
                            "(void)v; } c[i][j] = s;") == 0);
}

// What the loop itself writes counts, not what those behind it do.
TEST(a_later_loop_writes_it) {
    side = 33;
    static const char two[] =
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { float s = c[i][3]; if (i > 0) s += c[i - 1][3];"
        "if (i < n - 1) s += c[i + 1][3]; x[i] = s; }\n"
        "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {"
        "float s = a[i][j]; if (i > 0) s += a[i - 1][j]; if (j > 0) s += a[i][j - 1]; c[i][j] = s + x[j]; }";
    CHECK_HAS_STR("ask: 4 neighbours", nest_said(PASS_STEPS, two, 65536));
}

TEST(what_waits_for_its_condition) {
    side = 33;
    CHECK(asked(PASS_STEPS, "float s = a[i][j]; if (i > 0) s += a[i - 1][j]; c[i][j] = s;") == 0); // one
    CHECK(asked(PASS_STEPS, "float s = b[i][j]; if (i > 0) s += a[i - 1][j]; if (j > 0) s += a[i][j - 1]; "
                            "c[i][j] = s;") == 0); // nobody loads beside it
    CHECK(asked(PASS_STEPS, "float s = a[i][j]; if (i > 9 && j > 0) s += a[i - 1][j] + a[i][j - 1] * 0.5f; else "
                            "s += a[i][j] * 3; c[i][j] = s;") == 0); // a way for each
    CHECK(asked(PASS_STEPS, "float s = a[i][j]; int k = (int)s & 7; if (k > 3) s += a[k][j]; "
                            "if (k < 3) s += a[i][k]; c[i][j] = s;") == 0); // anywhere
    CHECK(asked(PASS_STEPS, "float s = c[i][j]; if (s > 99999.0f && i > 0) s += c[i - 1][j] + c[i][n - 1 - j]; "
                            "if (s > 99999.0f && j > 0) s += c[i][j - 1]; c[i][j] = s;") == 0); // it is written
    CHECK(asked(PASS_STEPS, "float s = a[i][j]; int k = j; if (i > 3) k++; if (k > 0) s += a[i][k - 1]; "
                            "if (k > 1) s += a[i][k - 2]; c[i][j] = s;") == 0); // its place changes
}
