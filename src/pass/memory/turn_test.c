// Which rows go through workgroup memory, which stay where they are, and that what the interpreter makes of the program
// stays the same. (It lets a lane take its own row: that lanes take each other's right, the programs of tests/fresh
// that run on a GPU show.)
#include <stdio.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"

enum { WIDE = 80, MOST = 1024 };
static int32_t memory[2][5 * MOST * WIDE];
static int rows; // n
static uint32_t room;

static void interpret(const struct ir_unit *u, int32_t *words) {
    size_t each = (size_t)rows * WIDE;
    void *arrays[] = {NULL, words, words + each, words + 2 * each, words + 3 * each, words + 4 * each};
    size_t bytes = 4 * each, sizes[] = {0, bytes, each, bytes, bytes, 4 * (size_t)rows};
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err;
    for (size_t i = 0; i < 5 * each; i++)
        words[i] = (int32_t)(i * 37 % 101);
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// The body of a loop over i < n sees x[n][80], c[n][80] of bytes, y[n][80], z[n * 80] and last[n].
static const char *turned(const char *body) {
    static char said_last[3000], text[2000];
    snprintf(text, sizeof text,
             "#define ROW for (int j = 0; j < 80; j++)\n"
             "void f(int n, const int x[n][80], const unsigned char c[n][80], int y[n][80], int z[n * 80], int last[n])"
             " {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { int s = 0; %s last[i] = s; }\n}\n",
             body);
    *said_last = 0;
    struct ir_unit *u = lowered(text, rows);
    if (!u || setjmp(cx.bail)) {
        FAIL("%s", base_render_diags(&cx));
        return "";
    }
    interpret(u, memory[0]);
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    struct plan_target target = plan_base_target;
    target.busy_invocations = 512;
    target.workgroup_bytes = room ? room : 49152;
    struct pass_cx passes = {.u = u, .target = &target, .explain = &said};
    pass_run(&passes, PASS_STEPS, NULL, NULL);
    interpret(passes.u, memory[1]);
    CHECK(memcmp(memory[0], memory[1], sizeof memory[0]) == 0);
    snprintf(said_last, sizeof said_last, "%s%s", said.data, strstr(ir_print(passes.u), " meets") ? "meets" : "");
    return said_last;
}
static bool does(const char *said, const char *what, const char *array) {
    char line[80];
    snprintf(line, sizeof line, " %s rows of '%s' through", what, array);
    return strstr(said, line) != NULL;
}
static bool never(const char *body) { return !strstr(turned(body), "turn:"); }

TEST(rows_of_all_lanes) {
    rows = 512;
    const char *said = turned("ROW { s = s * 3 + x[i][j]; y[i][j] = s; }");
    CHECK(does(said, "loads", "x") && does(said, "stores", "y") && strstr(said, "16 words at a time"));
    rows = 300; // some lanes have none
    said = turned("ROW { s = s * 3 + x[i][j] + c[i][j]; y[i][j] = s; z[i * 80 + j] = s & 7; }");
    CHECK(does(said, "loads", "x") && does(said, "loads", "c") && does(said, "stores", "y") &&
          does(said, "stores", "z"));
    // the last stretch is shorter, and begins elsewhere
    said = turned("for (int j = 3; j < 70; j++) { s = s * 3 + x[i][j - 1]; y[i][j] = s; }");
    CHECK(does(said, "loads", "x") && does(said, "stores", "y"));
    // in a loop that all make alike, and in two
    CHECK(does(turned("for (int t = 0; t < 3; t++) ROW { s = s * 3 + x[i][j]; y[i][j] = s + t; }"), "stores", "y"));
    said = turned("ROW { s = s * 3 + x[i][j]; y[i][j] = s; } y[i][7] = 5; ROW { s += y[i][j]; y[i][j] = s; }");
    CHECK(does(said, "stores", "y") && does(said, "loads and stores", "y"));
}

TEST(what_was_there) {
    rows = 300;
    CHECK(does(turned("ROW { s = s * 3 + x[i][j]; if (s & 4) y[i][j] = s; }"), "loads and stores", "y"));
    CHECK(!does(turned("ROW { s = s * 3 + x[i][j]; if (j % 2 == 0) y[i][j] = s; } "
                       "for (int j = 1; j < 70; j += 2) y[299 - i][j] = s + j;"),
                "loads and stores", "y")); // what the condition leaves is another iteration's
    CHECK(does(turned("ROW { s += x[i][j]; if (s & 4) continue; y[i][j] = s; }"), "loads and stores", "y"));
    CHECK(does(turned("ROW { s += y[i][j]; y[i][j] = s; }"), "loads and stores", "y"));
    CHECK(does(turned("for (int j = 1; j < 80; j++) y[i][j] += y[i][j - 1];"), "loads and stores", "y"));
}

// Lanes take what others stored on their own.
TEST(meetings) {
    rows = 300;
    CHECK(!strstr(turned("ROW { s = s * 3 + x[i][j]; y[i][j] = s; }"), "meets"));
    CHECK(strstr(turned("y[i][7] = 5; ROW s = s * 3 + y[i][j];"), "meets"));
    CHECK(strstr(turned("ROW s = s * 3 + y[i][j]; y[i][7] = s; ROW s = s * 5 + y[i][j];"), "meets"));
    CHECK(strstr(turned("for (int t = 0; t < 3; t++) { ROW s = s * 3 + y[i][j]; y[i][s & 7] = s; }"), "meets"));
    CHECK(strstr(turned("ROW { s = s * 3 + x[i][j]; y[i][j] = s; } s += y[i][7];"), "meets"));
}

// Blocks of an array, of which the last one is shorter.
TEST(ends) {
    rows = 300;
    const char *text = "int end = i * 80 + 80 < n * 80 - 9 ? i * 80 + 80 : n * 80 - 9;"
                       "for (int j = i * 80; j < end; j++) { s = s * 3 + i; z[j] = s; }";
    CHECK(does(turned(text), "stores", "z"));
}

TEST(others) {
    rows = 300;
    CHECK(never("ROW { y[i][j] = x[i][j]; s = 1; }")); // nothing is carried
    CHECK(never("ROW { s += x[i][j]; if (s > 900) break; y[i][j] = s; }"));
    CHECK(!does(turned("ROW { s = s * 3 + x[i][c[i][j] % 80]; }"), "loads", "x"));         // gathers
    CHECK(never("ROW { s = s * 3 + z[j * n + i]; }"));                                     // neighbours already
    CHECK(never("for (int j = 0; j < 16; j++) { s = s * 3 + x[i][j]; y[i][j] = s; }"));    // short
    CHECK(never("ROW { s = s * 3 + z[i * 4 + j]; }"));                                     // they share a sector
    CHECK(never("if (i & 1) ROW { s = s * 3 + x[i][j]; y[i][j] = s; }"));                  // not all come there
    CHECK(never("for (int j = 0; j < 79; j += 2) { s = s * 3 + x[i][j]; y[i][j] = s; }")); // every other word
    CHECK(never("ROW { s = s * 3 + i; if (s & 4) z[i * 40 + j * 2 % 40] = s; }"));         // no row
    CHECK(!does(turned("ROW { s = s * 3 + x[i][j]; y[i][j] = s; y[i][79 - j] = s; }"), "stores", "y"));
    // what is not stored may be another row's
    CHECK(!does(turned("for (int j = 0; j < 96; j++) { s = s * 3 + i; if (j < 80) y[i][j] = s; }"), "stores", "y"));
    rows = 200; // fewer than a workgroup's lanes
    CHECK(never("ROW { s = s * 3 + x[i][j]; y[i][j] = s; }"));
    rows = 300, room = 4096;
    CHECK(never("ROW { s = s * 3 + x[i][j]; y[i][j] = s; }"));
    room = 0;
}

TEST(tear_down) { base_cx_deinit(&cx); }
