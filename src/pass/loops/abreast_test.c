// Which serial loops around shared ones make their passes side by side, how many, and that what the interpreter makes
// of the program stays the same, bit by bit.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

static const char *abreast(const char *statements) {
    const char *line = strstr(nest_said(PASS_STEPS, statements, 1), "abreast: ");
    return line ? line : "";
}
static bool makes(int passes, const char *statements) {
    char line[40];
    snprintf(line, sizeof line, "abreast: %d passes", passes);
    return strncmp(abreast(statements), line, strlen(line)) == 0;
}

#define ALL "#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define SUM "\n#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < n; k++) "

TEST(passes) {
    CHECK(makes(8, ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }"));
    CHECK(makes(6, ALL "for (int r = 0; r < 12; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }"));
    side = 35;
    CHECK(makes(7, ALL "for (int r = 0; r < n; r++) { float s = x[i];" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }"));
    side = 40;
    // what is made of a load, too, and is alike for all
    CHECK(makes(4, ALL "for (int r = 0; r < 4; r++) { float s = 0;" SUM "{ float w = a[i][k] * 0.5f;\n"
                       "s += w * w * b[r][k]; } c[r][i] = s; }"));
    // an element of its own that it reads before, and branches behind
    CHECK(makes(2, ALL "for (int r = 0; r < 2; r++) { float s = c[r][i], t = s;" SUM "s += a[i][k] * b[r][k];\n"
                       "if (s > t) c[r][i] = s; else { t = 0; for (int k = 0; k < r + 2; k++) t += b[r][k];\n"
                       "c[r][i] -= t; } }"));
    // two loops, of which the second needs the first
    CHECK(makes(3, ALL "for (int r = 0; r < 3; r++) { float s = 0, t;" SUM "s += a[i][k] * b[r][k]; t = s; s = 0;" SUM
                       "s += a[i][k] - t * b[r][k]; c[r][i] = s + t; }"));
}

TEST(loops_that_stay) {
    static const char *const left[] = {
        // a pass needs the one before it
        ALL "{ float s = 0; for (int r = 0; r < 8; r++) {" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; } }",
        ALL "for (int r = 1; r < 8; r++) { float s = c[r - 1][i];" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }",
        ALL "for (int r = 0; r < 7; r++) { float s = c[r + 1][i];" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }",
        ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; c[0][i] = s; }",
        ALL "{ float last = 0; for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; last = s; }\n"
            "c[0][i] = last; }",
        // nothing is alike
        ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[r][k] * b[r][k]; c[r][i] = s; }",
        // bounds that differ, a loop inside, a way out
        ALL "for (int r = 0; r < 8; r++) { float s = 0;\n#pragma omp simd reduction(+ : s)\nfor (int k = 0; k < n - r; "
            "k++) "
            "s += a[i][k] * b[r][k]; c[r][i] = s; }",
        ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM
            "for (int m = 0; m < 70; m++) s += a[i][k] * b[r][m % n]; c[r][i] = s; }",
        ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; if (s > 3) break; c[r][i] = s; }",
        // a loop that lanes share in a branch
        ALL "for (int r = 0; r < 8; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; if (s > 3) {" SUM
            "s += a[i][k] * b[r][k]; } c[r][i] = s; }",
        // no number up to 8 divides how many there are
        ALL "for (int r = 0; r < 11; r++) { float s = 0;" SUM "s += a[i][k] * b[r][k]; c[r][i] = s; }",
    };
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        if (*abreast(left[k])) FAIL("%s", left[k]);
}

// How many there are is known when the program runs: the arrays say how many there may be. One alone is as written.
#define UNIT(rows, columns, before, behind)                                \
    "unit f canonical\n"                                                   \
    "param i32 n.1\n"                                                      \
    "in f32 w.1[" rows "][" columns "]\n"                                  \
    "in f32 x.2[4][" columns "]\n"                                         \
    "in i32 which.3[4]\n"                                                  \
    "inout f32 y.4[4][" rows "]\n"                                         \
    "dim i32 i.2\n"                                                        \
    "local i32 b.3, j.4, at.5\n"                                           \
    "local f32 s.6\n"                                                      \
    "{\n"                                                                  \
    "    parfor i.2 in 0 .. " rows " {\n"                                  \
    "        for b.3 = 0 .. n.1 {\n" before "            s.6 = 0.0\n"      \
    "            for j.4 = 0 .. " columns " simd {\n" behind "        }\n" \
    "    }\n"                                                              \
    "}\n"

#define SUM_OF(row)                                                   \
    "                s.6 = s.6 + w.1[i.2][j.4] * x.2[" row "][j.4]\n" \
    "            }\n"                                                 \
    "            y.4[b.3][i.2] = s.6\n"

