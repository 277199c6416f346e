// Which steps that copy a second array back write both in turn, and that the interpreter makes the same bits of it.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

#define EACH(lo, hi) \
    "#pragma omp parallel for\nfor (int i = " lo "; i < " hi "; i++) for (int j = " lo "; j < " hi "; j++) "
#define WRITE \
    EACH("1", "n - 1") "w[i][j] = 0.25f * (c[i - 1][j] + c[i + 1][j] + c[i][j - 1] + c[i][j + 1]) + a[i][j];\n"
#define BACK EACH("1", "n - 1") "c[i][j] = w[i][j];\n"

// Steps, with what stands before and behind them; w is filled first.
static bool takes_turns(int steps, const char *body, const char *behind) {
    char text[1800];
    snprintf(text, sizeof text,
             "float w[n][n];\n" EACH("0", "n") "w[i][j] = b[i][j];\nfor (int t = 0; t < %d; t++) {\n%s}\n%s", steps,
             body, behind);
    bool found = strstr(nest_said(PASS_STEPS, text, 64), "copy_back: ") != NULL;
    nest_said(PASS_SINGLE, text, 32768); // the same bits, in blocks of steps, too
    return found;
}

TEST(numbers_of_steps) {
    side = 20;
    for (int steps = 2; steps < 9; steps++)
        CHECK(takes_turns(steps, WRITE BACK, ""));
    CHECK(!takes_turns(1, WRITE BACK, ""));
}

TEST(what_stands_around) {
    CHECK(takes_turns(5, "x[0] += c[1][2];\n" WRITE "x[1] += c[2][3];\n" BACK "x[2] += c[3][3];\n", ""));
    CHECK(takes_turns(4, WRITE BACK, EACH("0", "n") "c[i][j] += w[i][j] * 0.5f;")); // w is wanted
    CHECK(takes_turns(5, WRITE BACK EACH("0", "n") "x[i] += i == j ? c[i][j] : 0.0f;\n", ""));
    CHECK(takes_turns(6, EACH("0", "n") "w[i][j] = c[j][i];\n" EACH("0", "n") "c[i][j] = w[i][j];\n", ""));
}

TEST(what_stays) {
    CHECK(!takes_turns(4, WRITE EACH("2", "n - 1") "c[i][j] = w[i][j];\n", "")); // another range
    CHECK(!takes_turns(4, WRITE EACH("1", "n - 1") "c[i][j] = w[j][i];\n", "")); // other elements
    CHECK(!takes_turns(4, WRITE BACK "c[0][0] = x[1];\n", ""));                  // another store
    CHECK(!takes_turns(4, WRITE BACK EACH("0", "n") "x[i] += w[i][i];\n", ""));  // w is wanted in the step
    CHECK(!takes_turns(4, EACH("1", "n - 1") "if (c[i][j] > 0) w[i][j] = c[i - 1][j];\n" BACK, "")); // not each
    CHECK(!takes_turns(4, BACK WRITE, ""));
}

#define ROWS(lo, hi) "#pragma omp parallel for\nfor (int i = " lo "; i < " hi "; i++) for (int j = 0; j < n; j++) "
#define ALL ROWS("0", "n") "c[i][j] = w[i][j];\n"

// Each element is stored, in whatever order.
TEST(all_in_another_order) {
    side = 20;
    CHECK(takes_turns(5, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[2 * i + 1][j] = c[i + n / 2][j]; }\n" ALL, ""));
    CHECK(takes_turns(4, ROWS("0", "n / 2") "{ w[i][n - 1 - j] = c[i][j]; w[i + n / 2][n - 1 - j] = a[j][i]; }\n" ALL,
                      ""));
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[2 * i][j] = c[j][i]; }\n" ALL, "")); // half
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; }\n" ALL, ""));                        // half
    CHECK(!takes_turns(4, ROWS("0", "n") "{ w[i][j / 2] = c[i][j]; }\n" ALL, ""));                            // twice
    CHECK(!takes_turns(4, ROWS("0", "n") "if (b[i][j] > 0) w[n - 1 - i][j] = c[i][j];\n" ALL, "")); // not each
    CHECK(!takes_turns(4, ROWS("0", "n / 2") "{ w[2 * i][j] = c[i][j]; w[(i + j) % n][j] = c[j][i]; }\n" ALL,
                       "")); // who knows
    CHECK(!takes_turns(4,
                       "int s[n];\n" ROWS("0", "n") "s[i] = n - 1 - i;\n" ROWS(
                           "0", "n") "{ int k = s[i] & 31; w[k][j] = c[i][j]; }\n" ALL,
                       "")); // who knows
}

TEST(tear_down) { base_cx_deinit(&cx); }
