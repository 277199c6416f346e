// Loops in which one pass may write what all others read (single_out.c): which they are.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// Rows of 300, one an iteration, with this loop over j; k is a step's number.
static bool is_singled_out(const char *loop) {
    char text[1000];
    snprintf(text, sizeof text,
             "void f(const int m[300], int a[300][300], int b[300][300]) {\n"
             "for (int k = 1; k < 299; k++) {\n#pragma omp parallel for\n"
             "for (int i = 0; i < 300; i++) if (i != k) {\n%s\n} } }\n",
             loop);
    if (!compile(text, 0)) return false;
    return strstr(said, "share: 3 loops") != NULL;
}

TEST(one_pass_for_all) {
    CHECK(
        is_singled_out("for (int j = 0; j < 300; j++) if (a[i][k] + a[k][j] < a[i][j]) a[i][j] = a[i][k] + a[k][j];"));
    CHECK(is_singled_out("for (int j = 0; j < 300; j++) { a[i][j] -= a[i][k] * a[k][j]; b[i][j] = b[i][k] + 1; }"));
    CHECK(is_singled_out("for (int j = 5; j < 290; j++) a[i][j] += a[i][k - 1];"));
}

TEST(what_stays_is_of_one_pass) {
    CHECK(!is_singled_out("for (int j = 0; j < 300; j++) a[i][j] += a[i][k] + a[i][k - 1];"));
    CHECK(!is_singled_out("for (int j = 0; j < 300; j++) a[i][j] += a[i][m[j]];"));
    CHECK(!is_singled_out("for (int j = 0; j < 299; j++) a[i][j + 1] += a[i][k];"));
    CHECK(!is_singled_out("for (int j = 0; j < 299; j++) a[i][j] += a[i][j + 1] + a[i][k];"));
}

// A load that a pass might not make is not made in front of the loop where it might be beyond the array.
TEST(what_stays_is_an_element) {
    CHECK(!is_singled_out("for (int j = 0; j < 300; j++) if (m[i] < 300) a[i][j] += a[i][k + 5];"));
}

TEST(passes_that_hand_something_on) {
    CHECK(!is_singled_out("int s = 0; for (int j = 0; j < 300; j++) { s += a[i][k]; a[i][j] -= s; } b[i][0] = s;"));
}
