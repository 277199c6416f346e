// Which loops put aside what they move, and that the interpreter makes the same of the program, bit by bit.
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

// Sequential statements between two parallel loops of a step.
static bool puts_aside(enum pass_goal goal, const char *statements, uint32_t busy) {
    char text[1200];
    side = 100;
    snprintf(
        text, sizeof text,
        "for (int t = 0; t < 3; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) c[0][i] += a[t][i];\n"
        "%s\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) x[i] += c[0][n - 1 - i] + c[3][i];\n}",
        statements);
    return strstr(nest_said(goal, text, busy), "moves is put aside first") != NULL;
}
#define MOVES(statements) CHECK(puts_aside(PASS_SINGLE, statements, 65536))
#define STAYS(statements) CHECK(!puts_aside(PASS_SINGLE, statements, 65536))

TEST(delay_lines) {
    MOVES("for (int i = n - 1; i > 0; i--) c[0][i] = c[0][i - 1]; c[0][0] = 3;");
    MOVES("for (int i = 0; i < n - 1; i++) c[0][i] = c[0][i + 1]; c[0][n - 1] = 3;");
    MOVES("for (int i = n - 1; i >= 4; i--) { float d = c[0][i - 4] * 0.5f; c[0][i] = c[0][i] - d + a[i][t]; }");
    MOVES("for (int k = 0; k < 3; k++) for (int i = 0; i < n; i++) c[k][i] = c[k][i] * 0.5f;"
          "for (int i = 0; i < n - 2; i++) c[2][i] = c[2][i + 1] * 0.5f + c[2][i + 2] * 0.25f;");
    CHECK(puts_aside(PASS_STEPS, "for (int i = n - 1; i > 0; i--) c[0][i] = c[0][i - 1];", 65536));
    CHECK(!puts_aside(PASS_EAGER, "for (int i = n - 1; i > 0; i--) c[0][i] = c[0][i - 1];", 65536)); // as written
    CHECK(!puts_aside(PASS_SINGLE, "for (int i = n - 1; i > 0; i--) c[0][i] = c[0][i - 1];", 64));   // in software
}

TEST(what_stays) {
    STAYS("for (int i = 1; i < n; i++) c[0][i] = c[0][i - 1] * 0.5f;");                  // the pass before made it
    STAYS("for (int i = n - 1; i > 1; i--) c[0][i] = c[0][i - 1] + c[0][(i * 7) % n];"); // nobody knows which
    STAYS("for (int i = n - 2; i > 0; i--) c[0][i] = c[0][i - 1] + c[0][i + 1];");       // both
    STAYS("for (int i = n - 1; i > 0; i--) { c[0][i] = c[0][i - 1]; c[3][i] = c[3][i - 1]; }"); // two of them
    STAYS("for (int i = n - 1; i > 0; i--) if (a[0][i] > 0) c[0][i] = c[0][i - 1];");
    STAYS("float s = 0; for (int i = n - 1; i > 0; i--) { s = s * 0.5f + c[0][i - 1]; c[0][i] = s; } c[1][t] = s;");
    STAYS("for (int i = 20; i > 0; i--) c[0][i] = c[0][i - 1];"); // short
    STAYS("for (int i = n - 1; i > 0; i -= 2) c[0][i] = c[0][i - 2 < 0 ? 0 : i - 2];");
}
