// What pass_double_buffer, pass_stage and pass_tile take and what they leave alone, and that the interpreter gives the
// same before and after.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

enum { N = 70 };
static struct plan_target target;

static void like(uint32_t workgroup_bytes, uint32_t busy, uint32_t lanes) {
    target = plan_base_target;
    target.workgroup_bytes = workgroup_bytes;
    target.busy_invocations = busy;
    target.lanes = lanes;
}

static struct ir_unit *lowered_body(const char *body) {
    char text[4096];
    snprintf(text, sizeof text,
             "#define ALL(i) _Pragma(\"omp parallel for\") for (int i = 0; i < n; i++)\n"
             "#define SUM _Pragma(\"omp simd reduction(+ : sum)\") for (int j = 0; j < n; j++)\n"
             "void f(int n, int x[n][2], int v[n], int p[n][n], int q[n][n]) {\n%s}\n",
             body);
    return lowered(text, N);
}

static int32_t memory[2][3 * N + 2 * N * N];

static void run(const struct ir_unit *u, int32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, out, out + 2 * N, out + 3 * N, out + 3 * N + N * N};
    size_t sizes[] = {0, 8 * N, 4 * N, 4 * N * N, 4 * N * N};
    for (int i = 0; i < 3 * N + 2 * N * N; i++)
        out[i] = i * 37 % 101;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 100000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// What the passes of `single` say about the program.
static const char *without; // passes that do not run

