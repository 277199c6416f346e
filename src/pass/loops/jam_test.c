// Which parallel loops are made several iterations at once, how many, and that what the interpreter makes of the
// program stays the same, bit by bit.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

static const char *jam_for(enum pass_goal goal, const char *statements, uint32_t busy) {
    const char *line = strstr(nest_said(goal, statements, busy), "jam: ");
    return line ? line : "";
}
static const char *jam(const char *statements, uint32_t busy) { return jam_for(PASS_STEPS, statements, busy); }
static bool jams(const char *counts, const char *statements) {
    char line[40];
    snprintf(line, sizeof line, "jam: %s iterations", counts);
    return strncmp(jam(statements, 1), line, strlen(line)) == 0;
}

#define ALL "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
#define PRODUCT "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }"

TEST(products) {
    CHECK(jams("4 x 4", ALL PRODUCT));
    CHECK(jams("4 x 4", ALL "for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];"));
    CHECK(jams("4 x 4", ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[j][k]; c[i][j] = s; }"));
    CHECK(jams("4 x 4", ALL "{ float s = c[i][j], w = x[i]; for (int k = 0; k < n; k++) { float p = a[i][k] * w;\n"
                            "s += p * b[k][j]; } c[i][j] = s > 0 ? s : s * 0.5f; }"));
    // the row's place in a variable; the bounds from somewhere else
    CHECK(jams("4 x 4",
               ALL "{ int r = n - 1 - i; float s = 0; for (int k = 3; k < n - 2; k++) s += a[r][k] * b[k][j];\n"
                   "c[i][j] = s; }"));
}

// What is made of a load is the same for all that share it.
TEST(what_is_made_of_loads) {
    CHECK(jams("4 x 4", ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] / 3 * (k % 5) * b[k][j];\n"
                            "c[i][j] = s; }"));
    CHECK(!*jam(ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j] / 3 * (k % 5) / 7;\n"
                    "c[i][j] = s; }",
                1));
}

// Sizes that no four divide, and tiles that go beyond the end.
TEST(sizes) {
    static const int sizes[] = {2, 3, 5, 8, 30, 31, 36, 38, 44, 48};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        side = sizes[i];
        const char *said = jam(ALL PRODUCT, 1);
        CHECK((*said != 0) == (side % 2 == 0));
    }
    side = 40;
}

