// Copies of what is better, behind the loop that searches (winner.c): which they are, and that they compute the same.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "whorl.h"

#include "pass/rounds_testing.h"

// Statements on x, y and c, in sequential code and in iterations. -> searches whose copies are made behind the loop
static int copies(const char *loop) {
    char text[1500];
    int found[2] = {0};
    static const char *const around[] = {
        "int t = 0;\nunsigned best = 5;\nint at = -1;\n%s\ny[0] ^= best; y[1] ^= (unsigned)at;\n"
        "#pragma omp parallel for\nfor (int k = 0; k < 4; k++) y[k] ^= 1;",
        "#pragma omp parallel for\nfor (int t = 0; t < 4; t++) {\nunsigned best = 5;\nint at = -1;\n%s\n"
        "y[t] ^= best; y[t + 4] ^= (unsigned)at;\n}"};
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, around[k], loop);
        (void)sscanf(rounds_said("winner: ", text, pass_winner), "winner: what %d", &found[k]);
    }
    return found[0] == found[1] ? found[0] : -1;
}

TEST(copies_of_the_best) {
    CHECK_EQ_INT(1, copies("for (int i = 0; i < 64; i++) if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) "
                           "y[16 + t + 4 * d] = c[i] + 7; }"));
    CHECK_EQ_INT(1, copies("for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; at = i;\n"
                           "for (int d = 0; d < 3; d++) y[16 + 3 * t + d] = c[i + d]; }"));
    CHECK_EQ_INT(
        1,
        copies(
            "for (int i = 0; i < 60; i++) if (c[i] > best) { for (int d = 0; d < 3; d++)\n"
            "y[16 + 3 * t + d] = c[i + d];\nbest = c[i]; for (int d = 0; d < 2; d++) x[t + 4 * d] = (unsigned)i; }"));
    CHECK_EQ_INT(1, copies("for (int i = 0; i < 60; i++) if (i % 3) if (c[i] > best) { best = c[i]; for (int d = 0; d "
                           "< 2; d++) y[16 + t + 4 * d] = c[i + 2]; }"));
}

// Each pass writes its own element before the test, and copies it.
TEST(copies_of_what_the_loop_makes) {
    CHECK_EQ_INT(1,
                 copies("for (int i = 0; i < 60; i++) { if (t == 0) x[i] = c[i] * 3; if (t == 0)\n"
                        "if (x[i] > best) { best = x[i]; for (int d = 0; d < 2; d++) y[16 + t + 4 * d] = c[i]; } }"));
    CHECK_EQ_INT(0, copies("for (int i = 0; i < 8; i++) { x[8 * t + i] = c[i]; if (c[i] > best) { best = c[i];\n"
                           "for (int d = 0; d < 2; d++) y[16 + t + 4 * d] = x[8 * t]; } }"));
    CHECK_EQ_INT(0, copies("for (int i = 0; i < 8; i++) { if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) "
                           "y[16 + t + 4 * d] = x[8 * t + i]; }\n"
                           "x[8 * t + i] = c[i]; }"));
}

// C may leave the pass in front of a copy, or behind it.
TEST(jumps) {
    CHECK_EQ_INT(1, copies("for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) "
                           "y[16 + t + 4 * d] = c[i + 1]; break; }"));
    CHECK_EQ_INT(0, copies("for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; if (c[i] & 4) continue;\n"
                           "for (int d = 0; d < 2; d++) y[16 + t + 4 * d] = c[i + 1]; }"));
    CHECK_EQ_INT(0, copies("for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; if (c[i] & 4) break;\n"
                           "for (int d = 0; d < 2; d++) y[16 + t + 4 * d] = c[i + 1]; }"));
}

TEST(what_stays) {
    static const char *const loops[] = {
        // the place depends on the pass
        "for (int i = 0; i < 8; i++) if (c[i] > best) { best = c[i]; x[8 * t + i] = c[i + 1]; }",
        // others read or write it
        "for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) x[t + 4 * d] = c[i + "
        "1]; } else at += (int)x[t];",
        "for (int i = 0; i < 60; i++) { if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) x[t + 4 * d] = c[i "
        "+ 1]; } if (i == 40) x[t] = 0; }",
        // what is copied follows from other passes
        "for (int i = 0; i < 60; i++) { at += 3; if (c[i] > best) { best = c[i]; for (int d = 0; d < 2; d++) x[t + 4 * "
        "d] = (unsigned)at; } }",
        // not all of it is written each time
        "for (int i = 0; i < 60; i++) if (c[i] > best) { best = c[i]; for (int d = 0; d < i % 3; d++) x[3 * t + d] = "
        "c[i]; }",
    };
    for (size_t k = 0; k < sizeof loops / sizeof *loops; k++)
        if (copies(loops[k]) != 0) FAIL("copied behind: %s", loops[k]);
}
