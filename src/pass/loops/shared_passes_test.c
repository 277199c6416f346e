// What the passes of a wide loop have in common is done once, and only that; the interpreter gives the same before and
// after.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

enum { N = 72 }; // four divides it
static int32_t memory[2][N + 3 * N * N];

static void run(const struct ir_unit *u, int32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, out, out + N, out + N + N * N, out + N + 2 * N * N};
    size_t sizes[] = {0, 4 * N, 4 * N * N, 4 * N * N, 4 * N * N};
    for (int i = 0; i < N + 3 * N * N; i++)
        out[i] = i * 37 % 101;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 100000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// Loops, that the IR has, of a hundred passes: the one in BODY, as often as it was copied. The body sums up q[i][j].
static int rounds(const char *body) {
    char text[2048];
    snprintf(text, sizeof text,
             "void f(int n, int v[n], int p[n][n], const int q[n][n], int r[n][n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n"
             "int sum = 0;\n"
             "#pragma omp simd reduction(+ : sum)\n"
             "for (int j = 0; j < n; j++) { unsigned at = (unsigned)j; int x = 0, y = i; (void)at; (void)x; (void)y;\n"
             "%s\nsum += q[i][j]; }\n"
             "v[i] = sum;\n}\n}\n",
             body);
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return -1;
    struct base_text said;
    struct plan_target target = plan_base_target;
    target.lanes = 4;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    run(u, memory[0]);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    const char *ir = pass_run(&p, PASS_STEPS, NULL, "widen");
    CHECK_HAS_STR("4 of them side by side", said.data);
    run(p.u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    int count = 0;
    for (const char *s = ir; (s = strstr(s, " .. 100 {")); s++)
        count++;
    if (count == 1) CHECK_HAS_STR("have in common is done once", said.data);
    return count;
}

#define LONG "for (int k = 0; k < 100; k++) "

TEST(once_for_the_passes_of_a_group) {
    CHECK_EQ_INT(1, rounds("x = j / 4; " LONG "x = x * 3 + k; p[i][j] = x % 97 + j;"));
    CHECK_EQ_INT(1, rounds("x = j >> 2; " LONG "x = x * 3 + k; p[i][j] = x % 97 + j;"));
    CHECK_EQ_INT(1, rounds("x = (int)(at / 8u); " LONG "x = x * 3 + k; p[i][j] = x % 97 + (at % 4u == 1u ? 5 : j);"));
    CHECK_EQ_INT(1, rounds("x = j & ~3; " LONG "if (x & 1 << k % 8) x ^= 5; p[i][j] = x + (j & 3);"));
    CHECK_EQ_INT(1, rounds("x = q[i][j / 4]; " LONG "y += x ^ k; p[i][j] = y + (at & 1u ? 2 : j % 2);"));
}

TEST(not_what_differs) {
    CHECK_EQ_INT(4, rounds("x = j / 2; " LONG "x = x * 3 + k; p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = (j + 1) / 4; " LONG "x = x * 3 + k; p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = j & 4; x += j & 1; " LONG "x = x * 3 + k; p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = j / 4; " LONG "x = x * 3 + k * j; p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = j / 4; if (j % 4 > 1) x = 7; " LONG "x = x * 3 + k; p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = j / 4; " LONG "{ if (x + k > j) break; x += 3; } p[i][j] = x % 97;"));
    CHECK_EQ_INT(4, rounds("x = j; " LONG "{ x = x * 3 + y; y += k; } p[i][j] = x % 97; r[i][j] = y;"));
    CHECK_EQ_INT(4, rounds("x = j / 4; " LONG "r[i][(j + k) % n] = x; p[i][j] = x;"));
}

// What a pass reads of a variable must be the value that it has last.
TEST(not_what_is_overwritten) {
    CHECK_EQ_INT(4, rounds("x = j / 4; " LONG "x = x * 3 + k; p[i][j] = x % 97; x = j / 8; r[i][j] = x;"));
    CHECK_EQ_INT(1, rounds("x = j / 4; " LONG "x = x * 3 + k; y = x % 97; x = j / 8; p[i][j] = x; r[i][j] = y;"));
}

// A lane's passes when a row has several numbers in each word. `words`: elements of the array `name` that it loads, 0:
// any. -> passes side by side
static int packed(const char *sum, const char *name, int words) {
    char text[1024], first[64];
    snprintf(text, sizeof text,
             "void f(int n, int v[n], int p[n][n], const int q[n][n], int r[n][n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n"
             "int sum = 0;\n"
             "#pragma omp simd reduction(+ : sum)\n"
             "for (int j = 0; j < 64; j++) { unsigned at = (unsigned)j; (void)at; sum += %s; }\n"
             "v[i] = sum;\n}\n}\n",
             sum);
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return FAIL("%s", base_render_diags(&cx)), -1;
    struct base_text said;
    struct plan_target target = plan_base_target;
    target.lanes = 2;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    run(u, memory[0]);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    const char *ir = pass_run(&p, PASS_STEPS, NULL, "widen");
    run(p.u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    int count = 0, together = 1;
    snprintf(first, sizeof first, "= %s.", name);
    for (const char *s = ir; (s = strstr(s, first)); s++)
        count++;
    if (words) CHECK_EQ_INT(words, count);
    const char *at = strstr(said.data, "passes of the loop");
    if (at) sscanf(strstr(at, "at once, "), "at once, %d", &together);
    return together;
}

TEST(several_in_a_word) {
    CHECK_EQ_INT(32, packed("q[i][j / 8] >> j % 8 * 4 & 15", "q", 4));
    CHECK_EQ_INT(32, packed("(q[i][at >> 3] >> (at & 7u) * 4 & 15) * q[i][at / 32u]", "q", 5));
    CHECK_EQ_INT(8, packed("q[i][j / 2] + q[i][j / 4]", "q", 0));
    CHECK_EQ_INT(4, packed("q[i][j / 8] * q[i][j]", "q", 0));       // the widest elements decide
    CHECK_EQ_INT(4, packed("q[i][j] * q[i][(j + 3) / 8]", "q", 0)); // no row
    CHECK_EQ_INT(4, packed("q[i][j] * q[i][j / 6]", "q", 0));
    CHECK_EQ_INT(4, packed("q[i][j] * q[i][(j - 40) / 8 + 9]", "q", 0));
}
