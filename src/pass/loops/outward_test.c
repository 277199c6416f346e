// Which loops around short reductions become the parallel ones, and that the interpreter makes the same of the program.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

// A loop of `rows` passes around `body` in each step, and what reads what it leaves.
static bool moves(enum pass_goal goal, const char *rows, const char *body) {
    char text[1600];
    snprintf(text, sizeof text,
             "float scale[n], last = 0; for (int b = 0; b < n; b++) scale[b] = 1;\n"
             "for (int t = 0; t < 3; t++) {\nfor (int b = 0; b < %s; b++) {\n%s\n}\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += c[i %% 5][i] * scale[i %% 5];\n}\n"
             "x[0] += last;",
             rows, body);
    return strstr(nest_said(goal, text, 65536), "its reductions are inside of iterations") != NULL;
}
#define SUM(of) "float s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; i++) s += " of ";\n"

#define LONG "a[b][i] * (a[b][i] - 1) * (a[b][i] - 2) * (a[b][i] - 3)"

TEST(norms_of_rows) {
    side = 70;
    CHECK(moves(PASS_SINGLE, "5", SUM("a[b][i] * a[b][i]") "scale[b] = s;"));
    CHECK(moves(PASS_STEPS, "5", SUM("a[b][i] * a[b][i]") "scale[b] = s;"));
    CHECK(moves(PASS_SINGLE, "t + 2", SUM("a[b][i] * a[b][i]") "scale[b] = s;")); // not known before
    CHECK(!moves(PASS_EAGER, "5", SUM("a[b][i] * a[b][i]") "scale[b] = s;"));     // as written
    CHECK(moves(PASS_SINGLE, "5", SUM("c[b][i]") "c[b][3] = s; scale[b] = s + c[b][2];"));
    CHECK(moves(PASS_SINGLE, "5",
                SUM("a[b][i]") "float most = a[b][0];\n#pragma omp parallel for reduction(max : most)\n"
                               "for (int i = 0; i < n; i++) most = a[b][i] - s > most ? a[b][i] - s : most;\n"
                               "scale[b] = most;"));
}

TEST(what_stays) {
    side = 70;
    CHECK(!moves(PASS_SINGLE, "1", SUM("a[b][i]") "scale[b] = s;"));                // nothing to be side by side with
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i]") "scale[b / 2] = s;"));            // passes write one element
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i] * scale[b]") "scale[b + 1] = s;")); // the next one reads it
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i]") "last = s; scale[b] = s;"));      // read behind the loop
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i] + last") "scale[b] = s; last = s / 2;")); // it goes from pass to pass
    CHECK(!moves(PASS_SINGLE, "5", SUM(LONG "+" LONG "+" LONG) "scale[b] = s;"));         // long iterations
    CHECK(!moves(PASS_SINGLE, "5",
                 "#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[b][i] = a[b][i];\nscale[b] = c[b][2];"));
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i]") "if (s > 3) scale[b] = s;"));
    side = 20; // too short for lanes
    CHECK(!moves(PASS_SINGLE, "5", SUM("a[b][i]") "scale[b] = s;"));
}
