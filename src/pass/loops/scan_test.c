// Which recurrences are made in blocks. That they are made right: tests/fresh/scan_*.c.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

static const char *said_last, *made_last; // by the last call; the program behind the pass

// Loops that the pass makes in blocks, in iterations over rows of 4,000 on a device that so many invocations keep busy.
static int blocked_on(uint32_t busy, bool keep_order, const char *rows, const char *body) {
    static char text[2048];
    snprintf(text, sizeof text,
             "#include <math.h>\nvoid f(int n, const int a[4][n], const float x[4][n], int p[4][n], float y[4][n], int "
             "ends[4], "
             "float last[4]) {\n%s\n{\nint k = 0;\nfloat s = 0;\n%s\nends[r] = k; last[r] = s;\n}\n}\n",
             rows, body);
    struct ir_unit *u = lowered(text, 4000);
    if (!u || setjmp(cx.bail)) {
        FAIL("%s", base_render_diags(&cx));
        return -1;
    }
    struct base_text said;
    made_last = run_passes(u, PASS_STEPS, "scan", busy, keep_order, &said);
    said_last = said.data;
    return check_times("scan: ", said.data);
}

#define ROWS "#pragma omp parallel for\nfor (int r = 0; r < 4; r++)"
#define EACH "for (int t = 0; t < n; t++) "
static int blocked(const char *body) { return blocked_on(32768, false, ROWS, body); }

TEST(what_is_made_in_blocks) {
    CHECK(blocked(EACH "{ k += a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked(EACH "{ k = k * 5 + a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked(EACH "{ s = x[r][t] - s / 2; y[r][t] = s; }") == 1);
    CHECK(blocked(EACH "{ s = fmaf(s, x[r][t], 2 * (s - x[r][t])); y[r][t] = s; }") == 1);
    CHECK(blocked(EACH "{ if (a[r][t] > k) k = a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked(EACH "if (a[r][t] > 3) p[r][k++] = t;") == 1);
    CHECK(blocked("float b = 0; " EACH "{ float w = s + 0.5f * b; b = s; s = w + x[r][t]; y[r][t] = s; }") == 1);
    CHECK(blocked("unsigned g = 7; " EACH "{ g = (g << 3) - g + 1u; k += (int)(g & 1u); }") == 1);
    CHECK(blocked(EACH "s = s * 0.5f + x[r][t];") == 1);                                              // its end alone
    CHECK(blocked("p[r][0] = 1; for (int t = 1; t < n; t++) p[r][t] = p[r][t - 1] + a[r][t];") == 1); // in memory
    CHECK(blocked("float h[3] = {0, 0, 0}; " EACH
                  "{ for (int i = 0; i < 3; i++) h[i] = 0.5f * h[i] + x[r][t]; y[r][t] = h[0] + h[2]; }") == 1);
}

// Nests of loops as one, on one row: 4,000 elements as 20 x 200, or so.
#define ROW "const int r = 0;"
#define BESIDE "\n#pragma omp parallel for\nfor (int t = 0; t < n; t++) y[0][t] = k;\n"
static int blocked_in_row(const char *body) {
    char text[1000];
    snprintf(text, sizeof text, "%s" BESIDE, body);
    return blocked_on(1 << 22, false, ROW, text);
}
TEST(nests) {
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) for (int i = 0; i < 200; i++)"
                         " { int c = p[0][d * 200 + i]; p[0][d * 200 + i] = k; k += c; }") == 1);
    CHECK(strstr(said_last, "scan: the 2 nested loops at line"));
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) for (int i = 0; i < 200; i++)"
                         " { int c = p[0][i * 20 + d]; p[0][i * 20 + d] = k; k += c; }") == 1); // down columns
    CHECK(blocked_in_row("for (int e = 0; e < 5; e++) for (int d = 0; d < 20; d++) for (int i = 0; i < 40; i++)"
                         " { k += a[0][(e * 20 + d) * 40 + i]; p[0][(e * 20 + d) * 40 + i] = k; }") == 1);
    CHECK(strstr(said_last, "scan: the 3 nested loops at line"));
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) { ends[d & 3] = k; k = d; for (int i = 0; i < 200; i++)"
                         " { k += a[0][d * 200 + i]; p[0][d * 200 + i] = k; } }") == 0); // ends: again and again
    CHECK(blocked_in_row("for (int d = 0; d < 4; d++) { ends[d] = k; k = d; for (int i = 0; i < 200; i++)"
                         " { k += a[0][d * 200 + i]; p[0][d * 200 + i] = k; } last[d] = k; }") == 1);
    CHECK(blocked_in_row("for (int d = 0; d < 4; d++) for (int i = 1; i < 1000; i++) p[d][i] += p[d][i - 1];") == 1);
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) for (int i = 0; i < 20; i++)"
                         " { k += a[0][d * 20 + i]; p[0][d * 20 + i] = k; }") == 0); // short
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) for (int i = 0; i < 200; i++)"
                         " { k += p[0][d * 7 + i]; p[0][d * 7 + i] = k; }") == 0); // rows that overlap
    CHECK(blocked_in_row("for (int d = 0; d < 20; d++) { for (int i = 0; i < 200; i++) k += a[0][d * 200 + i];"
                         " p[0][d] = k; }") == 0); // lanes share the sums
}

