// Which loops become counted ones, and that the interpreter makes the same of them.
#include "check.h"
#include "pass/rounds_testing.h"

// Loops that are no counted ones behind the pass, of a program with this body in each iteration i of n = 64.
static int left(const char *body) {
    char text[1024];
    struct base_text said;
    snprintf(text, sizeof text,
             "void f(int n, int x[n], int y[n], const int c[n]) {\nint start[65];\nstart[0] = 0;\n"
             "for (int r = 0; r < n; r++) start[r + 1] = start[r] + (c[r] & 3);\n"
             "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int s = 0, e = 3; (void)e;\n%s\n"
             "x[i] = s; }\n}\n",
             body);
    struct ir_unit *u = same_behind(text, pass_counted, &said);
    return u ? check_times("loop ", ir_print(u)) : -1;
}
#define ADD "s += c[e & 63];"

TEST(rows_whose_ends_the_program_makes) {
    CHECK_EQ_INT(0, left("for (int k = start[i]; k < start[i + 1]; k++) s += c[k & 63];"));
    CHECK_EQ_INT(0, left("e = start[i]; while (e < start[i + 1]) { " ADD " e++; }"));
    CHECK_EQ_INT(0, left("e = start[i]; while (start[i + 1] > e) { " ADD " e += 2; }"));
    CHECK_EQ_INT(0, left("e = start[i]; while (e <= 60) { " ADD " e++; }"));
    CHECK_EQ_INT(0, left("e = start[i + 1] - 1; while (e >= 0) { " ADD " e -= 1; }"));
    CHECK_EQ_INT(0, left("e = start[i + 1]; for (; start[i] < e; e--) { if (c[e & 63] & 1) continue; " ADD " }"));
    CHECK_EQ_INT(0, left("for (e = start[i]; e < start[i + 1]; e++) { if (c[e & 63] & 4) break; " ADD " }"));
    CHECK_EQ_INT(0, left("unsigned g = start[i]; while (g < (unsigned)start[i + 1]) { s += c[g & 63]; g++; }"));
}

// What the variable is behind the loop, or was in front of it.
TEST(wanted) {
    CHECK_EQ_INT(0, left("e = start[i]; while (e < start[i + 1]) { " ADD " e++; } s += e;"));
    CHECK_EQ_INT(0, left("if (i & 1) e = 9; while (e < start[i + 1]) { " ADD " e++; } s += e;"));
    CHECK_EQ_INT(0, left("for (int k = 0; k < 5; k++) while (e < start[k + i / 2]) { " ADD " e++; }"));
    CHECK_EQ_INT(0, left("e = start[i + 1]; while (e > 7) { " ADD " e--; } s += e;"));
    CHECK_EQ_INT(1, left("e = 0; while (e < start[i + 1]) { " ADD " e += 3; } s += e;"));
    CHECK_EQ_INT(1, left("e = 0; while (e < start[i + 1]) { if (c[e & 63] & 4) break; " ADD " e++; } s += e;"));
}

TEST(several_bounds_and_other_steps) {
    CHECK_EQ_INT(0, left("for (int k = start[i]; k < start[i + 1] && k <= 40; k++) s += c[k & 63];"));
    CHECK_EQ_INT(0, left("for (int k = 60; k > start[i + 1] && k >= i; k -= 3) s += c[k & 63];"));
    CHECK_EQ_INT(1, left("for (int k = 0; k < 40 && k < start[i + 1]; k++) s += c[k & 63];")); // may not be asked for
    CHECK_EQ_INT(0, left("int by = 1 + (i & 3); for (int k = 0; k < n; k += by) s += c[k & 63] + by;"));
    CHECK_EQ_INT(1, left("int by = start[i]; for (int k = 0; k < n && by > 0; k += by) s += c[k & 63];"));
    CHECK_EQ_INT(1, left("int by = i & 3; for (int k = 0; k < n; k += by) { s += c[k & 63]; if (!by) break; }"));
    CHECK_EQ_INT(1, left("int by = 1; for (int k = 0; k < n; k += by) { s += c[k & 63]; by++; }"));
}

// What stays true once it is, or is not about the counter, is asked for once.
TEST(tests_that_stay) {
    CHECK_EQ_INT(0, left("e = i - 30; while (e >= 0 && e < 60) { " ADD " e++; }"));
    CHECK_EQ_INT(0, left("e = i - 3; while (e < 60 && i < 40 && e > 2) { " ADD " e += 2; }"));
    CHECK_EQ_INT(0, left("for (e = i; e < 60 && 0 <= e && i != 7; e--) { if (e < 4) break; " ADD " }"));
    CHECK_EQ_INT(0, left("int on = c[i] & 1; e = i; while (on && e < 60) { " ADD " e++; } s += e;"));
    CHECK_EQ_INT(1, left("e = i; while (e != 9 && e < 60) { " ADD " e++; }"));
    CHECK_EQ_INT(1, left("e = i; while (c[i] & 1 && e < 60) { " ADD " e++; }")); // ... but for what memory holds
    CHECK_EQ_INT(1, left("int on = 1; e = i; while (on && e < 60) { " ADD " on = s & 3; e++; }"));
    CHECK_EQ_INT(1, left("unsigned g = i; while (g >= 3u && g < 60u) { s += c[g & 63]; g++; }"));
}

