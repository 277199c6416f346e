// Which serial loops make loads of several passes first, and that what the interpreter makes of the program stays the
// same, bit by bit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pass/nest_testing.h"

// Two phases a step, so that a program of one dispatch needs barriers. c is written, a and b are not.
#define PROGRAM                                                                                     \
    "for (int t = 0; t < 3; t++) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { %s }\n" \
    "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = x[j] - a[i][t];\n}"

enum { SOFTWARE = 64, SMALL = 4096, LARGE = 65536 }; // invocations that keep a device busy

static const char *gather_for(enum pass_goal goal, uint32_t busy, const char *statements) {
    char text[1200];
    snprintf(text, sizeof text, PROGRAM, statements);
    const char *line = strstr(nest_said(goal, text, busy), "gather: ");
    return line ? line : "";
}
static const char *gather(const char *statements) { return gather_for(PASS_SINGLE, SOFTWARE, statements); }
static bool gathers_for(enum pass_goal goal, uint32_t busy, int passes, int loads, const char *statements) {
    char wanted[60];
    snprintf(wanted, sizeof wanted, "makes %d passes at once, %d loads first", passes, loads);
    return strstr(gather_for(goal, busy, statements), wanted) != NULL;
}
static bool gathers(int passes, int loads, const char *statements) {
    return gathers_for(PASS_SINGLE, SOFTWARE, passes, loads, statements);
}

// Loops of up to 64 passes are unrolled before.
enum { LONG = 70 };

TEST(loads_of_what_phases_write) {
    side = LONG;
    CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i]; x[i] = s;"));
    CHECK(gathers(8, 16, "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i] * c[i][k]; x[i] = s;"));
    CHECK(gathers(4, 12,
                  "float s = 0; for (int k = 1; k < n - 1; k++) s = s * 0.5f + c[k - 1][i] * c[k][i] - c[k + 1][i]; "
                  "x[i] = s;"));
    CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i] * a[k][i]; x[i] = s;"));
    CHECK(gathers(8, 8,
                  "float s = 0, w[2] = {0, 1}; for (int k = 0; k < n; k++) { float v = c[k][i]; w[k & 1] += v; "
                  "if (v > 0) s = s * 0.5f + v; } x[i] = s + w[0] * w[1];"));
    CHECK(!*gather_for(PASS_STEPS, SOFTWARE,
                       "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i]; x[i] = s;"));
}

// Ends that the device computes, or that an array holds: the last round may have fewer passes.
TEST(passes_that_are_not_counted_before) {
    side = LONG;
    CHECK(gathers(8, 8, "float s = 0; for (int k = i / 3; k < i; k++) s = s * 0.5f + c[k][i]; x[i] = s;"));
    CHECK(
        gathers(8, 16, "float s = 0; for (int k = 0; k < t + i / 9; k++) s = s * 0.5f + c[k][i] * c[i][k]; x[i] = s;"));
    CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < (int)a[i][0]; k++) s = s * 0.5f + c[k][i]; x[i] = s;"));
    CHECK(gathers(8, 8,
                  "float s = 0; for (int k = (int)(a[i][1] * a[i][1]); k < (int)a[i][0]; k++) s = s * 0.5f + c[i][k]; "
                  "x[i] = s;"));
    // nothing says that this one ends before its counter overflows
    CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < (int)a[i][0]; k++) s = s * 0.5f + c[k % n][i]; x[i] = s;"));
}

// Indices that are loaded come before what they are indices of.
TEST(indices_that_are_loaded) {
    side = LONG;
#define AT(INDEX) "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[" INDEX "][i]; x[i] = s;"
    CHECK(gathers(8, 16, AT("(int)a[k][i] & 63")));
    CHECK(gathers(8, 16, AT("((int)a[k][i] + (int)b[i][2]) & 63"))); // the second stays the same
    CHECK(gathers(4, 12, AT("((int)a[k][i] + (int)b[i][k]) & 63")));
    CHECK(!*gather(AT("(int)a[(int)b[i][k] & 63][i] & 63"))); // a third level
    CHECK(!*gather(AT("(int)b[i][2] & 63")));                 // always the same place
    CHECK(!*gather(
        "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[(int)a[(int)s & 63][k] & 63][i]; x[i] = s;"));
#undef AT
}

// Where a device has invocations to spare, each has more on its way.
TEST(few_iterations) {
    side = LONG;
    static const char one[] = "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i]; x[i] = s;";
    CHECK(gathers_for(PASS_SINGLE, LONG, 8, 8, one));
    CHECK(gathers_for(PASS_SINGLE, LARGE, 16, 16, one));
}

