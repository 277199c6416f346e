// Which stores of sequential code become those of the iteration that has the element (adopt.c), and that what the
// interpreter makes of the program stays the same.
#include "pass/nest_testing.h"

static bool adopts(const char *statements) {
    return strstr(nest_said(PASS_STEPS, statements, 1000), "adopt: ") != NULL;
}

#define CELLS "\n#pragma omp parallel for\nfor (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) "
#define ROWS "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define STEPS "for (int t = 0; t < 5; t++) "

TEST(a_source) {
    CHECK(adopts(CELLS "c[i][j] += a[i][j]; c[n / 2][n / 2] += 3.0f;"));
    CHECK(adopts(CELLS "c[i][j] += a[i][j]; c[1][n - 2] = c[1][n - 2] * 2.0f + a[4][3];"));
    CHECK(adopts(STEPS "{" CELLS "c[i][j] += a[i][j];\nfloat s = a[t][0] * 0.5f; c[7 + t][9] -= s; }"));
    CHECK(adopts(STEPS "{" CELLS "c[i][j] += a[i][j];\nif (t < 3) c[7][9] -= 1.5f; }"));
    CHECK(adopts(STEPS "{" ROWS "x[i] += a[i][t]; x[t * 3 % n] = 2.0f; }"));
    CHECK(adopts(ROWS "{ float s = 0; for (int j = 0; j < n; j++) { s = s * 0.5f + a[i][j]; c[i][j] = s; } }"
                      " c[5][n - 1] = c[5][0] + 1.0f;")); // a row
    CHECK(adopts("\n#pragma omp parallel for\nfor (int i = 3; i < n; i++) c[i - 3][2] += x[i]; c[0][2] = 1.0f;"));
}

TEST(several) {
    const char *said = nest_said(
        PASS_STEPS, STEPS "{" CELLS "c[i][j] += a[i][j]; c[3][3] += 1.0f; c[3][4] -= c[3][4] * 0.5f; }", 1000);
    CHECK_EQ_INT(2, check_times("adopt: ", said));
}

TEST(what_stays) {
    static const char *const those[] = {
        CELLS "c[i][j] += a[i][j]; c[0][n / 2] += 3.0f;",                                     // no iteration's
        CELLS "c[i][j] += a[i][j]; c[n - 1][3] += 3.0f;",                                     // none's, either
        CELLS "c[i][j] += a[i][j]; x[3] += 3.0f;",                                            // not touched
        CELLS "c[i][j] += a[i][j]; c[3][3] = c[3][4];",                                       // another one's
        ROWS "c[i][0] = x[i]; float s = x[0]; x[0] = x[n - 1]; if (s > 0) c[3][1] = s;",      // ... which is read alone
        ROWS "x[i] += a[i][0] + (i > 3 ? a[3][i] : 0.0f); x[4] = x[5];",                      // another one's
        ROWS "c[i][0] = i > 0 ? c[i - 1][1] : 0.0f; c[4][1] = 7.0f;",                         // read by another one
        ROWS "{ c[i][0] += 2.0f; c[n - 1 - i][1] -= 1.0f; } c[4][1] = 7.0f;",                 // by two
        ROWS "x[(i * 7) % n] = a[0][i]; x[4] += 7.0f;",                                       // by somebody
        "\n#pragma omp parallel for\nfor (int i = 0; i < n; i += 2) x[i] += 1.0f; x[5] = 0;", // none's
        ROWS "x[i] += a[0][i]; x[(int)b[2][2] & 7] = 3.0f;",                                  // of data
        "float s = 0;\n#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < n; i++) { x[i] += 1.0f; s += "
        "a[i][0]; } x[4] = s;",                                      // of the loop
        ROWS "{ x[i] += a[0][i]; c[i][0] = x[i]; } x[4] = c[9][0];", // of what it writes
        ROWS "x[i] += a[0][i]; float s = x[7]; x[4] = s;",           // ... through a variable
        ROWS "x[i] += a[0][i]; if (x[7] > 3.0f) x[4] = 2.0f;",       // ... as a condition
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        if (adopts(those[k])) FAIL("%s", those[k]);
}
