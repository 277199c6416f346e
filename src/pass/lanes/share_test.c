// Which loops lanes may share though nobody asked for it, and where each lane has elements of its own.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

// Loops that carry the word after the pass, of `loops` in a parallel loop of `rows` iterations, on a device that `busy`
// invocations keep busy.
static int loops_of(const char *word, const char *pass, const char *loops, int rows, uint32_t busy, bool keep_order) {
    char text[2048];
    snprintf(text, sizeof text,
             "void f(int n, const float a[%d][n], const float b[n][%d], const float x[n], const int m[n], float y[%d], "
             "float p[%d][n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < %d; i++) {\n"
             "float s = 0.0f, t = 1.0f; int k = 0;\n"
             "%s\n"
             "y[i] = s + t + (float)k;\n}\n}\n",
             rows, rows, rows, rows, rows, loops);
    struct ir_unit *u = lowered(text, 200);
    if (!u || setjmp(cx.bail)) return -1;
    struct base_text said;
    return check_times(word, run_passes(u, PASS_EAGER, pass, busy, keep_order, &said));
}
static int loops_with(const char *word, const char *pass, const char *loops, int rows, bool keep_order) {
    return loops_of(word, pass, loops, rows, 1000, keep_order);
}
static int marked(const char *loops, int rows, bool keep_order) {
    return loops_with(" free {", "share", loops, rows, keep_order);
}

#define LOOP "for (int j = 0; j < n; j++) "
#define LOOP2 "for (int l = 0; l < 3; l++) "

TEST(sums_of_few_iterations) {
    CHECK_EQ_INT(1, marked(LOOP "s += b[j][i];", 100, false));
    CHECK_EQ_INT(1, marked(LOOP "if (m[j] > i) { s += b[j][i]; k++; }", 100, false));
    CHECK_EQ_INT(1, marked(LOOP "t *= 0.5f + b[j][i];", 100, false));
    CHECK_EQ_INT(1, marked(LOOP "s = b[j][i] > s ? b[j][i] : s;", 100, false));
    CHECK_EQ_INT(1, marked(LOOP "if (s > b[j][i] * t) s = b[j][i] * t;", 100, false));
    CHECK_EQ_INT(0, marked(LOOP "s = s > b[j][i] ? s : b[j][i];", 100, false)); // takes what is no number
    CHECK_EQ_INT(0, marked(LOOP "if (b[j][i] > s) { s = b[j][i]; k++; }", 100, false));
    CHECK_EQ_INT(0, marked(LOOP "if (b[j][i] > s) s = 2.0f * b[j][i];", 100, false));
    CHECK_EQ_INT(0, marked(LOOP "s = s * 0.5f + b[j][i];", 100, false));
    CHECK_EQ_INT(0, marked(LOOP "if (s < 9.0f) s += b[j][i];", 100, false));
}

#define SEARCH LOOP "if (b[j][i] > s) { s = b[j][i]; k = j; }"

