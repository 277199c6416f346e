// Which arrays get rows, which parallel loops become loops over rows and columns, and that the interpreter makes the
// same of the program.
#include "check.h"
#include "pass/rounds_testing.h"

// The statements behind the pass, of arrays of 64 words; what they are made of is asked with has().
static const char *shown;
static void made(const char *body) {
    static char text[2048];
    struct base_text said;
    snprintf(text, sizeof text, "void f(int n, unsigned x[n], unsigned y[n], const unsigned c[n]) {\n%s\n}\n", body);
    struct ir_unit *u = same_behind(text, pass_dimensions, &said);
    if (!u) FAIL("no program: %s", body);
    shown = u ? ir_print(u) : "";
}
static bool has(const char *part) { return strstr(shown, part) != NULL; }
#define OMP "\n#pragma omp parallel for\n"
#define ROWS OMP "for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) "

TEST(rows) {
    made(ROWS "x[i * 8 + j] = c[j * 8 + i];");
    CHECK(has("x.1[8][8]") && has("c.3[8][8]") && has("y.2[64]") && has("x.1[i.1][j.2] = c.3[j.2][i.1]"));
    made(ROWS "{ int k = i * 8; unsigned t = (unsigned)k + (unsigned)j; x[t] = c[k]; }"); // variables in between
    CHECK(has("x.1[8][8]"));
    made(ROWS "{ const unsigned *row = c + i * 8; x[(i << 3) | 0] = row[j]; }");
    CHECK(has("c.3[8][8]"));
    made(ROWS "if (j > 0 && j < 7) x[8 * i + j] = c[8 * i + j - 1] + c[8 * i + j + 1];"); // what conditions say
    CHECK(has("c.3[8][8]") && has("c.3[i.1][j.2 - 1] + c.3[i.1][j.2 + 1]"));
    made(ROWS "x[8 * i + j] = c[8 * i + (j > 0 ? j - 1 : 7)] + c[(i + 7) % 8 * 8 + j] + c[9 * i];");
    CHECK(has("c.3[8][8]"));
    made(ROWS "{ unsigned k; if (j == 0) k = 7; else k = j - 1u; x[8 * i + j] = c[8 * i + k]; }");
    CHECK(has("c.3[8][8]"));
    made(ROWS "x[8 * i + j] = y[c[i * 8 + j] % 8 * 8 + j];"); // a row that data choose
    CHECK(has("y.2[8][8]") && has("c.3[8][8]"));
}

TEST(rows_of_rows) {
    made(OMP "for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) for (int k = 0; k < 4; k++)"
             " x[(i * 4 + j) * 4 + k] = c[i * 16 + k * 4 + j];");
    CHECK(has("x.1[4][4][4]") && has("c.3[4][4][4]") && has("x.1[i.1][j.2][k.3] = c.3[i.1][k.3][j.2]"));
}

TEST(loops) {
    made(OMP "for (int t = 0; t < n; t++) { int i = t / 8, j = t % 8; x[t] = c[j * 8 + i]; }");
    CHECK(has("x.1[8][8]") && has("in 0 .. 8,"));
    made(OMP "for (int t = 0; t < n; t++) { int i = t / 8, j = t - 8 * i; if (j) x[t] = c[t - 1]; }");
    CHECK(has("x.1[8][8]") && has("c.3[8][8]"));
    made(OMP "for (unsigned t = 0; t < 64; t++) x[t] = c[(t & 7) << 3 | t >> 3];");
    CHECK(has("in 0u .. 8u,"));
    // a loop over all of an array that has rows elsewhere
    made(ROWS "x[i * 8 + j] = c[j * 8 + i];" OMP "for (int t = 0; t < n; t++) x[t] += 3;");
    CHECK(has("x.1[8][8]") && !has(".. 64"));
    made(ROWS "x[i * 8 + j] = c[i * 8 + j];" OMP "for (int i = 0; i < 8; i++) x[9 * i] = 1;");
    CHECK(has("x.1[8][8]"));
}

TEST(what_stays) {
    made(ROWS "x[i * 8 + j] = c[i * 8 + j + 1 & 63];"); // may leave its row
    CHECK(has("x.1[8][8]") && has("c.3[64]"));
    made(ROWS "if (i < 7) x[i * 9 + j] = c[j];"); // 9 does not divide 64
    CHECK(has("x.1[64]"));
    made(ROWS "x[i * 8 + j] = 1;\nfor (int t = 0; t < n; t++) y[0] += x[t];"); // one sequential loop over all
    CHECK(has("x.1[64]"));
    made(OMP "for (int i = 0; i < 32; i++) x[2 * i] = c[2 * i + 1];"); // no places that change
    CHECK(has("x.1[64]") && has("c.3[64]"));
    // Loops that would be split, but put together again where they index other arrays.
    made(OMP "for (int t = 0; t < n; t++) x[t] = t / 8 + c[t % 8];\nfor (int t = 0; t < n; t++) y[0] += x[t];");
    CHECK(has("in 0 .. 64") && has("x.1[64]"));
    made(OMP "for (unsigned i = 0; i < 8; i++) for (unsigned j = 0; j < 8; j++) x[i * 8 + j] = "
             "c[(i * 536870912u + 1) * 8 + j & 63];"); // wraps
    CHECK(has("c.3[64]"));
}

// Both dimensions of one loop, and a part of what was a dimension.
TEST(split_again) {
    made("#pragma omp parallel for collapse(2)\nfor (int s = 0; s < 16; s++) for (int t = 0; t < 16; t++) "
         "if (s / 8 + t / 8 == 0) x[s % 8 * 8 + t % 8] = c[t % 8 * 8 + s % 8];");
    CHECK(has(".. 2, ") && has(".. 8, ") && !has(".. 16"));
    made(OMP "for (int t = 0; t < 2 * n; t++) { int k = t / 64, p = t % 64, i = p / 8, j = p - i * 8; "
             "if (k) x[i * 8 + j] += c[j * 8 + i]; else y[p] = i; }");
    CHECK(has(".. 2, ") && has(".. 8, ") && !has(".. 64"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