// As many rows as data say, and no more than arrays have.
TEST(as_many_as_data_say) {
    const char *rows = "const int m = a[0][0];\n#pragma omp parallel for\nfor (int r = 0; r < m; r++)";
    const char *running = EACH "{ k += a[r][t]; p[r][t] = k; }";
    CHECK_EQ_INT(1, blocked_on(32768, false, rows, running));
    CHECK_EQ_INT(0, blocked_on(8 << 5, false, rows, running)); // the four rows that there may be are many
}

// Blocks leave no more than that, also where the program says another, larger number.
TEST(no_more_than_arrays_have) {
    const char *rows = "int w[100][n];\n#pragma omp parallel for\nfor (int t = 0; t < n; t++)\n"
                       "for (int r = 0; r < 100; r++) w[r][t] = a[r % 4][t];\nconst int m = a[0][0], r = 0;\n"
                       "for (int i = 0; i < m && i < 100000; i++) {\n"
                       "int j = 0; for (int t = 0; t < n; t++) { j += w[i][t]; w[i][t] = j; }\n}";
    CHECK_EQ_INT(1, blocked_on(1 << 20, false, rows, BESIDE "p[0][0] = w[m - 1][5];"));
    CHECK_HAS_STR("[100]\n", made_last);
    CHECK(!strstr(made_last, "[100000]"));
}

// Columns of one array, in statements or a short loop; each row here holds some of its elements one behind the other.
TEST(columns) {
    const char *two = "for (int t = 0; t < 1000; t++) { q[t + 1][0] += q[t][0]; q[t + 1][1] += q[t][1]; }";
    const char *loop = "for (int t = 0; t < 1000; t++) for (int c = 0; c < 4; c++) q[t + 1][c] += q[t][c];";
    const char *mixed = "for (int t = 0; t < 1000; t++) { q[t + 1][0] += q[t][1]; q[t + 1][1] += 2 * q[t][0]; }";
    const char *far = "for (int t = 0; t < 1000; t++) { q[t + 1][0] += q[t][0]; q[t + 1][k] += q[t][1]; }";
    const char *cases[] = {two, loop, mixed, far};
    for (uint32_t i = 0; i < 4; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "int q[1001][4];\n#pragma omp parallel for\nfor (int t = 0; t <= 1000; t++) "
                 "for (int c = 0; c < 4; c++) q[t][c] = a[0][t] + c;\nk = a[0][0];\n%s\n"
                 "#pragma omp parallel for\nfor (int t = 0; t < n; t++) y[0][t] = q[t %% 1001][1];",
                 cases[i]);
        CHECK_EQ_INT(i<3, blocked_on(1 << 22, false, ROW, text)> 0); // k may be any column
    }
}

