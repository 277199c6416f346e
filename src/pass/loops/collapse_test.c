// Which inner loops become dimensions of a parallel loop, which are marked for lanes, and which may be neither; and
// that what the interpreter makes of the program stays the same.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "whorl.h"

enum { N = 40 };

static char said_last[2000];
static uint32_t most_dims; // of a parallel loop of the last program

static bool on_loop(void *user, ir_stmt s) {
    const struct ir_unit *u = user;
    if (u->stmts[s].kind == IR_PARFOR && u->stmts[s].parfor.dim_count > most_dims)
        most_dims = u->stmts[s].parfor.dim_count;
    return true;
}

static void interpret(const struct ir_unit *u, int32_t *memory) {
    void *arrays[] = {NULL, memory, memory + N * N, memory + 2 * N * N};
    size_t sizes[] = {0, 4 * N * N, 4 * N * N, 4 * N};
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err;
    for (int i = 0; i < 2 * N * N + N; i++)
        memory[i] = i * 37 % 101 + 1;
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// The statements see n, a[n][n], b[n][n] and c[n]. True if the passes say `word` of some loop.
static bool does(const char *word, const char *statements) {
    static int32_t want[2 * N * N + N], found[2 * N * N + N];
    char text[1500];
    snprintf(text, sizeof text, "void f(int n, int a[n][n], int b[n][n], int c[n]) {\n%s\n}\n", statements);
    *said_last = 0;
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return false;
    interpret(u, want);
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    struct pass_cx passes = {.u = u, .target = &plan_base_target, .explain = &said};
    pass_run(&passes, PASS_STEPS, NULL, NULL);
    interpret(passes.u, found);
    most_dims = 0;
    ir_walk_stmts(passes.u, passes.u->root, on_loop, passes.u);
    CHECK(memcmp(want, found, sizeof want) == 0);
    snprintf(said_last, sizeof said_last, "%s", said.data);
    return strstr(said.data, word) != NULL;
}

#define ALL "#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
#define BELOW "#pragma omp parallel for\nfor (int i = k + 1; i < n; i++) "

TEST(nests_become_one_space) {
    CHECK(does("collapse: ", ALL "for (int j = 0; j < n; j++) a[i][j] = b[i][j] + 1;"));
    CHECK(does("collapse: ", ALL "{ int s = c[i] * 3; for (int j = n - 1; j > 0; j -= 2) a[i][j] += s; }"));
    CHECK(does("collapse: ", ALL "for (int j = 0; j < n; j++) { int s = 0; for (int k = 0; k < n; k++) "
                                 "s += b[i][k] * b[k][j]; a[i][j] = s; }"));
    // elimination: what is read of the row stands before what is written
    CHECK(does("collapse: ", "for (int k = 0; k < n; k++) {\n" BELOW
                             "{ int f = a[i][k] & 7; for (int j = k + 1; j < n; j++) a[i][j] -= f * a[k][j]; } }"));
    CHECK(does("collapse: ", "int s = 0;\n#pragma omp parallel for reduction(+ : s)\n"
                             "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += a[i][j];\nc[0] = s;"));
    CHECK(does("collapse: ", ALL "for (int j = 0; j < n; j++) {\n#pragma omp atomic\nc[b[i][j] % n] += a[i][j]; }"));
}

TEST(one_iteration_is_no_dimension) {
    CHECK(does("collapse: ", "#pragma omp parallel for\nfor (int one = 2; one < 3; one++) "
                             "for (int j = 0; j < n; j++) a[one][j] = b[j][one] + one;"));
    CHECK_EQ_INT(1, most_dims);
    CHECK(does("collapse: ", "#pragma omp parallel for\nfor (int two = 1; two < 3; two++) "
                             "for (int j = 0; j < n; j++) a[two][j] = b[j][two] + two;"));
    CHECK_EQ_INT(2, most_dims);
}

// Few passes, in which there are loops: not where passes side by side would load the same.
TEST(few_passes_that_are_long) {
    CHECK(does("collapse: ", ALL "for (int j = 0; j < 3; j++) { int s = 0; for (int k = 0; k < n; k++) "
                                 "s = s * 3 + b[k][j]; a[i][j] = s; }"));
    CHECK(!does("collapse: ", ALL "for (int j = 0; j < 3; j++) { int s = 0; for (int k = 0; k < n; k++) "
                                  "s = s * 3 + b[i][k] * (j + 1); a[i][j] = s; }"));
    CHECK(!does("collapse: ", ALL "for (int j = 0; j < 3; j++) a[i][j] = b[j][i];"));
}

TEST(loops_of_different_lengths) {
    static const char *const those[] = {
        ALL "for (int j = 0; j < i; j++) a[i][j] = j;",
        ALL "for (int j = i; j < n; j++) a[i][j] += b[i][j];",
        ALL "for (int j = n - 1; j > i; j -= 2) a[i][j] += b[i][j];",
        ALL "for (int j = 1 + (i + 1) % 2; j < n - 1; j += 2) a[i][j] += b[i][j - 1];",
        ALL "{ int from = i / 3; for (int j = from; j < from * 2 + 9; j++) if (j < n) a[i][j] += b[i][j]; }",
        "for (int k = 0; k < n; k++) {\n" BELOW "for (int j = i; j < n; j++) a[i][j] -= b[k][j]; }",
        "for (int k = 0; k < n; k++) {\n" BELOW "for (int j = k; j <= i; j++) a[i][j] -= b[k][j]; }",
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        if (!does("as long as the longest", those[k])) FAIL("%s: %s", those[k], said_last);
}

// Every other cell, of those around it: around the edge they are of the other colour where the row is even (40).
TEST(cells_of_one_colour) {
    static const struct {
        bool apart;
        const char *loop;
    } those[] = {
        {true, "for (int j = i % 2; j < n; j += 2) a[i][j] += a[i][(j + 1) % n] + a[i][j == 0 ? n - 1 : j - 1];"},
        {true, "for (int j = i & 1; j < n; j += 2) { int l = j > 0 ? j - 1 : n - 1; a[i][l] = a[i][j]; }"},
        {true,
         "for (int j = 0; j < n; j += 2) a[i][j] += a[i][(j + n - 3) % n] + a[i][j < n - 5 ? j + 5 : j + 5 - n];"},
        {true, "for (int j = 0; j < n / 2; j++) a[i][j] += a[i][j + n / 2];"},
        {true, "for (int j = 0; j < n; j += 2) a[i][j] += a[i == 0 ? n - 1 : i][n - 1 - j < 7 ? j + 1 : j];"},
        {false, "for (int j = i % 2; j < n; j += 2) a[i][j] += a[i][(j + 2) % n];"},
        {false, "for (int j = i % 2; j < n - 1; j += 2) a[i][j] += a[i][j == 0 ? n - 2 : j - 1];"},
        {false, "for (int j = 0; j < n; j += 3) a[i][j] += a[i][(j + 1) % n];"}, // 40 is no multiple of 3
        {false, "for (int j = 0; j <= n / 2; j++) if (j + n / 2 < n) a[i][j] += a[i][j + n / 2];"},
        {false, "for (int j = 0; j < n; j += 2) a[i][j] += a[i][j > 0 ? j - 1 : 2];"},
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++) {
        char text[300];
        snprintf(text, sizeof text, ALL "%s", those[k].loop);
        if (does("collapse: ", text) != those[k].apart) FAIL("%s: %s", text, said_last);
    }
}

TEST(passes_that_need_each_other_stay_a_loop) {
    static const char *const those[] = {
        ALL "for (int j = 1; j < n; j++) a[i][j] = a[i][j - 1] + b[i][j];",                     // from pass to pass
        ALL "for (int j = 0; j < n; j++) c[i] = c[i] * 3 + a[i][j];",                           // in one element
        ALL "{ int s = 0; for (int j = 0; j < n; j++) { s = s * 3 + a[i][j]; a[i][j] = s; } }", // in a variable
        ALL "for (int j = 0; j < n; j++) a[i][b[i][j] % n] = j;",                               // where the data say
        ALL "for (int j = 0; j < n; j++) a[i][j % 3] = j;",                                     // in one of three
        ALL "for (int j = 0; j < n; j++) { if (a[i][j] > 90) break; a[i][j] = 0; }", // an end that data decide
        ALL "for (int j = 0; j < c[i]; j++) if (j < n) a[i][j] = 0;",                // a length that data decide
        ALL "{ int s = a[i][3]; for (int j = 0; j < n; j++) a[i][j] += s; }",        // reads what a pass writes
        ALL "{ c[i] = 7; for (int j = 0; j < n; j++) a[i][j] += 2; }",               // not to be done n times
        ALL "for (int j = 0; j < n; j++) for (int k = 0; k < n - j; k++) a[i][j + k] += 1;", // passes overlap
        // updates whose order somebody sees, by two operators, in their own place, in a comparison
        ALL "for (int j = 0; j < n; j++) if (b[i][j] > 50)\n#pragma omp atomic\nc[i] &= b[i][j];\nelse\n"
            "#pragma omp atomic\nc[i] += b[i][j];",
        ALL "for (int j = 1; j < n; j++)\n#pragma omp atomic\na[i][j] += a[i][j - 1] + b[i][j];",
        ALL "for (int j = 0; j < n; j++)\n#pragma omp atomic compare\nif (c[i] == j) { c[i] = j + 1; }",
        ALL "{ int seen[3] = {0}; for (int j = 0; j < n; j++) { a[i][j] = seen[j % 3]; seen[j % 3] = j; } }",
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        if (does("collapse: ", those[k])) FAIL("%s: %s", those[k], said_last);
}

// An array that each pass declares is its own, in the copies that rotate makes of a step, too.
TEST(arrays_of_a_pass_are_its_own) {
#define STEP                                                                                                     \
    ALL "for (int j = 0; j < n; j++) { int w[3]; for (int k = 0; k < 3; k++) w[k] = from[(i + 1) % n][j] * k;\n" \
        "to[i][j] = w[j % 3]; }\n"
    CHECK(does("collapse: ", "int (*from)[n] = a, (*to)[n] = b;\n" STEP));
    CHECK(does("collapse: ", "int (*from)[n] = a, (*to)[n] = b, (*other)[n];\n"
                             "for (int t = 0; t < 6; t++) {\n" STEP "other = from; from = to; to = other; }"));
}

TEST(integer_sums_are_shared_out) {
    CHECK(does("share: ", ALL "{ int s = 0; for (int j = 0; j < n; j++) s += b[i][j] * j; c[i] = s; }"));
    CHECK(!does("share: ", ALL "{ int s = 0; for (int j = 0; j < n; j++) s += b[i][j] * j; c[i] = s;\n"
                               "#pragma omp simd\nfor (int j = 0; j < n; j++) a[i][j] += s; }"));
    CHECK(!does("share: ", ALL "{ int s = 0; for (int j = 0; j < n; j++) s = s * 3 + b[i][j]; c[i] = s; }"));
    CHECK(!does("share: ", ALL "{ int s = 0; for (int j = 0; j < 5; j++) s += b[i][j]; c[i] = s; }")); // too short
}

TEST(tear_down) { base_cx_deinit(&cx); }
