// Which places of a best get a variable for what stands there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

static int remembered(const char *statements) {
    static char text[1400];
    snprintf(text, sizeof text,
             "#include <math.h>\n"
             "void f(int n, float z[n], float w[n][n], int key[n], int out[n]) {\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int at = 0, row = 0;\n%s\n"
             "out[i] = at + row; }\n}\n",
             statements);
    const char *line = strstr(said_by("remember", text, 64, 1, false), "worth of ");
    return line ? atoi(line + 9) : 0;
}
#define SEARCH(condition, branch) "for (int k = 1; k < n; k++) if (" condition ") {" branch "}"

TEST(places_of_the_best) {
    CHECK(remembered(SEARCH("z[k] > z[at]", "at = k;")) == 1);
    CHECK(remembered(SEARCH("fabsf(w[k][i]) >= fabsf(w[at][i])", "at = k;")) == 1);
    CHECK(remembered("at = -1;" SEARCH("at < 0 || z[k] < z[at]", "at = k;")) == 1);
    CHECK(remembered(SEARCH("k != i && z[k] < z[at]", "at = k; key[i] = k;")) == 1);
    CHECK(remembered(SEARCH("z[key[k]] > z[key[at]]", "at = k;")) == 1);
    CHECK(remembered(SEARCH("z[k] > z[at]", "at = k;") SEARCH("z[k] < z[row]", "row = k;")) == 2);
    CHECK(remembered("for (int a = 0; a < n; a++)" SEARCH("w[a][k] > w[row][at]", "row = a; at = k;")) == 1);
    CHECK(remembered("int k = 1; while (k < n) { if (z[k] > z[at]) at = k; k += i % 3 + 1; }") == 1);
    CHECK(remembered(SEARCH("z[at + k] > z[at]", "at = k;")) == 1); // of the two the second alone
}

TEST(what_changes_meanwhile) {
    CHECK(remembered("for (int k = 1; k < n; k++) { if (z[k] > z[at]) at = k; z[i] = at; }") == 0);
    CHECK(remembered("for (int k = 1; k < n; k++) { if (z[k] > z[at]) at = k; if (k == 7) at = 3; }") == 0);
    CHECK(remembered("for (int k = 1; k < n; k++) { if (z[k] > z[at]) at = k; else at = 0; }") == 0);
    CHECK(remembered("for (int k = 1; k < n; k++) { if (z[k] > z[at]) if (k > 3) at = k; }") == 0); // not in the branch
    CHECK(remembered(SEARCH("z[k] > z[at]", "at = at / 2;")) == 0);
    CHECK(remembered(SEARCH("w[row][k] > w[row][at]", "row++; at = k;")) == 0);
    CHECK(remembered(SEARCH("z[k] > z[at]", "key[i] = k; at = key[k];")) == 0);
    CHECK(remembered(SEARCH("z[k] > z[at]", "if (key[k] > 3) { if (key[k] > 5) continue; out[i]++; } at = k;")) == 0);
    CHECK(remembered(SEARCH("z[k] > 2", "at = k;")) == 0);
    CHECK(remembered(SEARCH("z[k] > z[at / (n - k)]", "at = k;")) == 0);
    CHECK(remembered("for (at = 1; at < n; at++) if (z[at] > z[row]) key[i] = at;") == 0); // no place is set
}

TEST(tear_down) { base_cx_deinit(&cx); }