// What a block does to each value of all of those before is text once, not twice as much with each of them; and many
// that feed each other and are chosen are too much text.
static int chosen_columns(int columns) {
    char text[800];
    snprintf(text, sizeof text,
             "float q[1001][6];\n#pragma omp parallel for\nfor (int t = 0; t <= 1000; t++) "
             "for (int c = 0; c < %d; c++) q[t][c] = x[0][t] + c;\nk = a[0][0];\n"
             "for (int t = 0; t < 1000; t++) for (int c = 0; c < %d; c++) if (a[0][t] > 2)\n"
             "q[t + 1][c] = 0.5f * q[t][(c + 1) %% %d] + 0.25f * q[t][c]; else q[t + 1][c] = c;\n"
             "#pragma omp parallel for\nfor (int t = 0; t < n; t++) y[0][t] = q[t %% 1001][1];",
             columns, columns, columns);
    return blocked_on(1 << 22, false, ROW, text);
}
TEST(many_columns_of_floats) {
    CHECK(chosen_columns(3) > 0);
    CHECK(strlen(made_last) < 9000);
    CHECK_EQ_INT(0, chosen_columns(4));
}

TEST(what_is_handed_on_in_memory) {
    CHECK(blocked("for (int t = 1; t < n; t++) { p[r][t] += p[r][t - 1]; k += p[r][t]; y[r][t] = k; }") == 1);
    CHECK(blocked("for (int t = 1; t < n; t++) { p[r][t] += p[r][t - 1]; y[r][t] += y[r][t - 1]; }") == 1);
    CHECK(blocked("for (int t = 2; t < n; t++) y[r][t] = x[r][t] + 0.5f * y[r][t - 1] - 0.2f * y[r][t - 2];") == 1);
    CHECK(blocked("for (int t = 0; t < n; t++) p[r][t] = t ? p[r][t - 1] + a[r][t] : 3;") == 1);
    CHECK(blocked("for (int t = 1; t < n; t++) p[r][t] = a[r][t] > p[r][t - 1] ? a[r][t] : p[r][t - 1];") == 1);
    CHECK(blocked("for (int t = 1; t < n; t++) if (a[r][t]) p[r][t] = a[r][t]; else p[r][t] = p[r][t - 1];") == 1);
    CHECK(blocked_in_row("for (int t = 1; t < n; t++) if (p[0][t - 1] > p[0][t]) p[0][t] = p[0][t - 1];") == 1);
    CHECK(blocked_in_row("for (int t = 1; t < n; t++) if (a[0][t] != 0) p[0][t] += p[0][t - 1];") == 1);
    // another iteration may store where this one does not
    CHECK(blocked("for (int t = 1; t < n; t++) if (a[r][t] != 0) p[r][t] += p[r][t - 1];") == 0);
    CHECK(blocked("p[r][0] = 1; for (int t = 0; t < n - 1; t++) p[r][t + 1] += p[r][t];") == 1);
    CHECK(blocked("p[r][n / 2] = 1; for (int t = 0; t < n - 1; t++) p[r][t + 1] += p[r][t];") == 1); // cut
}

