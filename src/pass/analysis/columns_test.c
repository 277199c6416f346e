// Whose lanes stand side by side: those of one iteration, or of neighbours.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What is said of the lanes of a loop over columns of 300 rows, of which so many keep the device busy.
static bool are_beside_of(int channels, uint32_t busy, const char *statements) {
    static char text[2048];
    snprintf(
        text, sizeof text,
        "void f(int n, const float a[n][%d], const float b[%d][n], const float w[n], float o[%d]) {\n"
        "#pragma omp parallel for\nfor (int c = 0; c < %d; c++) {\nfloat s = 0;\n#pragma omp simd reduction(+ : s)\n"
        "for (int r = 0; r < n; r++) %s\no[c] = s;\n}\n}\n",
        channels, channels, channels, channels, statements);
    return strstr(said_by("lanes", text, 300, busy, false), "beside those of its neighbours") != NULL;
}

static bool are_beside(int channels, const char *statements) { return are_beside_of(channels, 4096, statements); }

TEST(columns) {
    CHECK(are_beside(64, "s += a[r][c];"));
    CHECK(are_beside(64, "s += w[r] * a[r][c];"));
    CHECK(are_beside(64, "s += w[r] > 0 ? a[r][c] : 0;"));
    CHECK(are_beside(8, "s += a[r][c];")); // of more lanes
}

TEST(rows_and_others) {
    CHECK(!are_beside(64, "s += b[c][r];"));
    CHECK(!are_beside(64, "s += b[c][r] * a[r][c];")); // one of both is far apart anyhow
    CHECK(!are_beside(64, "s += w[r];"));
    CHECK(!are_beside_of(8, 1 << 14, "s += a[r][c];")); // most of the device would idle
}

// Columns behind one that moves, as of a factorisation: how many there are at most.
TEST(columns_behind) {
    static const char text[] =
        "void f(int n, float a[n][64], float r[64][64]) {\n"
        "for (int k = 0; k < 64; k++) {\n"
        "#pragma omp parallel for\nfor (int c = k + 1; c < 64; c++) {\nfloat s = 0;\n"
        "#pragma omp simd reduction(+ : s)\nfor (int i = 0; i < n; i++) s += a[i][k] * a[i][c];\nr[k][c] = s;\n}\n"
        "#pragma omp parallel for\nfor (int c = 0; c < 64; c++) a[k][c] += r[k][c];\n}\n}\n";
    CHECK_HAS_STR("beside those of its neighbours", said_by("lanes", text, 300, 4096, false));
}
