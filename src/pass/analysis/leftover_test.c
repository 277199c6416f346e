// What is left in a thread's memory, and who sees it.
#include "check.h"
#include "pass/analysis/depend.h"
#include "pass/lowered_testing.h"

static int64_t asked; // the least number that g[0] must be; INT64_MIN: any

// A parallel loop with such a body of an iteration.
static struct ir_unit *program(const char *declarations, const char *body) {
    char text[2048];
    snprintf(text, sizeof text,
             "%s\nvoid f(int n, float x[n], const int g[3]) {\nint m = g[0] - 1;\n"
             "#pragma omp parallel for\nfor (int i = 0; i < g[1] - 1; i++) {\n%s\n}\n}\n",
             declarations, body);
    return lowered(text, 8);
}

// Of the variables `t` (an array) and `v`.
static bool sees(const char *body) {
    struct ir_unit *u = program("static float t[32][3], v;\n#pragma omp threadprivate(t, v)\n"
                                "static void fill(float r[][3], int n) {\n"
                                "for (int k = 0; k < 3; k++) { r[0][k] = 0; r[n][k] = 1; }\n}",
                                body);
    if (!u || setjmp(cx.bail)) {
        puts(base_render_diags(&cx));
        return true;
    }
    struct pass_left left;
    asked = INT64_MIN;
    if (pass_sees_left(u, "t", &left)) return true;
    for (uint32_t i = 0; i < left.count; i++)
        asked = left.items[i].least > asked && !left.items[i].other ? left.items[i].least : asked;
    return pass_sees_left(u, "v", &left);
}

TEST(of_numbers) {
    CHECK(!sees("v = x[i]; v += 2; x[i] = v;"));
    CHECK(sees("v += 2; x[i] = v;"));
    CHECK(sees("if (i > 3) v = x[i]; x[i] = v;"));
    CHECK(!sees("if (i > 3) v = x[i]; else v = 2; x[i] = v;"));
    CHECK(!sees("for (int k = 0; k < 5; k++) { v = x[k]; x[k] = v + 1; }"));
    CHECK(!sees("for (int k = 0; k < 5; k++) v = x[k]; x[i] = v;"));
    CHECK(sees("for (int k = 0; k < m; k++) v = x[k]; x[i] = v;"));
    CHECK(sees("for (int k = 0; k < 5; k++) { if (x[k] > 1) break; v = x[k]; } x[i] = v;"));
    CHECK(sees("int k = 0; while (k < m) v = x[k++]; x[i] = v;"));
}

#define ALL "for (int k = 0; k < 32; k++) for (int c = 0; c < 3; c++) t[k][c] = x[k];"
TEST(of_arrays) {
    CHECK(!sees(ALL "x[i] += t[i & 31][2];"));
    CHECK(sees("for (int k = 0; k < i; k++) t[k][0] = 1; x[i] = t[31][0];"));
    CHECK(sees("for (int k = 0; k < 32; k++) t[k][0] = 1; x[i] = t[3][1];"));
    CHECK(sees("for (int k = 0; k < 32; k += 2) t[k][0] = 1; x[i] = t[3][0];"));
    CHECK(!sees("for (int k = 0; k < m; k++) t[k][0] = 1; for (int k = 1; k < m; k++) x[k] = t[k - 1][0];"));
    CHECK(sees("for (int k = 0; k < m; k++) t[k][0] = 1; for (int k = 0; k <= m; k++) x[k] = t[k][0];"));
    CHECK(sees("for (int k = 1; k < m; k++) t[k][0] = 1; for (int k = 1; k < m; k++) x[k] = t[k - 1][0];"));
    CHECK(sees("t[i & 31][0] = 1; x[i] = t[0][0];"));
    CHECK(!sees("t[g[2]][0] = 1; x[i] = t[g[2]][0];"));
    CHECK(sees("t[(int)x[i]][0] = 1; x[i] = 5; x[i] = t[(int)x[i]][0];"));
}

