// Which loops make several rounds at a time, and that the interpreter makes the same of them.
#include <stdlib.h>

#include "check.h"
#include "pass/rounds_testing.h"

static void all_passes(struct pass_cx *p) { pass_run(p, PASS_STEPS, NULL, NULL); }

// Rounds that are made at a time in a program with this body; 0: one by one.
static int rounds_of(const char *body) {
    const char *said = rounds_said("butterfly: ", body, all_passes);
    return *said ? atoi(said + strlen("butterfly: ")) : 0;
}

#define UP "for (int h = 1; h < n; h *= 2) "
#define DOWN "for (int h = n / 2; h > 0; h /= 2) "
#define ALL "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define HALF "\n#pragma omp parallel for\nfor (int i = 0; i < n / 2; i++) "
#define PAIR "int a = i / h * 2 * h + i % h, b = a + h; "
#define MIX "unsigned p = x[a], q = x[b]; x[a] = p + q; x[b] = (p - q) * 3; "

TEST(an_iteration_for_each_pair) {
    CHECK_EQ_INT(3, rounds_of(UP HALF "{ " PAIR MIX "}"));
    CHECK_EQ_INT(3, rounds_of(DOWN HALF "{ " PAIR MIX "}"));
    CHECK_EQ_INT(3, rounds_of(UP HALF "{ int k = i & (h - 1), a = (i - k) * 2 + k, b = a | h; " MIX "}"));
    CHECK_EQ_INT(3, rounds_of(UP HALF "{ int a = ((i & ~(h - 1)) << 1) + (i & (h - 1)), b = a ^ h; " MIX "}"));
    CHECK_EQ_INT(4, rounds_of("for (int h = 2; h < n / 2; h *= 2) " HALF "{ " PAIR MIX "}"));
    CHECK_EQ_INT(3, rounds_of("for (int r = 0; r < 3; r++) " UP HALF "{ " PAIR MIX "x[a] += c[i] * r; }"));
}

TEST(an_iteration_for_each_element) {
    CHECK_EQ_INT(3, rounds_of(UP ALL "if (!(i & h)) { int a = i, b = i + h; " MIX "}"));
    CHECK_EQ_INT(3, rounds_of(UP ALL "if ((i & h) != h) { int a = i, b = i | h; " MIX "}"));
    CHECK_EQ_INT(3, rounds_of(DOWN ALL "if (i % (2 * h) < h) { int a = i, b = i + h; " MIX "}"));
    CHECK_EQ_INT(3, rounds_of(DOWN ALL "{ int a = i, b = i ^ h; if (a < b && x[a] > x[b]) { " MIX "} }"));
    CHECK_EQ_INT(3, rounds_of(DOWN ALL "if (i & h) { int a = i, b = i - h; " MIX "}"));
}

// The field of bits moves with two counters.
TEST(a_network_that_sorts) {
    CHECK_EQ_INT(3, rounds_of("for (int k = 2; k <= n; k *= 2) for (int h = k / 2; h > 0; h /= 2)" ALL
                              "{ int j = i ^ h; if (j > i) { unsigned p = x[i], q = x[j];\n"
                              "if ((p > q) == ((i & k) == 0)) { x[i] = q; x[j] = p; } } }"));
}

// As it is mostly written: the condition asks for a bit that the group does not have.
TEST(conditions_on_other_bits) {
    CHECK_EQ_INT(3, rounds_of("for (int k = 2; k <= n; k *= 2) for (int h = k >> 1; h > 0; h >>= 1)" ALL
                              "{ int j = i ^ h; if (j > i) { unsigned t;\n"
                              "if ((i & k) == 0 && x[i] > x[j]) { t = x[i]; x[i] = x[j]; x[j] = t; }\n"
                              "if ((i & k) != 0 && x[i] < x[j]) { t = x[i]; x[i] = x[j]; x[j] = t; } } }"));
    CHECK_EQ_INT(3,
                 rounds_of(UP ALL "if ((i & 1) == 0 || !(i & h)) { if (!(i & h)) { int a = i, b = i + h; " MIX "} }"));
}