TEST(one_dimension) {
    CHECK(jams("1 x 4", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { float s = 0;\n"
                        "for (int k = 0; k < n; k++) s += (x[i] - a[0][k]) * (x[i] - a[1][k]); c[i][0] = s; }"));
    // an inner loop that stores
    CHECK(jams("1 x 4", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int j = 1; j < n; j++) {\n"
                        "float s = 0; for (int k = 0; k < n; k++) s += a[j][k] * b[k][j] + x[i]; c[i][j] = s; }"));
}

// What tells its iterations apart by itself is copied as a whole.
TEST(branches_and_own_loops) {
    CHECK(jams("4 x 4", ALL "{ float s = 0, t = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
                            "if (s > 2.0f) { t = a[i][j]; for (int k = 0; k < j; k++) t += b[i][k]; } else t = 1.0f;\n"
                            "c[i][j] = s + t; }"));
    CHECK(jams("4 x 4", ALL "{ float s = 0; for (int k = 0; k < n; k++) { float p = a[i][k]; if (p > 1.0f) p = -p;\n"
                            "s += p * b[k][j]; } c[i][j] = s; }"));
    CHECK(jams("4 x 4", ALL "{ float s = 0; for (int p = 0; p < n; p += 3) for (int q = 0; q < 3; q++)\n"
                            "s += a[i][p + q < n ? p + q : 0] * b[p][j] * b[q][j] * a[i][q]; c[i][j] = s; }"));
}

// A branch that is the same for all of them stays one; what is asked of a row is not.
TEST(common_branches) {
    const char *three = "#pragma omp parallel for collapse(3)\nfor (int p = 0; p < 2; p++)\n"
                        "for (int i = 0; i < n / 2; i++) for (int j = 0; j < n; j++) ";
    char text[600];
    snprintf(text, sizeof text,
             "%sif (x[p] > -4.0f) { float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
             "c[p * (n / 2) + i][j] = s; } else c[p * (n / 2) + i][j] = 1.0f;",
             three);
    CHECK(jams("4 x 4", text));
    CHECK(!*jam(ALL "if (x[i] > -4.0f) { float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
                    "c[i][j] = s; }",
                1));
}

// Lanes of a product of matrices are given up, those of rows that share nothing with each other are not.
TEST(simd_loops) {
    CHECK(jams("4 x 4", ALL "{ float s = 0;\n#pragma omp simd reduction(+ : s)\n"
                            "for (int k = 0; k < n; k++) s += a[i][k] * b[j][k]; c[i][j] = s; }"));
    CHECK(!*jam("#pragma omp parallel for\nfor (int i = 0; i < n; i++) { float s = 0;\n"
                "#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < n; k++) s += a[i][k] * x[k]; c[i][0] = s; }",
                1));
}

// Under a condition that leaves iterations out, what computes is made for all, and what stores is not.
TEST(triangles) {
    CHECK(jams("4 x 4", ALL "if (j <= i) " PRODUCT));
    CHECK(jams("4 x 4", ALL "if (i < j && j < i + 9) " PRODUCT));
    CHECK(jams("4 x 4", ALL "if (n - 1 - j > i) { float s = x[i]; for (int k = 1; k < n; k++) s += a[i][k] * b[k][j];\n"
                            "if (s > 1) c[i][j] = s; }"));
    CHECK(jams("4 x 4", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int j = 0; j < i; j++) " PRODUCT));
    CHECK(jams("4 x 4", "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int j = i; j < n; j++) " PRODUCT));
    CHECK(!*jam(ALL "if (x[i] > x[j]) " PRODUCT, 1)); // nobody knows how many are left
    CHECK(!*jam(ALL "if (j < i) { float s = 0; for (int k = 0; k < n; k++) s += a[i - 1][k] * b[k][j]; c[i][j] = s; }",
                1)); // i - 1 is an index only where the condition holds
}

TEST(what_stays_as_it_is) {
    CHECK(!*jam(ALL "{ float s = 0; for (int k = 0; k <= j; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }",
                1));                                         // own bounds
    CHECK(!*jam(ALL "c[i][j] = a[i][j] * x[i] + x[j];", 1)); // no loop
    CHECK(!*jam(ALL "{ float s = 0; for (int k = 0; k < n; k++) { if (s > 5.0f) break; s += a[i][k] * b[k][j]; }\n"
                    "c[i][j] = s; }",
                1));
    CHECK(!*jam("#pragma omp parallel for\nfor (int i = 0; i < n; i++) { float s = 0;\n"
                "for (int k = 0; k < n; k++) s += a[i][k] * b[i][k]; x[i] = s; }",
                1)); // every load is the iteration's own
    CHECK(!*jam(ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n#pragma omp atomic\n"
                    "x[i] += s; }",
                1));                   // added in a loop of tries
    CHECK(!*jam(ALL PRODUCT, 100000)); // too few would be left
    const char *fewer = jam(ALL PRODUCT, 1600);
    CHECK(strncmp(fewer, "jam: 2 x 2", 10) == 0 || strncmp(fewer, "jam: 1 x 4", 10) == 0);
}

// ---- nests at random ------------------------------------------------------------------------------------------------

static void term(char *out, size_t size) {
    const char *array = PICK("a", "b"), *row = PICK("i", "j", "k", "r", "n - 1 - k", "3", "i", "k"),
               *column = PICK("j", "i", "k", "k", "j", "n - 1 - j", "q", "(k + 1) % n");
    snprintf(out, size, "%s[%s][%s]", array, row, column);
}

// A loop over k, with a loop over l in it or statements that are one iteration's own.
static void nest(char *out, size_t size) {
    char x[40], y[40], z[40];
    term(x, sizeof x);
    term(y, sizeof y);
    term(z, sizeof z);
    const char *sum = PICK("s += %s * %s;", "s = s * 0.5f + %s - %s;", "float p = %s; s += p * %s; t += p;",
                           "float p = %s; if (p > 1.0f) p = t; s += p * %s;", "s += %s > 0.0f ? %s : 1.0f;");
    char inner[200], loop[300];
    snprintf(inner, sizeof inner, sum, x, y);
    const char *around = PICK("%s", "for (int l = 0; l < 3; l++) { %s }", "if (k %% 2 == 0) { %s }", "%s t -= x[k];",
                              "%s c[i][j] += s * 0.001f;");
    snprintf(loop, sizeof loop, around, inner);
    const char *bounds = PICK("k = 0; k < n; k++", "k = 0; k < n; k++", "k = 2; k < n - 1; k++", "k = 0; k < n; k += 2",
                              "k = n - 1; k > 0; k--", "k = 0; k <= i; k++");
    snprintf(out, size, "for (int %s) { %s }\nfor (int k = 0; k < 4; k++) t += %s;\n", bounds, loop, z);
}

TEST(at_random) {
    char one[500], two[500], text[1600];
    uint32_t jammed = 0;
    for (uint32_t seed = 1; seed <= 200; seed++) {
        dice = seed * 2654435761u;
        side = (int)(8 + 2 * roll(8) + (roll(6) == 0));
        const char *head = PICK("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)",
                                "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++)",
                                "for (int i = 1; i < n - 1; i++) for (int j = 2; j < n; j++)");
        nest(one, sizeof one);
        nest(two, sizeof two);
        snprintf(
            text, sizeof text,
            "for (int w = 0; w < 2; w++) {\n#pragma omp parallel for collapse(2)\n%s {\n"
            "int r = (i + 1) %% n, q = j / 2; float s = c[i][j], t = 0;\n%s%sc[i][j] = s * 0.01f + t * 0.001f;\n}\n}",
            head, one, roll(2) ? two : "");
        if (*jam_for(roll(2) ? PASS_SINGLE : PASS_STEPS, text, 1u << roll(8))) jammed++;
    }
    side = 40;
    if (jammed <= 30) FAIL("only %u of 200 had anything to share", jammed);
}

TEST(tear_down) { base_cx_deinit(&cx); }
