// Which loops get neighbours in blocks.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"

// What the pass says of a parallel loop on a device that 8,192 invocations keep busy; "" where it stays.
static const char *said_of(const char *dims, const char *body) {
    static char text[2048];
    snprintf(
        text, sizeof text,
        "void f(int n, const int a[n][n], const int b[n][n], int c[n][n], int d[n][n], int e[n], int o[n][n + 3]) {\n"
        "%s {\n%s\n}\n}\n",
        dims, body);
    return said_by("square", text, 256, 8192, false);
}

#define ALL "#pragma omp parallel for collapse(2)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++)"

TEST(blocks) {
    CHECK(strstr(said_of(ALL, "c[j][i] = a[i][j];"), "blocks of 32 x 8 iterations"));
    CHECK(strstr(said_of(ALL, "c[i][j] = a[i][j] + a[j][i];"), "blocks of 32 x 8 iterations"));
    CHECK(strstr(said_of(ALL, "if (a[i][j] > 3) c[j][i] = 1; else d[i][j] = 2;"), "blocks of 32 x 8 iterations"));
}

TEST(columns) {
    CHECK(strstr(said_of(ALL, "c[j][i] = a[j][i] * 2;"), "columns run fastest"));
    CHECK(strstr(said_of(ALL, "c[j][i] = a[j][i] + e[5];"), "columns run fastest"));
}

TEST(loops_that_stay) {
    CHECK_EQ_STR("", said_of(ALL, "c[i][j] = a[i][j];"));
    CHECK_EQ_STR("", said_of(ALL, "c[i][j] = a[i][j] + b[j & 3][i & 7];"));
    CHECK_EQ_STR("", said_of(ALL, "int s = 0; for (int k = 0; k < n; k++) s += a[i][k] * b[k][j]; c[j][i] = s;"));
    CHECK_EQ_STR("", said_of(ALL, "\n#pragma omp atomic\nc[j][i] += a[i][j];\n"));
    CHECK_EQ_STR(
        "", said_of("#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 4; i++) for (int j = 0; j < n; j++)",
                    "c[j][i] = a[i][j];")); // few
    CHECK_EQ_STR(
        "", said_of("#pragma omp parallel for collapse(2)\nfor (int i = 1; i < n; i++) for (int j = 1; j < n; j++)",
                    "c[j][i] = a[i][j];")); // 255 have no blocks of 8
}
