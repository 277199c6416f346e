// Whose lanes stand side by side: those of one iteration, or of neighbours.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What is said of the lanes of a loop over `channels` columns of 300 rows; 4,096 invocations keep the device busy.
static bool are_beside(int channels, const char *statements) {
    static char text[2048];
    snprintf(
        text, sizeof text,
        "void f(int n, const float a[n][%d], const float b[%d][n], const float w[n], float o[%d]) {\n"
        "#pragma omp parallel for\nfor (int c = 0; c < %d; c++) {\nfloat s = 0;\n#pragma omp simd reduction(+ : s)\n"
        "for (int r = 0; r < n; r++) %s\no[c] = s;\n}\n}\n",
        channels, channels, channels, channels, statements);
    return strstr(said_by("lanes", text, 300, 4096, false), "beside those of its neighbours") != NULL;
}

TEST(columns) {
    CHECK(are_beside(64, "s += a[r][c];"));
    CHECK(are_beside(64, "s += w[r] * a[r][c];"));
    CHECK(are_beside(64, "s += w[r] > 0 ? a[r][c] : 0;"));
}

TEST(rows_and_others) {
    CHECK(!are_beside(64, "s += b[c][r];"));
    CHECK(!are_beside(64, "s += b[c][r] * a[r][c];")); // one of both is far apart anyhow
    CHECK(!are_beside(64, "s += w[r];"));
    CHECK(!are_beside(8, "s += a[r][c];")); // most of the device would idle
}