// Drivers take long over many branches with two sides.
TEST(branches) {
    side = LONG;
#define EITHER(AT) "if (v > " #AT ") { w[k & 1] += v; w[2] -= v; } else { w[k & 3] = s; s -= v; } "
#define BETWEEN(BRANCHES)                                                                                            \
    "float s = 0, w[4] = {0, 1, 2, 3}; for (int k = 0; k < n; k++) { float v = c[k][i]; s = s * 0.5f + v; " BRANCHES \
    "} x[i] = s + w[0] * w[1] + w[2] * w[3];"
    CHECK(gathers(8, 8, BETWEEN(EITHER(1))));
    CHECK(gathers(4, 4, BETWEEN(EITHER(1) EITHER(2) EITHER(3))));
    CHECK(gathers(2, 2, BETWEEN(EITHER(1) EITHER(2) EITHER(3) EITHER(4) EITHER(5) EITHER(6))));
}

// Behind what a pass stores a driver moves no load up, whoever wrote what is loaded, in every strategy.
TEST(loops_that_store) {
    side = LONG;
    static const struct {
        int passes;
        const char *text;
    } taken[] = {
        {16,
         "float s = 0; for (int k = 0; k < n; k++) { float v = c[k][i]; c[k][i] = s; s = s * 0.5f + v; } x[i] = s;"},
        {16, "float s = 0; for (int k = 3; k < n; k++) { float v = c[k][i]; c[k][i] = v + s; s = s * 0.5f + v; } x[i] "
             "= s;"},
        {16, "float s = 0; for (int k = i / 2; k < n - i / 3; k++) { s = s * 0.5f + a[k][i]; c[k][i] = s; } x[i] = s;"},
        {16, "float s = 0; for (int k = i; k < i; k++) { s = s * 0.5f + a[k][i]; c[k][i] = s; } x[i] = s;"},
    };
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        const char *text = taken[k].text;
        if (!gathers_for(PASS_SINGLE, LARGE, taken[k].passes, taken[k].passes, text)) FAIL("single: %s", text);
        if (!*gather_for(PASS_STEPS, LARGE, text)) FAIL("steps: %s", text);
        if (!*gather_for(PASS_EAGER, SMALL, text)) FAIL("eager: %s", text);
    }
    static const char *const left[] = {
        // a pass reads what another one stores
        "float s = 0; for (int k = 0; k < n; k++) { s = s * 0.5f + c[k][i]; c[n - 1 - k][i] = s; } x[i] = s;",
        "float s = 0; for (int k = 0; k < n - 1; k++) { s = s * 0.5f + c[k][i]; c[k + 1][i] = s; } x[i] = s;",
        "float s = 0; for (int k = 0; k < n - 1; k++) { s = s * 0.5f + c[k + 1][i]; c[k][i] = s; } x[i] = s;",
        "float s = 0; for (int k = 0; k < n; k++) { s = s * 0.5f + c[k][i]; c[0][i] = s; } x[i] = s;",
        // or what it stored itself
        "float s = 0; for (int k = 0; k < n; k++) { c[k][i] = s; s = s * 0.5f + c[k][i]; } x[i] = s;",
    };
    for (size_t k = 0; k < sizeof left / sizeof *left; k++)
        if (*gather_for(PASS_SINGLE, LARGE, left[k])) FAIL("%s", left[k]);
}

// Bounds that differ from iteration to iteration: as many passes as ever, also none.
TEST(bounds) {
    side = LONG;
    static const char *const headers[] = {"int k = 0; k < i; k++",          "int k = 0; k <= i; k++",
                                          "int k = 3; k < n - i; k++",      "int k = 2; k < i % 7; k++",
                                          "int k = 0; k < i - 20; k++",     "int k = 1; k < t + 9; k++",
                                          "int k = 5; k < (i * 7) % n; k++"};
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++) {
        char text[400];
        snprintf(text, sizeof text, "float s = 0; for (%s) s = s * 0.5f + c[k][i]; x[i] = s;", headers[h]);
        if (!*gather(text)) FAIL("%s", headers[h]);
    }
    for (side = LONG; side <= MOST; side += 3)
        CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[k][i]; x[i] = s;"));
}