// Passes of a search may come in any order where the condition says which one is kept.
TEST(searches) {
    static const char *const with[] = {
        SEARCH,
        LOOP "if (s >= b[j][i]) { k = j * 2 + i; s = b[j][i]; }",
        LOOP "{ if (m[j] == i) continue; float c = b[j][i] * x[j]; if (c < s) { s = c; k = m[j]; t = x[j]; } }",
        LOOP "if (m[j] > 3 && b[j][i] <= s) { s = b[j][i]; k = j; }",
        LOOP "if (b[j][i] < s || (b[j][i] == s && j < k)) { s = b[j][i]; k = j; t = x[j]; }",
        LOOP "{ float c = 0.0f; " LOOP2 "c += b[j][l]; if (c < s) { s = c; k = j; } }",
        LOOP "{ if (b[j][i] < s) { s = b[j][i]; k = j; } t += x[j]; }",
        LOOP LOOP2 "{ float c = b[j][l] * x[j]; if (c < s) { s = c; k = 4 * j + l; } }",
        "for (int j = n - 1; j >= 0; j--) for (int l = j + 1; l < n; l++) if (b[j][l] > s) { s = b[j][l]; k = j; t = "
        "x[l]; }",
        LOOP LOOP2 "if (b[j][l] < s || (b[j][l] == s && j > k)) { s = b[j][l]; k = j; t = x[l]; }", // a key says which
        "int most = 0; " LOOP
        "if (m[j] > most || (most == m[j] && k > m[j] + i)) { most = m[j]; k = m[j] + i; } k += most;",
        "int most = 0; " LOOP
        "{ if (b[j][i] < s) { s = b[j][i]; k = j; } if (m[j] > most) { most = m[j]; t = x[j]; } }",
    };
    static const char *const without[] = {
        LOOP "if (b[j][i] > s) { s = b[j][i]; k = k + j; }",
        LOOP "if (b[j][i] > s) { s = b[j][i] * 2.0f; k = j; }",
        LOOP "if (b[j][i] > s) { t = s; s = b[j][i]; }",
        LOOP "{ if (b[j][i] > s) { s = b[j][i]; k = j; } t += s; }",
        LOOP "if (b[j][i] > s && j > k + 3) { s = b[j][i]; k = j; }",
        LOOP "if (k < 0 || b[j][i] > s) { s = b[j][i]; k = j; }",
        LOOP "if (b[j][i] > s) { s = b[j][i]; k = j; } else t = x[j];",
        LOOP "if (b[j][i] < s || (b[j][i] == s && m[j] < k)) { s = b[j][i]; k = m[j]; }", // of which zero?
        "int most = 0; " LOOP
        "if (m[j] > most || (most == m[j] && m[j] < k)) { most = m[j]; k = m[j]; t = x[j]; } k += most;",
        LOOP "if (b[j][i] < s || (b[j][i] == s && x[j] < t)) { s = b[j][i]; t = x[j]; }",
        LOOP "if (b[j][i] < s || (b[j][i] == s && j <= k)) { s = b[j][i]; k = j; }",
        LOOP "if (b[j][i] > s) { s = b[j][i]; k = j; p[i][j] = s; }",
        LOOP LOOP2 "{ float c = b[j][l] * x[j]; if (c <= s) { s = c; k = 4 * j + l; } }", // the last of a pass
        LOOP LOOP2 "if (m[l] > j) { if (b[j][l] <= s) { s = b[j][l]; k = l; } } else t += x[j];",
        LOOP LOOP2 "if (m[l] > j) t += x[j]; else { if (b[j][l] <= s) { s = b[j][l]; k = l; } }",
        LOOP "{ s = 9.0f; " LOOP2 "if (b[j][l] < s) { s = b[j][l]; k = l; } t += s; }",
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        if (marked(with[k], 100, false) != 1) FAIL("%s", with[k]);
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        if (marked(without[k], 100, false)) FAIL("%s", without[k]);
    CHECK_EQ_INT(1, marked(SEARCH, 100, true));
    CHECK_EQ_INT(0, marked(LOOP "if (a[i][j] > s) { s = a[i][j]; k = j; }", 5000, false)); // enough iterations
}

// What lanes keep: the best and its place, and what does not follow from that.
TEST(places_of_searches) {
    CHECK_EQ_INT(1, loops_with(" reduce(gt s.", "lanes", SEARCH, 10, false));
    CHECK_EQ_INT(1, loops_with(" reduce(min place.", "lanes", SEARCH, 10, false));
    CHECK_EQ_INT(0, loops_with(" reduce(select", "lanes", SEARCH, 10, false));
    CHECK_EQ_INT(1, loops_with("reduce(max place.", "lanes", LOOP "if (x[j] <= s) { s = x[j]; k = j; }", 10, false));
    CHECK_EQ_INT(1, loops_with("reduce(max place.", "lanes",
                               "for (int j = n - 1; j >= 0; j--) if (x[j] < s) { s = x[j]; k = j; }", 10, false));
    CHECK_EQ_INT(1, loops_with("reduce(select k.", "lanes", LOOP "if (x[j] < s) { s = x[j]; k = m[j]; }", 10, false));
    CHECK_EQ_INT(1, loops_with("reduce(lt s.", "lanes",
                               LOOP "if (x[j] < s || (x[j] == s && j > k)) { s = x[j]; k = j; }", 10, false));
    CHECK_EQ_INT(
        0, loops_with("place.", "lanes", LOOP "if (x[j] < s || (x[j] == s && j > k)) { s = x[j]; k = j; }", 10, false));
}

// What is left to each lane may not be nearly all.
TEST(few_of_the_passes) {
    CHECK_EQ_INT(1, marked("for (int j = 0; j < 80; j++) t *= x[i];" LOOP "s = s * 0.5f + b[j][i];", 100, false));
    CHECK_EQ_INT(0, marked("for (int j = 0; j < 40; j++) t *= x[i];" LOOP LOOP2 "s = s * 0.5f + b[j][i];", 100, false));
}

// Bounds that differ from iteration to iteration, or from step to step, are taken for half of what they allow.
TEST(bounds_that_are_no_constants) {
    CHECK_EQ_INT(1, marked("for (int j = 0; j <= i; j++) s += b[j][i];", 100, false));
    CHECK_EQ_INT(1, marked("for (int j = i; j < n; j++) s += b[j][i];", 100, false));
    CHECK_EQ_INT(0, marked("for (int j = 0; j < i; j++) s += b[j][i];", 50, false));        // 25, say: too few
    CHECK_EQ_INT(0, marked("for (int j = 0; j < m[i]; j++) s += x[j % 200];", 100, false)); // may be any number
    CHECK_EQ_INT(1, marked("for (int j = 0; j < m[i]; j++) s += x[j];", 100, false));       // not more than elements
    CHECK_EQ_INT(0, marked("for (int j = 0; j < i; j++) s = s * 0.5f + b[j][i];", 100, false));
    CHECK_EQ_INT(0, marked("for (int j = 0; j < 40; j++) t *= x[j]; for (int j = 0; j < n; j++) "
                           "for (int l = 0; l < i; l++) s = s * 0.5f + b[j][l];",
                           100, false)); // most is left to each lane
}

// What a loop leaves in a local array is for the iteration, not for a lane.
TEST(local_arrays) {
    CHECK_EQ_INT(0, marked("float c[40]; for (int j = 0; j < 40; j++) c[j] = x[j]; "
                           "for (int j = 1; j < 40; j++) s = s * c[j - 1] + c[j];",
                           100, false));
}

TEST(the_order_of_c) {
    CHECK_EQ_INT(0, marked(LOOP "s += b[j][i];", 100, true));
    CHECK_EQ_INT(1, marked(LOOP "k += m[j] ^ i;", 100, true));
}

// Enough iterations: lanes pay for rows, which one lane an iteration would load word by word.
TEST(rows) {
    CHECK_EQ_INT(1, marked(LOOP "s += a[i][j] * x[j];", 5000, false));
    CHECK_EQ_INT(0, marked(LOOP "s += b[j][i] * x[j];", 5000, false));
    CHECK_EQ_INT(0, marked(LOOP "s += a[i][j] * b[j][i];", 5000, false));
    CHECK_EQ_INT(0, marked("for (int j = 0; j < 64; j++) s += a[i][j] * x[j];", 5000, false));
    CHECK_EQ_INT(0, marked(LOOP "s += a[i][j] * x[j];", 5000, true));
    CHECK_EQ_INT(2, marked(LOOP "s += a[i][j] * x[j]; " LOOP "t *= a[i][j];", 5000, false));
    CHECK_EQ_INT(0, marked(LOOP "s += a[i][j] * x[j]; " LOOP "t = t * 0.5f + a[i][j];", 5000, false));
    CHECK_EQ_INT(1,
                 marked("for (int t = 0; t < 80; t++) " LOOP "s += a[i][j] * x[j];", 5000, false)); // again and again
}

// A row that one loop writes and another reads: a lane makes the same passes of both.
TEST(elements_of_their_own) {
    static const char *const with[] = {
        LOOP "{ p[i][j] = a[i][j] * 2.0f; s += p[i][j]; } " LOOP "p[i][j] /= s;",
        LOOP "p[i][j] = a[i][j] * 2.0f; " LOOP "s += p[i][j]; " LOOP "p[i][j] -= s;",
    };
    static const char *const without[] = {
        LOOP "p[i][j] = a[i][j]; " LOOP "s += p[i][n - 1 - j];",
        LOOP "p[i][j] = a[i][j]; t = p[i][3];",
        LOOP "p[i][j] = a[i][j]; for (int j = 0; j < n; j += 2) s += p[i][j];",
        LOOP "p[i][j] = a[i][j]; " LOOP "t = t * 0.5f + p[i][j];",
        LOOP "p[i][j] = a[i][j]; if (k == 0) t = p[i][0];",
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        if (loops_with(" own ", "widen", with[k], 30, false) < 2) FAIL("%s", with[k]);
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        if (loops_with(" own ", "widen", without[k], 30, false)) FAIL("%s", without[k]);
}

// What one lane writes and another one touches later: they meet in between.
TEST(elements_of_each_other) {
    static const char *const with[] = {
        LOOP "p[i][j] = a[i][j]; for (int j = 1; j < n; j++) p[i][j] *= x[j];",
        LOOP "p[i][j] = a[i][j]; " LOOP "s += p[i][n - 1 - j];",
        LOOP "p[i][j] = a[i][j]; for (int j = 0; j < n; j += 2) s += p[i][j];",
        LOOP "p[i][j] = a[i][j]; t = p[i][3]; " LOOP "s += t * x[j];",
        LOOP "p[i][j] = a[i][j]; " LOOP "{ float v = 0; for (int k = 0; k < n; k++) v += p[i][k] * b[k][0]; t += v; }",
    };
    static const char *const without[] = {
        LOOP "p[i][j] = a[i][j]; " LOOP "s += p[i][j];", // each lane reads what it wrote itself
        LOOP "s += a[i][j]; " LOOP "t += a[i][n - 1 - j] * s;",
        LOOP "s += a[i][j]; y[i] = s;",
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++)
        if (loops_with("meet\n", "widen", with[k], 30, false) != 1) FAIL("%s", with[k]);
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        if (loops_with("meet\n", "widen", without[k], 30, false)) FAIL("%s", without[k]);
    // a pass reads what another one writes
    CHECK(!loops_with("meet\n", "widen", "for (int j = 1; j < n; j++) p[i][j] += p[i][j - 1]; " LOOP "s += p[i][j];",
                      30, false));
}

// Nothing orders the stores of two lanes: an element that several loops write, or one loop in several passes of
// another, belongs to one lane, or they meet in between.
TEST(stores_to_one_element) {
    static const struct {
        const char *loops;
        int shared;
    } cases[] = {
        {LOOP "p[i][j] = a[i][j]; " LOOP "p[i][j] = x[j];", 2},
        {LOOP "p[i][j] = a[i][j]; for (int j = 1; j < n; j++) p[i][j] = x[j];", 2}, // they meet
        {"for (int j = 0; j < 100; j++) p[i][j] = a[i][j]; for (int j = 100; j < n; j++) p[i][j] = x[j];", 2},
        {"for (int j = 0; j < 101; j++) p[i][j] = a[i][j]; for (int j = 100; j < n; j++) p[i][j] = x[j];", 2},
        {LOOP "p[i][j] = a[i][j]; p[i][77] = 2.0f;", 1},
        {"for (int j = 0; j < 160; j++) p[i][j] = a[i][j]; p[i][177] = 2.0f;", 1},
        {"for (int l = 0; l < n; l++) { int b = m[l] & 7;\n#pragma omp simd\n"
         "for (int j = b; j < 150; j++) p[i][j] = x[j] + (float)l; }",
         4}, // in each pass of the other loop
        {"for (int l = 0; l < n; l++) { int b = m[l] & 7;\n#pragma omp simd\n"
         "for (int j = b; j < 150; j++) t += x[j] * (float)l; }",
         1},
        {"for (int l = 0; l < 4; l++)\n#pragma omp simd\nfor (int j = 0; j < 50; j++) p[i][l * 50 + j] = x[j];", 4},
        {"for (int l = 0; l < 4; l++)\n#pragma omp simd\nfor (int j = 0; j < 50; j++) p[i][l * 49 + j] = x[j];",
         4}, // they meet
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int shared = loops_with(" lanes", "lanes", cases[k].loops, 30, false);
        if (shared != cases[k].shared + (cases[k].shared > 0)) FAIL("%d: %s", shared, cases[k].loops);
    }
}

// 32 lanes make the 200 passes of LOOP, 7 each, or 128 lanes 2; a driver in software ends what makes 65,535, on others
// it takes long.
TEST(how_long_a_lane_may_be) {
    enum { SOFTWARE = 1000, HARDWARE = 65536 };
    static const char loops[] = LOOP "for (int q = 0; q < %d; q++) s += b[j][i] / (float)(q + 1);";
    static const struct {
        int inner;
        uint32_t busy;
        const char *outer_word, *inner_word;
        int outer, shared;
    } cases[] = {
        {2000, SOFTWARE, " .. 200 simd free {", " .. 2000 simd free {", 1, 0},
        {5000, SOFTWARE, " .. 200 simd free {", " .. 5000 simd free {", 0, 1},
        {40000, SOFTWARE, " .. 200 simd free {", " .. 40000 simd free {", 0, 0},
        {40000, HARDWARE, " .. 200 simd free {", " .. 40000 simd free {", 1, 0},
        {1200000, HARDWARE, " .. 200 simd free {", " .. 1200000 simd free {", 0, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text, loops, cases[k].inner);
        CHECK_EQ_INT(cases[k].outer, loops_of(cases[k].outer_word, "share", text, 30, cases[k].busy, false));
        CHECK_EQ_INT(cases[k].shared, loops_of(cases[k].inner_word, "share", text, 30, cases[k].busy, false));
    }
}

// The local array c stays one: it is named by more than its declaration.
static bool keeps_array(const char *loops, bool keep_order) {
    return loops_with(" c.7[", "share", loops, 100, keep_order) > 1;
}

#define EACH "for (int q = 0; q < 3; q++) "

// Its elements become sums of their own.
TEST(sums_in_small_arrays) {
    static const struct {
        const char *loops;
        int marked;
    } with[] = {
        {"float c[3] = {0}; " LOOP EACH "c[q] += b[j][i] * x[q]; " EACH "s += c[q];", 1},
        {"float c[3] = {0}; " LOOP "if (m[j] > i) " EACH "c[q] += x[j]; " EACH "s += c[q];", 1},
        {"float c[3][2] = {{0}}; " LOOP EACH "for (int o = 0; o < 2; o++) c[q][o] -= b[j][i]; s = c[1][1];", 1},
        {"float c[3][3] = {{0}}; " LOOP EACH "for (int o = 0; o <= q; o++) c[q][o] += x[j] * x[o]; s = c[2][1];", 1},
        {"float c[4] = {0}; " LOOP "for (int o = 0; o < 2; o++) for (int q = 0; q < 2; q++) "
         "{ int at = 2 * o + q; c[at] += x[j]; } s = c[3];",
         1},
        {"int c[2] = {0}; " LOOP "{ c[0] += m[j]; if (m[j] > 3) c[1]++; } k = c[0] - c[1];", 1},
        {"float c[3] = {0}; " LOOP EACH "if (b[j][i] * x[q] > c[q]) c[q] = b[j][i] * x[q]; s = c[1];", 1},
        {"float c[3] = {0}; " EACH LOOP "c[q] += b[j][i] * x[q]; s = c[0] + c[1] + c[2];", 3},
        {"float c[32] = {0}; " LOOP "for (int q = 0; q < 32; q++) c[q] += x[j] * (float)q; "
         "for (int q = 0; q < 32; q++) s += c[q];",
         1},
        {"float c[2] = {0}, d[2]; " LOOP "{ d[0] = x[j]; d[1] = b[j][i]; c[0] += d[0]; c[1] += d[1]; } s = c[0];", 1},
        // data choose the element
        {"float c[4] = {0}; " LOOP "c[m[j] & 3] += x[j]; s = c[1] - c[3];", 1},
        {"float c[4] = {0}; " LOOP "if (m[j] > 0) c[m[j] & 3] = x[j] + c[m[j] & 3]; s = c[1];", 1},
        {"int c[16] = {0}; " LOOP "c[m[j] & 15]++; for (int q = 0; q < 16; q++) k += c[q] * q;", 1},
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        if (marked(with[k].loops, 100, false) != with[k].marked) FAIL("not shared: %s", with[k].loops);
        if (keeps_array(with[k].loops, false)) FAIL("in memory: %s", with[k].loops);
    }
    CHECK_EQ_INT(0, marked(with[0].loops, 100, true));
    CHECK(keeps_array(with[0].loops, true));
    CHECK_EQ_INT(1, marked(with[5].loops, 100, true));
}

// What stands around the loop chooses elements by data, or has too many of them.
TEST(sums_in_arrays_of_the_loop) {
    static const struct {
        const char *loops;
        int marked;
    } with[] = {
        {"float c[4] = {1, 2, 3, 4}; " LOOP "{ c[0] += x[j]; c[3] += b[j][i]; } s = c[m[i] & 3];", 1},
        {"int c[4] = {0}; c[m[i] & 3] = 7; " LOOP "{ c[0] += m[j]; if (m[j] > 3) c[1]++; } k = c[m[i] & 1];", 1},
        {"float c[6][6] = {{0}}, d[2]; " LOOP "{ d[0] = x[j]; d[1] = b[j][i]; for (int q = 0; q < 6; q++) "
         "for (int o = 0; o < 6; o++) c[q][o] += d[q % 2] * d[o % 2]; } s = c[1][5];",
         1},
        {"float c[4] = {0}; " LOOP "c[0] += x[j]; c[m[i] & 3] += 2; " LOOP "c[1] += x[j]; s = c[m[i] & 3];", 2},
        {"float c[4] = {0}; " LOOP "c[m[j] & 3] += x[j]; s = c[m[i] & 3];", 1},
    };
    for (size_t k = 0; k < sizeof with / sizeof *with; k++) {
        if (marked(with[k].loops, 100, false) != with[k].marked) FAIL("not shared: %s", with[k].loops);
        if (!keeps_array(with[k].loops, false)) FAIL("not in memory: %s", with[k].loops);
    }
}

TEST(arrays_that_stay) {
    static const char *const without[] = {
        "float c[3] = {0}; " LOOP EACH "{ c[q] += x[j]; s += c[q]; }",
        "float c[3] = {0}; " LOOP "{ c[0] += x[j]; p[i][j] = c[0]; }",
        "float c[3] = {0}; " LOOP EACH "c[q] = c[q] * 0.5f + x[j]; s = c[1];",
        "float c[3] = {0}; " LOOP "{ c[0] += x[j]; c[0] *= 0.5f; } s = c[0];",
        "float c[3] = {0}; " LOOP "if (c[1] < 9.0f) " EACH "c[q] += x[j]; s = c[1];",
        "float c[3] = {0}; " LOOP EACH "c[q] = x[j]; s = c[1];",
        "float c[3] = {0}; " LOOP "{ c[2] += c[1]; c[1] += c[0]; c[0] += x[j]; } s = c[2];",
        "float c[4] = {0}; " LOOP "c[j & 3] += x[j]; s = c[1];",
        "float c[17] = {0}; " LOOP "c[m[j] & 15] += x[j]; s = c[1];",
        "float c[4] = {0}; " LOOP "c[m[j] & 3] = c[m[j] & 3] * x[j] + 1; s = c[1];",
        "float c[4] = {0}; " LOOP "c[m[j] & 3] += c[1]; s = c[1];",
        "float c[4] = {0}; " LOOP "c[m[j] & 3] = c[m[j + 1] & 3] + x[j]; s = c[1];",
        "int c[4] = {0}; " LOOP "c[c[1] & 3] += m[j]; k = c[1];",
        "float c[9][8] = {{0}}; " LOOP
        "for (int q = 0; q < 9; q++) for (int o = 0; o < 8; o++) c[q][o] += x[j]; s = c[1][5];",
        "float c[32] = {0}, d[33] = {0}; " LOOP
        "{ for (int q = 0; q < 32; q++) c[q] += x[j]; for (int q = 0; q < 33; q++) d[q] += x[j]; } for (int q = 0; q < "
        "32; q++) s += c[q] + d[q + 1] * d[q];",
        "float c[4] = {0}; " LOOP "{ c[0] += x[j]; c[1] = x[j]; } s = c[m[i] & 3];",
    };
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) {
        if (marked(without[k], 100, false)) FAIL("shared: %s", without[k]);
        if (!keeps_array(without[k], false)) FAIL("not in memory: %s", without[k]);
    }
}
