// Which long sums are made in blocks, and in how many.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What the pass says of a parallel loop over `dims` on a device that 8,192 invocations keep busy; "" where it stays.
static const char *said_of(const char *dims, const char *body, bool keep_order) {
    static char text[2048];
    snprintf(
        text, sizeof text,
        "void f(int n, const float a[n][64], const float b[n][64], const int m[n], float c[64][64], float d[64][64], "
        "int e[64], int g[64][64]) {\n"
        "%s {\n%s\n}\n}\n",
        dims, body);
    return said_by("rfactor", text, 16384, 8192, keep_order);
}
static bool in_blocks(int blocks, const char *dims, const char *body) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, " in %d blocks,", blocks);
    const char *said = said_of(dims, body, false);
    return blocks ? strstr(said, wanted) != NULL : !*said;
}

#define ALL "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++)"
#define FEW "#pragma omp parallel for\nfor (int i = 0; i < 2; i++)"
#define LONG "for (int k = 0; k < n; k++) "

// What neighbours load alike: in as many blocks as keep the device busy with iterations side by side.
TEST(products) {
    CHECK(in_blocks(16, ALL, "float s = 0; " LONG "s += a[k][i] * b[k][j]; c[i][j] = s;"));
    CHECK(in_blocks(16, ALL, "float s = d[i][j]; " LONG "{ float p = a[k][i]; s += p * b[k][j]; } c[i][j] += 2 * s;"));
    CHECK(in_blocks(16, ALL,
                    "float s = 0; int h = 0; " LONG "{ s += a[k][i] * b[k][j]; h ^= m[k] + i; } c[i][j] = s; "
                    "g[i][j] = h;"));
    CHECK(in_blocks(16, ALL, "float s = 0; for (int k = 4; k < n - 12284; k++) s += a[k][i] * b[k][j]; c[i][j] = s;"));
    CHECK(
        in_blocks(0, ALL, "float s = 0; for (int k = 0; k < 4099; k++) s += a[k][i] * b[k][j]; c[i][j] = s;")); // prime
    CHECK(in_blocks(0, ALL, "float s = 0; for (int k = 0; k < 64; k++) s += a[k][i] * b[k][j]; c[i][j] = s;"));
    CHECK(in_blocks(0, ALL, "float s = 0; " LONG "s += a[k][i]; c[i][j] = s;")); // only one side shares
}

// Even a workgroup for each leaves most of the device idle.
TEST(few_sums) {
    CHECK(in_blocks(8, FEW, "float s = 0; " LONG "s += a[k][i]; c[i][0] = s;"));
    CHECK(in_blocks(16, FEW, "float s = 0; " LONG "for (int l = 0; l < 9; l++) s += a[k][i + l]; c[i][0] = s;"));
    CHECK(in_blocks(8, FEW, "float s = c[i][0]; " LONG "s = a[k][i] > s ? a[k][i] : s; c[i][0] = s;"));
    CHECK(
        in_blocks(8, FEW, "int h = 0; " LONG "if (m[k] > i) h++; e[i] = h; for (int l = 0; l < 9; l++) c[i][l] = 1;"));
    CHECK(in_blocks(16, FEW,
                    "float s[3] = {0}; " LONG "for (int l = 0; l < 3; l++) for (int q = 0; q < 9; q++) "
                    "s[l] += a[k][i + l + q]; c[i][0] = s[0] + s[1] * s[2];"));
    CHECK(!*said_of(FEW, "float s = 0; " LONG "s += a[k][i]; c[i][0] = s;", true));
    CHECK(*said_of(FEW, "int h = 0; " LONG "h += m[k]; e[i] = h;", true));
}

// Sums of columns: lanes are neighbouring columns, so blocks fill the device by themselves.
TEST(columns) {
#define COLUMNS "#pragma omp parallel for\nfor (int i = 0; i < 64; i++)"
    CHECK(in_blocks(128, COLUMNS, "float s = 0; " LONG "s += a[k][i]; c[i][0] = s;"));
    CHECK(in_blocks(128, COLUMNS,
                    "float s = 0, q = 0; " LONG "{ s += a[k][i]; q += a[k][i] * a[k][i]; } c[i][0] = s / q;"));
    CHECK(in_blocks(128, COLUMNS, "float s = 0; " LONG "s += a[k][i] * (float)(m[k] & 1); c[i][0] = s;"));
    CHECK(!in_blocks(128, COLUMNS, "float s = 0; for (int k = 0; k < 64; k++) s += a[i][k]; c[i][0] = s;"));
}

TEST(loops_that_stay) {
    static const char *const bodies[] = {
        "float s = 0; " LONG "{ s += a[k][i]; d[i][k % 64] = s; } c[i][0] = s;", // stores
        "float s = 0; " LONG "s = s * s + a[k][i]; c[i][0] = s;",                // no sum
        "float s = 0; " LONG "{ s += a[k][i]; if (s > 9.0f) break; } c[i][0] = s;",
        "float s = 0; " LONG "s += a[k][i];\n#pragma omp atomic\ne[i] += 1;\nc[i][0] = s;",
        "float s = 0; d[i][0] = 1; " LONG "s += a[k][i]; c[i][0] = s;", // a store in front of it
        "float s = 0; " LONG "s += a[k][i]; for (int k = 1; k < n; k++) s = s * s + a[k][i]; c[i][0] = s;",
        "float s = 0; for (int k = 0; k < n - i; k++) s += a[k][i]; c[i][0] = s;",
        "int last = 0; float s = 0; " LONG "{ s += a[k][i]; last = m[k]; } c[i][0] = s + (float)last;",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (!in_blocks(0, FEW, bodies[k])) FAIL("%s", bodies[k]);
}

// A product whose sums will be in blocks has tiles, and does not become one with a copy of its rows (coarsen.c).
TEST(products_stay_apart_from_copies) {
#define PRODUCT(to, of)                                                                                 \
    "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {\n" \
    "float s = 0; for (int k = 0; k < n; k++) s += " of "; " to "[i][j] = s; }\n"
    static const char begin[] = "void f(int n, const float w[n][n], float x[n][n], float y[n][n]) {\n"
                                "for (int t = 0; t < n; t++) {\n";
    char text[2000];
    snprintf(
        text, sizeof text,
        "%s" PRODUCT("y", "x[i][k] * w[k][j]") "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++)"
                                               " for (int j = 0; j < n; j++) x[i][j] = 0.5f * y[i][n - 1 - j];\n}\n}\n",
        begin);
    CHECK_EQ_STR("", said_by("coarsen", text, 256, 67584, false));
}
