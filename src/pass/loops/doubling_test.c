// Which loops that double or halve are counted, and that the interpreter makes the same of them.
#include "check.h"
#include "pass/rounds_testing.h"

// Loops of a program with this body, of arrays x and c of n = 64 elements, that are counted by the pass.
static int counted(const char *body) {
    char text[1024];
    struct base_text said;
    snprintf(text, sizeof text,
             "void f(int n, int x[n], const int c[n]) {\nint k = 0; unsigned u = 0; (void)k; (void)u;\n%s\n#pragma omp "
             "parallel for\nfor (int i = 0; i < n; i++) x[i] += i;\n}\n",
             body);
    struct ir_unit *u = same_behind(text, pass_doubling, &said);
    return u ? check_times("for doubling.", ir_print(u)) : -1;
}

#define MARK "x[k] = x[k] * 3 + s; k = (k + 1) % n; "

TEST(between_constants) {
    CHECK_EQ_INT(1, counted("for (int s = 1; s < n; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int s = 3; s <= 1000; s <<= 2) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int s = n; s; s /= 2) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int s = 1000; s > 3; s >>= 1) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int s = 1; 4 * s <= n; s *= 4) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int s = 1; s * s < 1000 && n > s + s; s += s) { " MARK "}"));
    CHECK_EQ_INT(1, counted("int s = 1; while (s < n) { " MARK " s *= 2; } x[s % n] += s;"));
}

// Loops inside, from or to a power of two that the one around makes.
TEST(between_powers) {
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = t / 2; s > 0; s /= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = t; s >= 1; s >>= 1) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = t; s > 1; s >>= 1) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = n; t >= 2; t /= 2) for (int s = t * 4; s != 0; s /= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = 1; s < t; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = 1; s <= t; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int s = 2; s != t; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 1; t < n; t *= 2) for (int s = t; s < n; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(2, counted("for (int t = 1; t < n; t *= 2) for (int s = t; s < 50; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int t = 0; t < 5; t++) for (int s = 1 << t; s > 0; s /= 2) { " MARK "}"));
    CHECK_EQ_INT(1, counted("for (int t = 3; t < 9; t++) for (unsigned s = 8u << t; s > 1; s /= 2) { " MARK "}"));
    // what the variable is behind the loop
    CHECK_EQ_INT(
        2, counted("for (int t = 2; t <= n; t *= 2) { int s = t; for (; s > 0; s /= 2) { " MARK "} x[5] += s; }"));
    CHECK_EQ_INT(
        2, counted("for (int t = 2; t <= n; t *= 2) { int s = t; for (; s > 1; s /= 2) { " MARK "} x[5] += s; }"));
    CHECK_EQ_INT(
        2, counted("for (int t = 2; t <= n; t *= 2) { int s = 1; for (; s < t; s *= 2) { " MARK "} x[5] += s; }"));
    // what it began with has another value behind that
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) { int r = t / 2, s = r; r = 4; (void)r;\n"
                            "for (; s > 0; s /= 2) { " MARK "} x[0] += r; }"));
}

TEST(what_stays) {
    CHECK_EQ_INT(0, counted("for (int s = c[0] + 1; s < n; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(0, counted("for (int s = 1; s < c[n - 1] + 9; s *= 2) { " MARK "}"));
    CHECK_EQ_INT(0, counted("for (int s = 1; s < n; s *= 2) { " MARK "if (x[k] == 7) break; }"));
    CHECK_EQ_INT(0, counted("for (int s = 1; s < n; s *= 2) { " MARK "if (k == 3) s = s + 0; }"));
    CHECK_EQ_INT(0, counted("for (int s = 1; s < n; s *= 3) { " MARK "}"));
    CHECK_EQ_INT(0, counted("for (int t = 1; t < 9; t++) for (int s = t; s > 0; s /= 2) { " MARK "}")); // no power
    CHECK_EQ_INT(0,
                 counted("for (int t = 0; t < 40; t += 8) for (unsigned s = 1u << (t & 31); s; s /= 2) { " MARK "}"));
    // how far the second one's counter goes is not known
    CHECK_EQ_INT(2, counted("for (int t = 2; t <= n; t *= 2) for (int r = t; r > 1; r /= 2)\n"
                            "for (int s = r / 2; s > 0; s /= 2) { " MARK "}"));
    // a bound that is less in some passes
    CHECK_EQ_INT(1, counted("for (int t = 1; t < n; t *= 2) for (int s = 16; s < t; s *= 2) { " MARK "}"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