// What the loops inside read more often than before is no use elsewhere, and hides none.
TEST(wanted_behind_loops_inside) {
    CHECK_EQ_INT(0, left("int a = start[i]; while (a < start[i + 1]) { int k = a * 2; while (k < a * 2 + 3)"
                         " { s += c[k & 63] ^ k; k++; } a++; }"));
    CHECK_EQ_INT(0, left("int a = start[i]; while (a < start[i + 1]) { int k = a; while (k < a + 3)"
                         " { s += c[k & 63] ^ k; k++; } a++; } s += a;"));
    CHECK_EQ_INT(0, left("int a = start[i]; while (a < start[i + 1]) { for (int k = a; k < a + 3; k++)"
                         " s += c[k & 63] ^ k; a++; } s += a;"));
}

TEST(what_stays) {
    CHECK_EQ_INT(1, left("e = start[i] + 2; while (e != start[i + 1]) { if (c[e & 63] & 4) break; e++; s++; }"));
    CHECK_EQ_INT(1, left("e = 0; while (e < y[i]) { y[i] = e & 7; e++; }")); // its own bound
    CHECK_EQ_INT(1, left("int t[3] = {9, 9, 9}; e = 0; while (e < t[i % 3]) { t[e % 3]--; e++; }"));
    CHECK_EQ_INT(1, left("int to = 9; e = 0; while (e < to) { if (c[e] & 1) to--; e++; } s = e;"));
    CHECK_EQ_INT(1, left("e = 0; while (e < start[i + 1]) { if (c[e & 63] & 1) e++; e++; s++; }"));
    CHECK_EQ_INT(1, left("e = 0; while (e < start[i + 1]) { if (c[e & 63] & 1) { e += 2; continue; } e++; s++; }"));
    CHECK_EQ_INT(0, left("e = 0; while (e <= start[i + 1]) { " ADD " e++; }"));
    CHECK_EQ_INT(
        1, left("e = 0; while (e <= start[i + 1]) { " ADD " if (s > 9) break; e++; }")); // it could be the last number
    CHECK_EQ_INT(1, left("unsigned g = 0; while (g <= (unsigned)start[i + 1]) { s += c[g & 63]; g++; }"));
    CHECK_EQ_INT(1, left("e = start[i + 1]; while (e < 60) { " ADD " e = e * 2 + 1; }"));
    CHECK_EQ_INT(
        1, left("unsigned g = start[i]; while (g < (unsigned)start[i + 1]) { s += c[g & 63]; g += 2; }")); // may wrap
    CHECK_EQ_INT(1, left("unsigned g = start[i]; while (g != (unsigned)start[i + 1]) { s += c[g & 63]; g++; }"));
}

// A loop that always makes so many passes counts them.
static bool from_zero(int passes, const char *loop) {
    char text[600], line[40];
    struct base_text said;
    snprintf(text, sizeof text,
             "void f(int n, int x[n], int y[n], const int c[n]) {\n#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) { int s = 0;\n%s s = s * 3 + c[k & 63] + k;\nx[i] = s; }\n}\n",
             loop);
    struct ir_unit *u = same_behind(text, pass_counted, &said);
    snprintf(line, sizeof line, " = 0 .. %d {", passes);
    return u && strstr(ir_print(u), line);
}
TEST(always_so_many) {
    CHECK(from_zero(7, "for (int k = i * 7; k < i * 7 + 7; k++)"));
    CHECK(from_zero(4, "for (int k = i * 4; k < (i * 4 + 4 < 4 * n ? i * 4 + 4 : 4 * n); k++)"));
    CHECK(from_zero(5, "for (int k = i - 2; k <= i + 2; k++)"));
    CHECK(from_zero(3, "for (int a = 0; a < 9; a++) for (int k = a + i; k < i + a + 3; k++)"));
    CHECK(!from_zero(4, "for (int k = i * 4; k < (i * 4 + 4 < 250 ? i * 4 + 4 : 250); k++)")); // the last are fewer
    CHECK(!from_zero(3, "for (int k = i ? i - 1 : 0; k < i + 2; k++)"));
    CHECK(!from_zero(7, "for (int k = i * 7; k < i * 7 + 7; k += 2)"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