// No driver moves what a pass loads across the branch of the one before, also where nobody writes it.
TEST(loops_with_branches) {
    side = LONG;
    CHECK(gathers(8, 8, "float s = 0; for (int k = 0; k < n; k++) if (a[k][i] > 0) s = s * 0.5f + c[k][i]; x[i] = s;"));
}

TEST(loops_that_stay) {
    side = LONG;
    static const char *const bodies[] = {
        "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + a[k][i]; x[i] = s;", // nobody writes it
        "float s = 0; for (int k = 0; k < n; k++) { s = s * 0.5f + c[k][i]; if (s > 3.0f) break; } x[i] = s;",
        "float s = 0; for (int k = 0; k < n; k++) { s = s * 0.5f + c[k][i]; c[k][i] = s; } x[i] = s;", // in software
        "float s = 0; for (int k = n - 1; k >= 0; k--) s = s * 0.5f + c[k][i]; x[i] = s;",
        "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[(int)s & 7][i]; x[i] = s;",
        "float s = 0; for (int k = 0; k < n; k++) s = s * 0.5f + c[i][0] * a[k][i]; x[i] = s;",
        "float s = 0; for (int k = 0; k < 3; k++) s = s * 0.5f + c[k][i]; x[i] = s;",
    };
    for (size_t k = 0; k < sizeof bodies / sizeof *bodies; k++)
        if (*gather(bodies[k])) FAIL("%s", bodies[k]);
}

// Loops at random: only the bits are looked at.
TEST(at_random) {
    side = LONG;
    for (uint32_t seed = 1; seed <= 150; seed++) {
        dice = seed;
        char text[700];
        snprintf(text, sizeof text,
                 "float s = %s, q = 1.0f; int last = 0; for (int k = %s; k < %s; k++) { float v = c[%s][%s]; %s %s } "
                 "x[i] = s + q + (float)last;",
                 PICK("0.0f", "a[i][2]"), PICK("0", "1", "4"), PICK("n", "i", "n - 3", "i / 2 + 1", "t + 5"),
                 PICK("k", "n - 1 - k", "i"), PICK("i", "k", "(k * 3) % n"),
                 PICK("s = s * 0.5f + v;", "s = v * a[k][i] - s;", "if (v > s) { s = v; last = k; }",
                      "float w = v * v; s = s * 0.25f + w;"),
                 PICK("", "q = q * 0.5f + c[i][k];", "for (int l = 0; l < 2; l++) q = q * 0.5f + v;",
                      "last = k + (v > 0);"));
        (void)gather(text);
    }
}

// The same with stores; each iteration has a column of its own.
TEST(stores_at_random) {
    side = LONG;
    for (uint32_t seed = 1; seed <= 150; seed++) {
        dice = seed;
        char text[700];
        snprintf(text, sizeof text,
                 "float s = %s, q = 1.0f; for (int k = %s; k < %s; k++) { float v = c[%s][i]; %s %s %s } x[i] = s + q;",
                 PICK("0.0f", "a[i][2]"), PICK("0", "1", "i / 3"), PICK("n", "i", "n - 3", "i / 2 + 1", "t + 5"),
                 PICK("k", "n - 1 - k", "i", "k / 2 * 2", "k + 1 - k % 2"),
                 PICK("s = s * 0.5f + v;", "s = v * a[k][i] - s;", "if (v > s) s = v;"),
                 PICK("c[k][i] = s;", "c[k + 1 - k % 2][i] = v;", "c[n - 1 - k][i] = q;", "c[k][i] = q + c[k][i];",
                      "if (s > 1) c[k][i] = v;", "c[0][i] = s;"),
                 PICK("", "q = q * 0.5f + c[k][i];", "q = q * 0.5f + b[i][k];", "s = s + c[n - 1 - k][i];"));
        enum pass_goal goal = (enum pass_goal[]){PASS_EAGER, PASS_STEPS, PASS_SINGLE}[roll(3)];
        (void)gather_for(goal, roll(2) ? LARGE : SMALL, text);
    }
}

enum { ROWS = 3, LENGTH = 6000 };