#define INNER "fill(t, m); for (int k = 1; k <= m - 1; k++) { t[k][0] = 1; t[k][2] = 3; t[k][1] = 2; }"
TEST(of_parts) {
    CHECK(!sees(INNER "for (int k = 1; k < m; k++) x[k] = t[k - 1][0] + t[k + 1][2];"));
    CHECK(!sees(INNER "for (int k = m; k >= 0; k--) x[k] = t[k][1];"));
    CHECK(sees(INNER "for (int k = m + 1; k >= 0; k--) x[k] = t[k][1];"));
    CHECK(
        sees("fill(t, m); for (int k = 1; k <= m - 2; k++) t[k][0] = 1; for (int k = 0; k < m; k++) x[k] = t[k][0];"));
    CHECK(!sees("t[0][0] = x[i]; for (int k = 1; k < m; k++) t[k][0] = t[k - 1][0] * 2;"));
    CHECK(!sees("t[m][0] = x[i]; for (int k = m - 1; k >= 0; k--) t[k][0] = t[k + 1][0] * 2;"));
    CHECK(sees("t[0][0] = x[i]; for (int k = 1; k < m; k++) t[k][0] = t[k + 1][0] * 2;"));
    CHECK(sees("t[0][0] = x[i]; for (int k = 1; k < m; k++) if (x[k] > 0) t[k][0] = t[k - 1][0] * 2;"));
}

// Passes that store more elements than their step: nothing of that is there before the first one.
TEST(of_wide_passes) {
    CHECK(sees("for (int k = 0; k < m; k++) { x[k] += t[k][0]; t[k][0] = 1; t[k + 1][0] = 2; }"));
    CHECK(sees("for (int k = 1; k < m; k++) { x[k] += t[1][0]; t[k][0] = 1; t[k + 1][0] = 2; }"));
    CHECK(sees("for (int k = m; k > 0; k--) { x[k] += t[k][0]; t[k][0] = 1; t[k - 1][0] = 2; }"));
    CHECK(!sees("for (int k = 0; k < m; k++) { t[k][0] = 1; t[k + 1][0] = 2; } x[i] = t[0][0];"));
    CHECK_EQ_INT(2, asked);
    CHECK(!sees("for (int k = 0; k < m; k++) { t[k][0] = 1; t[k + 1][0] = 2; x[k] += t[k + 1][0]; }"));
    CHECK(!sees("t[0][0] = x[i]; for (int k = 0; k < m; k++) { x[k] += t[k][0]; t[k][0] = 1; t[k + 1][0] = 2; }"));
    CHECK(!sees(
        "for (int k = 0; k < m; k++) { t[k][0] = 1; t[k + 1][0] = 2; } for (int k = 0; k < m; k++) x[k] = t[k][0];"));
}

TEST(of_what_a_call_knows) {
    CHECK(!sees("for (int k = 0; k < m; k++) t[k][0] = 1; x[i] = t[3][0] + t[2][0];"));
    CHECK_EQ_INT(5, asked);
    CHECK(!sees(INNER "for (int k = 1; k < m; k++) x[k] = t[k - 1][0];"));
    CHECK_EQ_INT(INT64_MIN, asked);
    CHECK(!sees(INNER "x[i] = t[m - 1][0];"));
    CHECK_EQ_INT(INT64_MIN, asked); // no index leaves the array
    CHECK(!sees("for (int k = 0; k < m; k++) t[k][0] = 1; for (int k = 0; k < g[2]; k++) x[k] = t[k][0];"));
    CHECK(sees("for (int k = 0; k < x[3]; k++) t[k][0] = 1; x[i] = t[3][0];"));
}

static bool sees_list(const char *body) {
    struct ir_unit *u = program("static int l[32], c;\n#pragma omp threadprivate(l, c)", body);
    if (!u || setjmp(cx.bail)) {
        puts(base_render_diags(&cx));
        return true;
    }
    struct pass_left left;
    return pass_sees_left(u, "l", &left) || left.count;
}