// Shares of a row, the last of which are shorter.
TEST(bounds_that_move) {
#define SHARE "for (int t = r * 900 + 50; t < (r * 900 + 950 < 3500 ? r * 900 + 950 : 3500); t++) "
    CHECK(blocked(SHARE "{ k += a[0][t]; p[0][t] = k; }") == 1);
    CHECK(blocked(SHARE "if (a[0][t] > 3) p[r][k++] = t;") == 1);
    CHECK(blocked("for (int t = r; t < n; t++) { k += a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked("for (int t = a[r][0]; t < a[r][1]; t++) { k += a[r][t]; p[r][t] = k; }") == 0);    // of any length
    CHECK(blocked("for (int t = r * 90; t < r * 90 + 90; t++) { k += a[0][t]; p[0][t] = k; }") == 0); // short
    CHECK(blocked("int e = r * 900 + 900; for (int t = r * 900; t < e; t++) { k += a[0][t]; e -= a[r][t] & 1; "
                  "p[0][t] = k; }") == 0);
#undef SHARE
}

TEST(others_update_atomically) {
    CHECK(blocked("#pragma omp atomic\np[0][0]++;\n" EACH "{ k += a[r][t]; y[r][t] = k; }") == 0);
    CHECK(blocked_in_row("#pragma omp parallel for\nfor (int t = 0; t < n; t++) {\n#pragma omp atomic\n"
                         "p[0][a[0][t]]++;\n}\n" EACH "{ k += p[0][t]; p[0][t] = k; }") == 1);
}

TEST(largest_either_way) {
    CHECK(blocked(EACH "{ k = k > a[r][t] ? k : a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked(EACH "{ k = k <= a[r][t] ? k : a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked(EACH "{ s = s > x[r][t] ? s : x[r][t]; y[r][t] = s; }") == 0); // a NaN is taken, and given up
}

TEST(what_is_not) {
    CHECK(blocked(EACH "{ s = s * s * 0.5f + x[r][t]; y[r][t] = s; }") == 0);
    CHECK(blocked(EACH "{ if (k < 9) k += a[r][t]; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "{ k += a[r][t]; if (k > 7) break; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "{ k = (k + a[r][t]) & 255; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "k += a[r][t];") == 0); // a sum alone
    CHECK(blocked("for (int t = 0; t < 300; t++) { k += a[r][t]; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "{ p[r][t] += 2; k += p[r][t]; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "{ p[r][k] = t; if (a[r][t]) k++; }") == 0); // stored again
    CHECK(blocked(EACH "{ if (a[r][t] > 8) k = 0; if (a[r][t] > 3) p[r][k++] = t; }") == 0);
}

// A loop inside that is left between a store and what the list grows by stores there again.
#define TWICE "for (int j = 0; j < 2; j++) "
#define LEFT "if (a[r][t] > 3) { if (j + a[r][t] > 7) break; s += 1; } "
TEST(lists_of_loops_that_are_left) {
    CHECK(blocked(EACH TWICE "if (a[r][t] > j) { p[r][k++] = t; break; }") == 1);
    CHECK(blocked(EACH TWICE "{ p[r][k++] = t; " LEFT "y[r][t] = 2; }") == 1);
    CHECK(blocked(EACH TWICE "{ p[r][k++] = t; p[r][k++] = j; " LEFT "y[r][t] = 2; }") == 1);
    CHECK(blocked(EACH TWICE "{ p[r][k] = t; " LEFT "k++; }") == 0);
    CHECK(blocked(EACH TWICE "{ p[r][k] = t; p[r][k + 1] = j; " LEFT "k += 2; }") == 0);
}

// Values that need others, which are found before: two levels at least.
#define HASH "unsigned h = 7; int w = -1, j = 0; "
static bool in_levels(int levels, const char *body) {
    char text[40];
    snprintf(text, sizeof text, ", in %d levels\n", levels);
    return blocked(body) == 1 && strstr(said_last, levels > 1 ? text : "first\n");
}
TEST(what_is_made_in_levels) {
    CHECK(in_levels(2, "int j = 0; " EACH "{ k += a[r][t]; if (k > 5) j += t; p[r][t] = j; }"));
    CHECK(in_levels(2, HASH EACH
                    "{ h = h * 5u + (unsigned)a[r][t]; if (h % 9u == 2u) { k++; if (w < 0) w = t; } } k += w;"));
    CHECK(in_levels(2, HASH EACH "{ h = h * 5u + 1u; if (h % 9u > 3u) p[r][k++] = t; }"));
    CHECK(in_levels(3, HASH EACH "{ k += a[r][t]; if (k > w) w = k; if (k < w - 9) j = t; p[r][t] = j; }"));
    CHECK(in_levels(3, HASH EACH "{ k += a[r][t]; if (a[r][t] > 2 && k > w) { w = k; j = t; } p[r][t] = j; }"));
    CHECK(in_levels(2, EACH "{ int e = 0; s += x[r][t]; while (e < 9 && a[r][e] != t) e++;"
                            " if (s > e) k += e; p[r][t] = k; }"));
    CHECK(
        in_levels(2, "_Bool q = 0; " EACH "{ if (a[r][t] == 3) q = !q; if (q) continue; k += a[r][t]; p[r][t] = k; }"));
}
TEST(what_stands_behind_a_condition_on_itself) {
    CHECK(in_levels(1, HASH EACH "if (a[r][t] > 8 && w < 0) w = t; k = w;"));
    CHECK(in_levels(1, HASH EACH "{ if (w >= 0) continue; k += t; if (a[r][t] > 8) w = t; } k += w;"));
    CHECK(in_levels(1, "_Bool f = 0; " EACH "if (!f && a[r][t] == 7) { f = 1; k = t; }"));
    CHECK(in_levels(2, HASH EACH "{ if (a[r][t] > 8 && w < 0) w = t; j += w; p[r][t] = j; }"));
    CHECK(blocked(HASH EACH "if (a[r][t] > 8 && w < t) w = t + a[r][t]; k = w;") == 0); // another one each time
    CHECK(blocked(HASH EACH "{ if (w < 9) w += a[r][t]; } k = w;") == 0);               // made of itself
    CHECK(blocked(HASH EACH "{ if (w < 0) j++; else j = 0; if (a[r][t] > 8 && j > 3) w = t; } k = w;") == 0);
    CHECK(blocked(HASH EACH "{ if (a[r][t] > 8 && w < 0) w = t; if (a[r][t] > 4 && w < 3) w = 0; } k = w;") == 0);
    CHECK(blocked(HASH EACH "if (w < 0) { while (a[r][j] != 3) j = a[r][j]; if (a[r][t] > 8) w = j; } k = w;") == 0);
    CHECK(blocked(EACH "{ if (k > 3 && a[r][t] > k) k = a[r][t] / 2; p[r][t] = k; }") == 0);
    CHECK(blocked(EACH "{ if (k > 3) k = k > a[r][t] ? k : a[r][t]; p[r][t] = k; }") == 0);
}
TEST(floats_that_are_set) {
    CHECK(blocked_on(32768, true, ROWS, EACH "{ if (a[r][t] > 4) s = x[r][t]; y[r][t] = s; }") == 1);
    CHECK(blocked_on(32768, true, ROWS, EACH "{ s = a[r][t] > 4 ? 0 : s + x[r][t]; y[r][t] = s; }") == 0);
}

#define LONG_PASSES                                                                                        \
    EACH "{ float d = 0; for (int e = 0; e < 200; e++) d += x[r][e] * x[r][t]; s += d; if (s > 5) k += t;" \
         " p[r][t] = k; }"
TEST(where) {
    CHECK(blocked_on(32768, false, ROWS, LONG_PASSES) == 1);
    CHECK(blocked_on(4096, false, ROWS, LONG_PASSES) == 0); // busy with lanes that share the loop inside
    CHECK(blocked_on(4096, false, ROWS, EACH "{ s += x[r][t]; if (s > 5) k += t; p[r][t] = k; }") == 1);
    CHECK(blocked_on(1024, false, ROWS, EACH "{ k += a[r][t]; p[r][t] = k; }") == 0); // a device in software
    CHECK(blocked_on(32768, true, ROWS, EACH "{ s += x[r][t]; y[r][t] = s; }") == 0); // in the order of C
    CHECK(blocked_on(32768, true, ROWS, EACH "{ k += a[r][t]; p[r][t] = k; }") == 1);
    CHECK(blocked_on(1 << 22, false, "const int r = 0;",
                     EACH
                     "{ k += a[0][t]; p[0][t] = k; }\n"
                     "#pragma omp parallel for\nfor (int t = 0; t < n; t++) y[0][t] = k;\n") == 1); // sequential code
}