static void run_rows(const struct ir_unit *u, int length, float *memory) {
    struct whorl_error err;
    void *arrays[] = {NULL, memory, memory + ROWS * LENGTH};
    size_t sizes[] = {0, (size_t)(4 * ROWS * length), 4 * ROWS};
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 1000000};
    for (int i = 0; i < ROWS * LENGTH + ROWS; i++)
        memory[i] = (float)(i * 37 % 101); // whole: sums are exact in any order
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// Passes that a lane makes at once of a loop in a parallel loop of a few iterations, as `pass` says; 0: the loop stays.
static int lane_makes_by(const char *pass, enum pass_goal goal, int length, const char *statements) {
    static float want[ROWS * LENGTH + ROWS], found[ROWS * LENGTH + ROWS];
    char text[1200];
    snprintf(
        text, sizeof text,
        "void f(int n, float c[3][n], float x[3]) {\nfor (int t = 0; t < 3; t++) {\n#pragma omp parallel for\n"
        "for (int i = 0; i < 3; i++) { %s }\n"
        "#pragma omp parallel for\nfor (int j = 0; j < n; j++) c[j %% 3][n - 1 - j] = (float)(t + j %% 7);\n}\n}\n",
        statements);
    struct ir_unit *u = lowered(text, length);
    if (!u || setjmp(cx.bail)) return -1;
    run_rows(u, length, want);
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    struct plan_target target = plan_base_target;
    target.busy_invocations = LARGE;
    target.lanes = 32;
    struct pass_cx p = {.u = u, .target = &target, .explain = &said};
    pass_run(&p, goal, NULL, NULL);
    run_rows(p.u, length, found);
    CHECK(memcmp(want, found, sizeof want) == 0);
    char phrase[40];
    snprintf(phrase, sizeof phrase, "%s: a lane makes ", pass);
    const char *line = strstr(said.data, phrase);
    return line ? atoi(line + strlen(phrase)) : 0;
}
static int lane_makes(enum pass_goal goal, int length, const char *statements) {
    return lane_makes_by("gather", goal, length, statements);
}

// Of a loop that lanes share, each makes several of its passes; not where a copy in workgroup memory may be made, nor
// where the loop is short. (Those from 0 on that only read are widened.)
TEST(loops_that_lanes_share) {
    static const char sum[] = "float s = 0; for (int k = 1; k < n; k++) s += c[i][k]; x[i] = s;",
                      largest[] = "float s = 0; for (int k = 1; k < n; k++) if (c[i][k] > s) s = c[i][k]; x[i] = s;",
                      again[] = "float s = 0; for (int k = 0; k < n; k++) { c[i][k] *= 2; s += c[i][k]; } x[i] = s;",
                      common[] = "float s = 0; for (int k = 1; k < n; k++) s += c[i][k] * c[0][k]; x[i] = s;",
                      short_of[] =
                          "float s = 0; for (int k = n - 300 - t; k < n; k++) s += c[i][k] * c[0][k]; x[i] = s;",
                      counted[] = "float s = 0; for (int k = t; k < n; k++) s += c[i][k] * c[0][k]; x[i] = s;",
                      open[] = "float s = 0; for (int k = (int)c[1][i]; k < n; k++) s += c[i][k] * c[0][k]; x[i] = s;";
    CHECK(lane_makes(PASS_SINGLE, LENGTH, sum) >= 8);
    CHECK(lane_makes(PASS_SINGLE, LENGTH, largest) >= 8);
    CHECK(lane_makes(PASS_STEPS, LENGTH, again) >= 8);  // behind what it stores no driver moves a load up
    CHECK(lane_makes(PASS_SINGLE, LENGTH, again) >= 8); // what it stored stays in a register (promote.c)
    CHECK_EQ_INT(0, lane_makes(PASS_STEPS, LENGTH, sum));
    CHECK_EQ_INT(0, lane_makes(PASS_SINGLE, LENGTH, common));
    CHECK_EQ_INT(0, lane_makes(PASS_SINGLE, LENGTH, open)); // there may be few passes
    CHECK_EQ_INT(4, lane_makes(PASS_SINGLE, LENGTH, counted));
    CHECK_EQ_INT(0, lane_makes(PASS_SINGLE, LENGTH, short_of));
    CHECK_EQ_INT(0, lane_makes(PASS_SINGLE, 100, sum));
}

// Each choice that loads is a branch with two sides: fewer passes at once have it than have a plain sum.
TEST(passes_with_branches_that_lanes_share) {
    static const char sum[] = "float s = 0; for (int k = 0; k < n; k++) s += c[i][k]; x[i] = s;",
                      chosen[] = "float s = 0; for (int k = 0; k < n; k++) s += c[0][k] > 40 ? c[i][k] : 1; x[i] = s;";
    CHECK_EQ_INT(32, lane_makes_by("widen", PASS_STEPS, 1024, sum));
    CHECK_EQ_INT(16, lane_makes_by("widen", PASS_STEPS, 1024, chosen));
}