#define FILL "c = 0; for (int j = 0; j < 32; j++) if (x[j] > 2) l[c++] = j;"
#define E "int e = 0; for (int j = 0; j < m; j++) if (x[j] > 2) l[e++] = j;"
TEST(of_lists) {
    CHECK(!sees_list(FILL "for (int k = 0; k < c; k++) x[l[k]] += 1;"));
    CHECK(!sees_list(E "for (int k = 0; k < e; k++) x[l[k]] += 1;"));
    CHECK(!sees_list("c = 0; for (int j = 0; j < 32; j++) if (x[j] > 2) { l[c] = j; c++; } for (int k = 0; k < c; k++) "
                     "x[l[k]] += 1;"));
    CHECK(!sees_list(E "for (int k = 1; k < e; k++) x[l[k]] += l[k - 1];"));
    CHECK(sees_list(FILL "int k = 0; while (k < c && x[k] > 1) { k++; x[l[k]] += 1; }"));
    CHECK(sees_list(FILL "for (int k = 0; k <= c; k++) x[l[k]] += 1;"));
    CHECK(sees_list(FILL "for (int k = 0; k < 32; k++) x[l[k]] += 1;"));
    CHECK(sees_list(FILL "for (int k = -1; k < c; k++) x[l[k + 1]] += 1;"));
    CHECK(sees_list(E "for (int k = 0; k < e; k++) x[l[k]] += l[k - 1];"));
    CHECK(
        sees_list("for (int j = 0; j < 32; j++) if (x[j] > 2) l[c++] = j; for (int k = 0; k < c; k++) x[l[k]] += 1;"));
    CHECK(sees_list("if (x[i] > 1) c = 0; for (int j = 0; j < 32; j++) if (x[j] > 2) l[c++] = j; for (int k = 0; k < "
                    "c; k++) x[l[k]] += 1;"));
    CHECK(sees_list("c = 0; for (int j = 0; j < 32; j++) { if (x[j] > 2) l[c] = j; c++; } for (int k = 0; k < c; k++) "
                    "x[l[k]] += 1;"));
    CHECK(sees_list("c = 0; for (int j = 0; j < 32; j++) if (x[j] > 2) { l[c] = j; c += 2; } for (int k = 0; k < c; "
                    "k++) x[l[k]] += 1;"));
    CHECK(sees_list(E "for (int k = 0; k < e; k++) { e = 0; x[k] = l[k]; }"));
    CHECK(sees_list(
        "int e = 3; for (int j = 0; j < m; j++) if (x[j] > 2) l[e++] = j; for (int k = 0; k < e; k++) x[l[k]] += 1;"));
    CHECK(!sees_list(
        "int e = 3; for (int j = 0; j < m; j++) if (x[j] > 2) l[e++] = j; for (int k = 3; k < e; k++) x[l[k]] += 1;"));
    CHECK(!sees_list(E "int k = 0; while (k < e) { x[l[k]] += 1; k++; }"));
    CHECK(!sees_list(E "int end = e; for (int k = 0; k < end; k++) x[l[k]] += 1;"));
    CHECK(sees_list(E "int end = e; e = 0; for (int k = 0; k < end; k++) x[l[k]] += 1;"));
    CHECK(sees_list(E "int end = e; if (x[i] > 2) end = m; for (int k = 0; k < end; k++) x[l[k]] += 1;"));
    CHECK(sees_list(E "int k = m; while (k < e) { x[l[k]] += 1; k++; }"));
    CHECK(!sees_list("for (int s = 0; s < m; s++) { " E "for (int k = 0; k < e; k++) x[l[k]] += 1; }"));
    CHECK(sees_list(
        "int e = 0; for (int s = 0; s < m; s++) { for (int k = 0; k < e; k++) x[l[k]] += 1; e = 0; if (x[s] > 2) "
        "l[e++] = s; if (x[s] > 5) e = 7; }"));
    CHECK(sees_list("int e = 0; l[e] = 1; for (int j = 0; j < m; j++) if (x[j] > 2) x[e++] = 2; for (int k = 0; k < e; "
                    "k++) x[k] = l[k];"));
    CHECK(
        !sees_list("unsigned e = 0; for (int j = 0; j < m; j++) if (x[j] > 2) l[e++] = j; for (unsigned k = 0; k < e; "
                   "k++) x[k] += l[k];"));
    CHECK(sees_list("unsigned e = 0; for (int j = 0; j < m; j++) if (x[j] > 2) l[e++] = j; if (e == 0) e = -1; for "
                    "(unsigned k = 0; k < e; k++) { if (k > 6) break; x[k] += l[k]; }"));
    CHECK(!sees_list(E "if (e == 0) e = -1; for (int k = 0; k < e; k++) x[k] += l[k];"));
    CHECK(sees_list(E "e = m; for (int k = 0; k < e; k++) x[l[k]] += 1;"));
    CHECK(sees_list(E "if (x[i] > 3) e--; e = e + 1; for (int k = 0; k < e; k++) x[l[k]] += 1;"));
}