TEST(several_elements_and_arrays) {
    CHECK_EQ_INT(3, rounds_of(UP HALF "{ " PAIR MIX "y[a] += x[b] ^ y[b]; y[b] = p; }"));
    // numbers of two words
    CHECK_EQ_INT(4, rounds_of("for (int h = 1; h < n / 2; h *= 2)\n#pragma omp parallel for\n"
                              "for (int i = 0; i < n / 4; i++) { " PAIR
                              "unsigned p = x[2 * a], q = x[2 * a + 1]; x[2 * a] += x[2 * b + 1];\n"
                              "x[2 * a + 1] ^= x[2 * b]; x[2 * b] = p * 3; x[2 * b + 1] = q - 1; }"));
    // four elements an iteration: 16 in two rounds, and 64 in three would be too many
    CHECK_EQ_INT(2, rounds_of("for (int h = 1; 4 * h <= n; h *= 4)\n#pragma omp parallel for\n"
                              "for (int i = 0; i < n / 4; i++) { int a = i / h * 4 * h + i % h;\n"
                              "unsigned p = x[a], q = x[a + h], r = x[a + 2 * h], s = x[a + 3 * h];\n"
                              "x[a] = p + q + r + s; x[a + h] = p - q; x[a + 2 * h] = r - s; x[a + 3 * h] = p * s; }"));
}

// Rounds that read one array and write another are made by threes, so that each group does, too.
TEST(arrays_in_turn) {
    CHECK_EQ_INT(3, rounds_of("unsigned t[n];\nfor (int s = 0; s < 6; s++) {" HALF
                              "{ int st = 1 << s, p = i / st, q = i % st;\n"
                              "unsigned u = x[i], v = x[i + n / 2]; t[q + st * 2 * p] = u + v;\n"
                              "t[q + st * (2 * p + 1)] = (u - v) * (p + 3u); }" ALL "x[i] = t[i];\n}"));
    CHECK_EQ_INT(3, rounds_of("for (int s = 0; s < 6; s += 2) {" ALL "y[i] = x[i] * 3 + x[i ^ 1 << s];" ALL
                              "x[i] = y[i] + y[i ^ 2 << s];\n}"));
}

// Some rounds do more than others: by threes the second group would do what the first does not; by fours there is one.
TEST(rounds_that_differ) {
    CHECK_EQ_INT(4, rounds_of(UP HALF "{ " PAIR MIX "if (h >= 8) { y[a] += p; y[b] ^= y[a]; } }"));
    CHECK_EQ_INT(
        4, rounds_of(UP HALF "{ " PAIR MIX "if (h < 8) { y[a] = p; y[b] = q; } else { y[a] += q; y[b] ^= p; } }"));
    CHECK_EQ_INT(4, rounds_of(DOWN HALF "{ " PAIR MIX "if (h < 8) { y[a] += q; y[b] ^= p; } }"));
    // in two groups of four
    CHECK_EQ_INT(0, rounds_of("for (int r = 0; r < 2; r++) for (int h = 1; h < 16; h *= 2) " HALF "{ " PAIR MIX
                              "if (r * h == 4) { y[a] += q; y[b] ^= p; } }"));
}

TEST(what_stays) {
    // nothing is exchanged
    CHECK_EQ_INT(0, rounds_of("for (int r = 0; r < 6; r++)" ALL "x[i] = x[i] * 3 + c[i] * r;"));
    // sums that carry
    CHECK_EQ_INT(
        0, rounds_of("unsigned t[n];\n" UP "{" ALL "t[i] = i >= h ? x[i] + x[i - h] : x[i];" ALL "x[i] = t[i];\n}"));
    // data say where
    CHECK_EQ_INT(0, rounds_of("unsigned t[n];\n" UP "{" ALL "t[i] = x[i] + x[c[i] % n];" ALL "x[i] = t[i] * h;\n}"));
    // each round stores other elements of y
    CHECK_EQ_INT(0, rounds_of(UP HALF "{ " PAIR MIX "y[a] = x[a]; }"));
    // ... or perhaps none
    CHECK_EQ_INT(0, rounds_of(UP HALF "{ " PAIR MIX "if (p > q) { y[a] = x[a]; y[b] = p; } }"));
    // data say how often
    CHECK_EQ_INT(0, rounds_of("for (int h = 1; h < (int)(c[0] % 5 + 20); h *= 2)" HALF "{ " PAIR MIX "}"));
    // all elements meet in two rounds
    CHECK_EQ_INT(0, rounds_of(UP "{" ALL "y[i] = c[i] * h;" ALL "x[i] += y[n - 1 - i] + h;\n}"));
    // no number of bits
    CHECK_EQ_INT(0, rounds_of("for (int h = 1; h < n / 2; h *= 2)\n#pragma omp parallel for\n"
                              "for (int i = 0; i < n / 2 - 1; i++) { " PAIR "x[a] += x[b]; }"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