TEST(as_many_as_a_run_says) {
    const char *text = after(pass_abreast, UNIT("64", "32", "", SUM_OF("b.3")));
    CHECK(strstr(text, "= 0 .. 1 < n.1 ? 1 : 0 {\n"));
    CHECK(strstr(text, "for b.3 = 0 .. 1 < n.1 ? 0 : n.1 {\n"));
    CHECK(strstr(text, "            y.4[0][i.2] = "));
    CHECK(!strstr(text, "if (0 < n.1)"));
    CHECK(strstr(text, "            if (3 < n.1) {\n                y.4[3][i.2] = "));
    CHECK_EQ_INT(2, check_times("w.1[i.2]", text)); // once for all, and once in the loop as written
}

#define ADDED_TO                                                  \
    "                s.6 = s.6 + w.1[i.2][j.4] * x.2[b.3][j.4]\n" \
    "            }\n"                                             \
    "            y.4[b.3][i.2] = y.4[b.3][i.2] + s.6\n"

// What stands behind, where there will be lanes: a loop of theirs, which chooses what each pass has from before.
TEST(what_stands_behind_is_shared) {
    const char *text = after(pass_abreast, UNIT("4", "512", "", ADDED_TO)),
               *loop = strstr(text, " .. min(4, n.1) simd");
    if (!loop) FAIL("%s", text);
    CHECK_EQ_INT(1, check_times("== 3 ? ", text));
    CHECK(!strstr(text, "if (3 < n.1)"));
    // of one store alone nothing is spared, nor where there will be no lanes
    CHECK(!strstr(after(pass_abreast, UNIT("4", "512", "", SUM_OF("b.3"))), "min(4, n.1)"));
    CHECK(!strstr(after(pass_abreast, UNIT("64", "4", "", ADDED_TO)), "min(4, n.1)"));
}

// Lanes do not share a loop that stores to an array of each: its elements stay known ones.
TEST(what_stands_behind_is_local) {
    const char *text = after(pass_abreast, "unit f canonical\n"
                                           "in f32 w.1[4][512]\n"
                                           "in f32 x.2[4][512]\n"
                                           "inout f32 y.3[4]\n"
                                           "local f32 kept.4[4]\n"
                                           "dim i32 i.1\n"
                                           "local i32 b.2, j.3\n"
                                           "local f32 s.4\n"
                                           "{\n"
                                           "    parfor i.1 in 0 .. 4 {\n"
                                           "        for b.2 = 0 .. 4 {\n"
                                           "            s.4 = 0.0\n"
                                           "            for j.3 = 0 .. 512 simd {\n"
                                           "                s.4 = s.4 + w.1[i.1][j.3] * x.2[b.2][j.3]\n"
                                           "            }\n"
                                           "            kept.4[b.2] = s.4 * s.4 + 1.0\n"
                                           "        }\n"
                                           "        y.3[i.1] = kept.4[i.1]\n"
                                           "    }\n"
                                           "}\n");
    CHECK(strstr(text, "kept.4[3] = "));
    CHECK(!strstr(text, "== 3 ? "));
}

// What a pass that is too many would load may not be there.
TEST(passes_that_are_too_many) {
    const char *text = after(pass_abreast, UNIT("64", "32", "            at.5 = which.3[b.3]\n", SUM_OF("at.5")));
    CHECK(strstr(text, "for b.3 = 0 .. n.1 {\n"));
}

// Loops at random: only the bits are looked at.
TEST(at_random) {
    for (uint32_t seed = 1; seed <= 120; seed++) {
        dice = seed;
        char text[900];
        const char *from = PICK("0", "x[i]", "c[r][i]", "b[r][i]", "c[(r + 1) % n][i]", "c[r][(i + 1) % n] * 0 + 1"),
                   *term = PICK("a[i][k] * b[r][k]", "a[i][k] - t * b[r][k]", "a[i][k] * 0.5f * (b[r][k] + b[r][i])",
                                "(k % 3 ? a[i][k] : b[r][k]) * b[k][r]", "a[i][k] * w"),
                   *end = PICK("c[r][i] = s;", "if (s > t) c[r][i] = s + t;", "c[r][i] += s; t = c[r][i];",
                               "c[i % 3][i] = s;", "if (i > r) { c[r][i] = s; } else { c[r][i] = t; }");
        snprintf(
            text, sizeof text,
            "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { float t = 0.25f; for (int r = 0; r < %s; r++) {\n"
            "float s = %s, w = b[r][0]; %s" SUM "{ s += %s; %s }\n%s } }",
            PICK("2", "3", "4", "8", "10", "16", "13"), from, PICK("", "t = s;", "float u = t; t = u * 2;"), term,
            PICK("", "w = a[i][k];", "float v = a[i][k] + w; s += v * b[r][k];"), end);
        (void)abreast(text);
    }
}