static const char *told(const char *body) {
    struct ir_unit *u = lowered_body(body);
    if (!u || setjmp(cx.bail)) return "";
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    run(u, memory[0]);
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    pass_run(&p, PASS_SINGLE, without, NULL);
    CHECK(p.tree != NULL);
    run(p.u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    if (p.tree) run(p.tree, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    return said.data;
}

#define GATHER \
    "ALL(i) { int sum = 0; for (int j = 0; j < n; j++) sum += x[j][0] * i - x[(i + j) % n][1]; v[i] = sum % 97; }\n"

TEST(renew_a_step_that_overwrites_all) {
    like(16384, 32768, 0);
    const char *said = told("for (int t = 0; t < 5; t++) {\n" GATHER
                            "ALL(i) for (int k = 0; k < 2; k++) x[i][k] = (x[i][k] + v[i] + t) % 89;\n}\n");
    CHECK_HAS_STR("double_buffer: steps of the loop at line 4 write 'x' to a second array in turn", said);
    CHECK_HAS_STR("fuse: 3 parallel loops joined", said);
}

// Each of the steps has the sequential loop: its counter has no value after it, so there is nothing that others could
// be told.
TEST(renew_around_a_sequential_loop) {
    like(16384, 32768, 0);
    CHECK_HAS_STR("double_buffer:", told("for (int t = 0; t < 6; t++) {\n"
                                         "ALL(i) x[i][0] = p[0][(i + n - 1) % n] * 3 + v[2];\n"
                                         "ALL(i) v[i] = q[0][(i + n / 2) % n];\n"
                                         "for (int k = 1; k <= 6; k++) p[0][k] = p[0][k - 1] / 2 + k;\n}\n"));
}

TEST(renew_not_where_an_element_may_stay) {
    like(16384, 32768, 0);
    static const char *const left[] = {
        "ALL(i) for (int k = 0; k < 1; k++) x[i][k] = (x[i][k] + v[i]) % 89;\n",
        "ALL(i) for (int k = 0; k < 2; k++) if (v[i] > 3) x[i][k] = v[i] % 89;\n",
        "ALL(i) for (int k = 0; k < 2; k++) { x[i][k] = v[i] % 89; v[i] += x[i][k]; }\n",
        "ALL(i) { x[i][0] = v[i] % 89; x[i][1] = v[i] % 7; }\n",
    };
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        char body[500];
        snprintf(body, sizeof body, "for (int t = 0; t < 4; t++) {\n%s%s}\n", GATHER, left[i]);
        CHECK(!strstr(told(body), "double_buffer:"));
    }
}

#define ROWS(index)                                                               \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int sum = v[i]; SUM sum += x[" index \
    "][0] * (i + j); v[i] = sum % 97; }\n"                                        \
    "ALL(i) x[i][1] = x[i][0] = v[n - 1 - i] % 89;\n}\n"

// Ends that are known to lie between others, and places that follow from a loop's counter.
TEST(stage_what_is_read_from_a_step_on) {
#define STEPS(loop)                                                                                       \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int sum = 0; " loop " v[i] = sum % 97; }\nALL(i) x[i][0] = " \
    "x[i][1] = v[n - 1 - i] % 89;\n}\n"
    like(16384, 32768, 0);
    CHECK_HAS_STR("reads 'x' from workgroup memory\n", told(STEPS("for (int j = t; j < n; j++) sum += x[j][0] * i;")));
    CHECK_HAS_STR("reads 'x' from workgroup memory\n",
                  told(STEPS("for (int j = 0; j < n; j++) { int k = n - 1 - j; sum += x[k][0] * i; }")));
    CHECK_HAS_STR("reads 'x' from workgroup memory\n", told(STEPS("for (int j = 0; j < i; j++) sum += x[j][0] * i;")));
    CHECK(!strstr(told(STEPS("for (int j = n - 3; j < n - t; j++) sum += x[j][0] * i;")), "stage:")); // few passes
    CHECK(!strstr(told(STEPS("for (int j = p[0][0] % 3; j < q[0][1] % 5; j++) sum += x[j][0] * i;")), "stage:"));
}

TEST(stage_rows_at_a_time) {
    like(16384, 32768, 4);
    CHECK_HAS_STR("reads 'x' from workgroup memory\n", told(ROWS("j")));
    like(4096 + 256, 32768, 4);
    CHECK_HAS_STR("reads 'x' from workgroup memory, 32 rows at a time\n", told(ROWS("j")));
    like(4096, 32768, 4);
    CHECK(!strstr(told(ROWS("j")), "stage:"));
    like(4096 + 256, 32768, 4);
    CHECK(!strstr(told(ROWS("n - 1 - j")), "rows at a time")); // not the loop's variable and a constant
    CHECK(!strstr(told(ROWS("(j + i) % n")), "rows at a time"));
    CHECK(!strstr(told(ROWS("j > 0 ? j - 1 : 0")), "rows at a time"));
}

// Parts of rows that are too long as a whole: the elements of a pass count as a row.
#define PARTS(from, row, at)                                                                                         \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int sum = v[i];\n_Pragma(\"omp simd reduction(+ : sum)\")\n"            \
    "for (int j = 0; j < 33; j++) sum += " from "[2][" at "] * (i + j) - " from "[" row "][" at " + 3]; v[i] = sum " \
    "% 97; }\nALL(i) for (int j = 0; j < n; j++) q[i][j] = p[i][j] + v[n - 1 - i] % 89;\n}\n"

TEST(stage_parts_of_rows) {
    like(4096 + 1024, 32768, 4);
    CHECK_HAS_STR("reads 'q' from workgroup memory, 72 rows at a time\n", told(PARTS("q", "5", "2 * j")));
    like(4096 + 320, 32768, 4);
    CHECK_HAS_STR("reads 'q' from workgroup memory, 40 rows at a time\n", told(PARTS("q", "5", "2 * j")));
    like(4096 + 1024, 32768, 4);
    CHECK(!strstr(told(PARTS("q", "i % 5", "2 * j")), "stage:"));
    CHECK(!strstr(told(PARTS("q", "5", "(2 * j + i) % 60")), "stage:"));
    CHECK(!strstr(told(PARTS("q", "5", "66 - 2 * j")), "stage:"));
    CHECK(!strstr(told(PARTS("p", "5", "2 * j")), "stage:")); // nobody writes it
    like(4096, 32768, 4);
    CHECK(!strstr(told(PARTS("q", "5", "2 * j")), "stage:")); // no room
}

// Where the data say which element: many iterations of an invocation look all over a small table.
TEST(stage_tables) {
#define LOOK                                                                                                        \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int k = v[i] & 7; v[i] = x[k][0] % 89; }\nALL(i) x[i][0] = v[n - 1 - " \
    "i];\n}\n"
    like(16384, 2, 0); // so few invocations that each has many iterations
    CHECK_HAS_STR("reads 'x' from workgroup memory\n", told(LOOK));
    like(16384, 32768, 0);
    CHECK(!strstr(told(LOOK), "stage:"));
    like(64, 2, 0);
    CHECK(!strstr(told(LOOK), "stage:")); // no room
}

// What is left of a multiple lies all over the table, too.
TEST(stage_tables_of_transforms) {
#define TERMS(at)                                                                                                \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int sum = 0; for (int j = 0; j < n; j++) sum += x[" at "][0] * j; " \
    "v[i] = sum % 97; }\nALL(i) x[i][0] = v[n - 1 - i];\n}\n"
    like(16384, 32768, 0);
    CHECK_HAS_STR("reads 'x' from workgroup memory\n", told(TERMS("i * j % n")));
    like(64, 32768, 0);
    CHECK(!strstr(told(TERMS("i * j % n")), "stage:")); // no room
    like(16384, 32768, 0);
#define BOUNDED                                                                                          \
    "for (int t = 0; t < 3; t++) {\nALL(i) { int sum = 0, last = v[i] % n; for (int j = 0; j < n; j++) " \
    "sum += p[i][j < last ? j : last]; v[i] = sum % 97; }\nALL(i) p[i][0] = v[n - 1 - i];\n}\n"
    like(65536, 32768, 0);
    CHECK(!strstr(told(BOUNDED), "stage:")); // the data say where rows end
}

#define PLANE(from, to, cell)                                                                                        \
    "_Pragma(\"omp parallel for collapse(2)\") for (int i = 1; i < n - 2; i++) for (int j = 1; j < n - 1; j++)\n" to \
    "[i][j] = (" from "[i][j] + " from "[i - 1][j] * 3 + " cell ") % 61;\n"

TEST(tile_stencils) {
    like(16384, 64, 0);
    CHECK_HAS_STR("in tiles of 8 rows", told("for (int t = 0; t < 3; t++) {\n" PLANE("p", "q", "p[i + 2][j - 1]")
                                                 PLANE("q", "p", "q[i][j + 1]") "}\n"));
    CHECK(!strstr(told("for (int t = 0; t < 3; t++) {\n" PLANE("p", "q", "p[j][i]") PLANE("q", "p", "q[j][i]") "}\n"),
                  "tile:"));
    // drivers take long over many branches
#define GUARDED(k) "(i > 7 && p[i + 1][j + 1] > " #k " ? p[i + 2][j] : p[i][j - 1])"
#define PLANES(cell) "for (int t = 0; t < 3; t++) {\n" PLANE("p", "q", cell) PLANE("q", "p", "q[j][i]") "}\n"
    CHECK_HAS_STR("in tiles of 8 rows", told(PLANES(GUARDED(1) "+" GUARDED(2)))); // pass_ask leaves none
    without = "ask";
    CHECK_HAS_STR("in tiles of 4 rows", told(PLANES(GUARDED(1) "+" GUARDED(2))));
    CHECK(!strstr(told(PLANES(GUARDED(1) "+" GUARDED(2) "+" GUARDED(3))), "tile:"));
    without = NULL;
    like(16384, 65536, 0); // too few tiles for so many
    CHECK(!strstr(
        told("for (int t = 0; t < 3; t++) {\n" PLANE("p", "q", "p[i + 2][j - 1]") PLANE("q", "p", "q[i][j + 1]") "}\n"),
        "tile:"));
}
