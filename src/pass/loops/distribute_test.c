// Products of matrices in other forms: what becomes parallel loops of their own, and that the interpreter makes the
// same bits of it.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

#define ROWS "#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define SUM "float all = 0;\n#pragma omp parallel for reduction(+ : all)"
#define SUM_ROWS SUM "\nfor (int i = 0; i < n; i++) "
#define SUM_ALL SUM " collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
#define PRODUCT "for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; "

static bool says(const char *line, const char *statements) {
    return strstr(nest_said(PASS_STEPS, statements, 64), line) != NULL;
}
static int count_of(const char *line, const char *statements) {
    return check_times(line, nest_said(PASS_STEPS, statements, 64));
}

TEST(orders_of_loops) {
    const char *by_rows = ROWS "for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];";
    CHECK(says("reorder: ", by_rows));
    CHECK(count_of("jam: 4 x 4", by_rows) == 1);
    CHECK(count_of("jam: 4 x 4", ROWS "{ for (int j = 0; j < n; j++) c[i][j] = 0;\n"
                                      "for (int k = 0; k < n; k++) { float w = a[i][k] * x[k];\n"
                                      "for (int j = 0; j < n; j++) c[i][j] += w * b[k][j]; } }") == 1);
}

TEST(orders_that_stay) {
    // what is written stands where the outer loop says
    CHECK(!says("reorder: ", ROWS "for (int k = 0; k < n; k++) for (int j = 0; j < n; j++)\n"
                                  "c[i][(j + k) % n] += a[i][k] * b[k][j];"));
    CHECK(!says("reorder: ", ROWS "for (int k = 0; k < n; k++) for (int j = 0; j < k; j++)\n"
                                  "c[i][j] += a[i][k] * b[k][j];"));
    // a pass reads what the one before wrote
    CHECK(!says("reorder: ", ROWS "for (int k = 0; k < n; k++) for (int j = 1; j < n; j++)\n"
                                  "c[i][j] += a[i][k] * c[i][j - 1];"));
    CHECK(!says("reorder: ", ROWS "{ float t = 0; for (int k = 0; k < n; k++) for (int j = 0; j < n; j++)\n"
                                  "{ t = t * 0.5f + a[i][k]; c[i][j] += t * b[k][j]; } x[i] = t; }"));
}

TEST(several_products) {
    const char *two = ROWS "{ " PRODUCT "c[i][j] = s; } for (int j = 0; j < n; j++) { float t = 0;\n"
                           "for (int k = 0; k < n; k++) t += c[i][k] * a[k][j]; c[i][j] += 0.125f * t; } }";
    CHECK(says("is 2 parallel loops, of which 1 is a product", two)); // columns need all of their row, as it was
    const char *chain = ROWS "{ float h[100]; " PRODUCT "h[j] = s; } for (int j = 0; j < n; j++) { float t = x[i];\n"
                             "for (int k = 0; k < n; k++) t += h[k] * a[k][j]; c[i][j] = t; } }";
    CHECK(says("is 2 parallel loops, of which 2 are products", chain));
    CHECK(count_of("jam: 4 x 4", chain) == 2);
}

// Variables go through memory, or are made again.
TEST(what_is_handed_on) {
    CHECK(says("is 3 parallel loops, of which 1 is a product",
               ROWS "{ float t = x[i], u = t * 2; if (t > 1) t = 0.5f; " PRODUCT "c[i][j] = s * t + u; }\n"
                    "x[i] = t + c[i][3]; }"));
    CHECK(says("is 2 parallel loops", ROWS "{ int r = n - 1 - i; " PRODUCT "c[r][j] = s; } x[r] += c[r][0]; }"));
    CHECK(says("is 2 parallel loops", ROWS "{ float top = -9; " PRODUCT "c[i][j] = s; }\n"
                                           "for (int j = 0; j < n; j++) if (c[i][j] > top) top = c[i][j];\n"
                                           "x[i] = top; }"));
}

TEST(what_stays_one) {
    CHECK(!says("distribute: ", ROWS "{ " PRODUCT "c[i][j] = s; } }"));
    CHECK(!says("distribute: ", ROWS "{ float t = 0; for (int k = 0; k < n; k++) t += a[i][k] * x[k]; c[i][0] = t;\n"
                                     "for (int k = 0; k < n; k++) c[i][k] += t; }"));
    CHECK(!says("distribute: ", SUM_ALL "{ float s = 0; for (int k = 0; k < n; k++) { s += a[i][k] * b[k][j];\n"
                                        "all += s; } c[i][j] = s; }\nx[0] = all;"));
    CHECK(!says("distribute: ", SUM_ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * x[k];\n"
                                        "c[i][j] = s; all += s; }\nx[0] = all;")); // no product of matrices
}

// What is summed of a product's elements is a loop by itself, in which other variables and elements are handed on.
TEST(sums_behind_a_product) {
    CHECK(says("is 2 parallel loops, of which 1 is a product",
               SUM_ROWS "{ " PRODUCT "c[i][j] = s; } all += c[i][0]; }\nx[0] = all;"));
    CHECK(says("is 2 parallel loops, of which 1 is a product", SUM_ROWS
               "for (int j = 0; j < n; j++) { float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
               "float d = s - c[i][j]; all += d * d; }\nx[0] = all;"));
    const char *squares = SUM_ALL "{ float s = x[j]; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
                                  "c[i][j] = s; float d = s - a[i][j]; all += d * d; }\nx[0] = all;";
    CHECK(says("is 2 parallel loops, of which 1 is a product", squares));
    CHECK(count_of("jam: 4 x 4", squares) == 1);
}

TEST(at_random) {
    dice = 5;
    for (int i = 0; i < 60; i++) {
        const char *first = PICK("float t = x[i];", "int r = n - 1 - i; float t = a[r][1];", "float t = 0; t += x[i];"),
                   *local = PICK("h[j] = s", "h[j] = s > 0 ? s : 0", "c[i][j] = s; h[j] = t", "h[n - 1 - j] = s"),
                   *between = PICK("", "t = t * 0.5f + h[0];", "for (int j = 1; j < n; j++) h[j] += h[j - 1] * 0.1f;",
                                   "for (int j = 0; j < n; j++) t += h[j];", "if (t > 1) t = h[i];",
                                   "if (x[i] > 1) t = h[i];"),
                   *range =
                       PICK("j = 0; j < n; j++", "j = 0; j <= i; j++", "j = i; j < n; j++", "j = 1; j < n; j += 2"),
                   *sum = PICK("h[k] * b[k][j]", "h[k] * a[j][k]", "(h[k] - a[j][k]) * t"),
                   *last =
                       PICK("c[i][j] = s", "c[i][j] += s", "if (s > 1) c[i][j] = s", "h[j] = s; c[i][j] = h[j] + t"),
                   *end = PICK("", "x[i] = t;", "x[i] = t + h[n / 2];", "for (int j = 0; j < n; j++) c[i][j] += h[j];");
        char text[1500];
        snprintf(text, sizeof text,
                 ROWS "{ float h[100]; for (int j = 0; j < 100; j++) h[j] = 0; %s\n" PRODUCT "%s; } %s\n"
                      "for (int %s) { float s = 0; for (int k = 0; k < n; k++) s += %s; %s; } %s }",
                 first, local, between, range, sum, last, end);
        side = 24 + i % 9;
        nest_said(i % 2 ? PASS_STEPS : PASS_SINGLE, text, 64);
    }
    side = 40;
}

TEST(tear_down) { base_cx_deinit(&cx); }
