// Which loops read boxes of arrays from workgroup memory, which boxes these are, and that what the interpreter makes of
// the program stays the same, bit by bit. (It fills a box for each lane anew, so that what one lane finds there cannot
// come from another one.)
#include "pass/nest_testing.h"

static const char *panels(const char *statements) { return nest_said(PASS_STEPS, statements, 1); }
static bool has(const char *said, const char *array, const char *box) {
    char line[80];
    snprintf(line, sizeof line, "reads '%s' from workgroup memory, %s elements", array, box);
    return strstr(said, line) != NULL;
}

#define ALL "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
#define SUM(x) "{ float s = 0; for (int k = 0; k < n; k++) s += " x "; c[i][j] = s; }"

TEST(products) {
    side = 64;
    const char *said = panels(ALL SUM("a[i][k] * b[k][j]"));
    CHECK(has(said, "a", "64 x 16") && has(said, "b", "16 x 64"));
    said = panels(ALL SUM("a[i][k] * b[j][k]"));
    CHECK(has(said, "a", "64 x 16") && has(said, "b", "64 x 16"));
    said = panels(ALL SUM("a[k][i] * b[k][j]"));
    CHECK(has(said, "a", "16 x 64") && has(said, "b", "16 x 64"));
    // tiles that go beyond the end, and work behind the loop that needs no iteration
    side = 34;
    said = panels(ALL "{ float s = c[i][j]; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[i][j] = s;\n"
                      "float t = x[0]; c[i][j] -= t; }");
    CHECK(strstr(said, "panel:") != NULL);
    side = 64;
    // beside each other, and in two loops that use the same memory
    said = panels(ALL "{ float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
                      "for (int k = 0; k < n; k++) s -= b[i][k] * a[k][j]; c[i][j] = s; }");
    CHECK(has(said, "b", "64 x 16") && has(said, "a", "16 x 64"));
}

// What begins before the loop's first pass, runs down, goes in steps or reads neighbours.
TEST(places) {
    side = 64;
    const char *said =
        panels(ALL "{ float s = 0; for (int k = 4; k < n; k++) s += a[i][k - 4] * b[k][j]; c[i][j] = s; }");
    if (!has(said, "a", "64 x 20")) FAIL("%s", said);
    CHECK(has(panels(ALL SUM("a[n - 1 - i][k] * b[n - 1 - k][j]")), "a", "64 x 16"));
    CHECK(has(panels(ALL SUM("a[i][k] * b[k][j] + a[i][k > 0 ? k - 1 : 0]")), "b", "16 x 64"));
    // the row of a triangle: no box
    CHECK(!strstr(panels(ALL "{ float s = 0; for (int k = 0; k <= j; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }"),
                  "panel:"));
}

// Branches that all of a workgroup take, and others.
TEST(branches) {
    const char *three = "#pragma omp parallel for collapse(3)\nfor (int p = 0; p < 2; p++)\n"
                        "for (int i = 0; i < n / 2; i++) for (int j = 0; j < n; j++) ";
    char text[600];
    side = 64;
    snprintf(text, sizeof text,
             "%sif (x[p] > -4.9f) { float s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
             "c[p * (n / 2) + i][j] = s; } else c[p * (n / 2) + i][j] = 1.0f;",
             three);
    const char *said = nest_said(PASS_STEPS, text, 2000);
    if (!strstr(said, "panel:")) FAIL("%s", said);
    CHECK(!strstr(panels(ALL "if (x[i] > 0.0f) " SUM("a[i][k] * b[k][j]")), "panel:"));
}

// Tiles that go beyond the end: those without an iteration copy, and change nothing.
TEST(sizes) {
    static const int sizes[] = {34, 62, 66, 72};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        side = sizes[i];
        const char *said = panels(ALL SUM("a[i][k] * b[k][j]"));
        if (!strstr(said, "panel:")) FAIL("%d: %s", side, said);
        CHECK(strstr(panels(ALL "{ float s = x[j]; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j];\n"
                                "if (s > 1.0f) s *= a[i][j]; c[i][j] += s; }"),
                     "panel:"));
    }
}

TEST(what_stays_as_it_is) {
    side = 64;
    CHECK(!strstr(panels(ALL
                         "{ float s = 0; for (int k = 0; k < n; k++) { c[i][j] += a[i][k]; s += a[i][k] * b[k][j]; }\n"
                         "c[i][j] += s; }"),
                  "reads 'c'"));
    side = 66; // with a load that is not in a box, and iterations that do not exist
    CHECK(!strstr(panels(ALL SUM("a[i][k] * b[k][j] + x[(int)(a[0][0] * a[0][0])]")), "panel:"));
    side = 24; // fewer iterations than a workgroup
    CHECK(!strstr(panels(ALL SUM("a[i][k] * b[k][j]")), "panel:"));
}

// ---- nests at random ------------------------------------------------------------------------------------------------

static void term(char *out, size_t size) {
    const char *row = PICK("i", "j", "k", "i", "k", "n - 1 - k", "n - 1 - i", "3", "r"),
               *column = PICK("j", "i", "k", "k", "j", "n - 1 - j", "l", "k / 2");
    snprintf(out, size, "%s[%s][%s]", PICK("a", "b"), row, column);
}

TEST(at_random) {
    char x[40], y[40], z[40], text[1200];
    uint32_t count = 0;
    for (uint32_t seed = 1; seed <= 24; seed++) {
        dice = seed * 2654435761u;
        side = (int)(34 + 4 * roll(6) - 2 * roll(2));
        term(x, sizeof x);
        term(y, sizeof y);
        term(z, sizeof z);
        const char *loop = PICK("for (int k = 0; k < n; k++)", "for (int k = 2; k < n - 2; k++)",
                                "for (int k = 0; k < n; k++) if (k % 3)", "for (int k = n - 1; k >= 0; k--)",
                                "for (int k = 0; k < n / 2; k++)");
        const char *head = PICK("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)",
                                "for (int j = 0; j < n; j++) for (int i = 0; i < n; i++)",
                                "for (int i = 1; i < n - 1; i++) for (int j = 2; j < n; j++)");
        snprintf(text, sizeof text,
                 "#pragma omp parallel for collapse(2)\n%s {\nint r = i / 2; float s = x[i];\n"
                 "%s for (int l = 0; l < %s; l++) s += %s * %s;\n"
                 "for (int k = 0, l = 1; k < 9; k++) s -= %s;\nc[i][j] = s; }",
                 head, loop, PICK("1", "3"), x, y, z);
        count += strstr(nest_said(roll(2) ? PASS_SINGLE : PASS_STEPS, text, 1u << roll(6)), "panel:") != NULL;
    }
    if (count <= 3) FAIL("only %u of 24 had a panel", count);
}

TEST(tear_down) { base_cx_deinit(&cx); }
