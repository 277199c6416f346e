// Loops most of whose passes do nothing (leap.c): which they are, and what becomes of them.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plan/program.h"
#include "whorl.h"

#include "pass/compiled_testing.h"

// An iteration with this body. Returns its kernel's text.
static const char *compiled(int n, const char *body) {
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, const float x[n][3000], const int m[n], int y[n][3000], int z[n]) {\n"
             "#pragma omp parallel for\n"
             "for (int i = 0; i < n; i++) {\n%s\n}\n}\n",
             body);
    if (!compile(text, n)) return "";
    return program->plan->kernels[program->plan->kernel_count - 1].wgsl;
}

#define LEAPS "share: in 1 of them they look for the next pass that does something"

static bool leaps(const char *body) {
    compiled(64, body);
    return strstr(said, LEAPS) && strstr(said, "lanes: an iteration");
}

// What a pass leaves in memory that the iteration reads one lane makes, and all know what it left in variables.
TEST(one_lane_makes_what_a_pass_leaves_in_memory) {
    const char *kernel =
        compiled(64, "int have = 0;\nfor (int k = 0; k < 3000; k++) {\nint v = (int)x[i][k];\nif (v > y[i][7]) {\n"
                     "int c = 7;\nwhile (c > 0 && y[i][c - 1] < v) { y[i][c] = y[i][c - 1]; c--; }\n"
                     "y[i][c] = v; have++; } }\nz[i] = have;\n");
    CHECK_HAS_STR(LEAPS, said);
    CHECK_HAS_STR("which wait for what others of them write", said);
    CHECK_HAS_STR("whorl_most(li, select(0, 1, v", kernel); // all of a workgroup make its rounds
    CHECK_HAS_STR("_alone = ", kernel);
    CHECK_HAS_STR("storageBarrier();", kernel);
}

TEST(all_lanes_make_what_a_pass_leaves_in_variables) {
    const char *kernel = compiled(64, "float a = 9, b = 9;\nfor (int k = 0; k < 3000; k++) {\nfloat v = x[i][k];\n"
                                      "if (v < a) { b = a; a = v; } else if (v < b) b = v;\n}\nz[i] = (int)(a + b);\n");
    CHECK_HAS_STR(LEAPS, said);
    CHECK(!strstr(kernel, "_alone"));
    CHECK(!strstr(kernel, "storageBarrier();"));
}

// As many are tried next as passes were made up to the one that did something, and some times more; all where none did.
TEST(more_are_tried_where_little_is_done) {
    const char *kernel = compiled(64, "float a = 9;\nfor (int k = 0; k < 3000; k++)\nif (x[i][k] < a) a = x[i][k];\n"
                                      "else if (x[i][k] > 100) a = a + 1;\nz[i] = (int)a;\n");
    CHECK_HAS_STR(LEAPS, said);
    CHECK_HAS_STR("_room = 1024;", kernel);
    CHECK_HAS_STR("_room), 1024);", kernel);
    CHECK_HAS_STR("_first + 1) * 4, 256), 1024);", kernel);
}

TEST(the_first_of_a_kind) {
    CHECK(leaps("int at = -1;\nfor (int k = 0; k < 3000; k++)\nif (x[i][k] > 3) { at = k; break; }\nz[i] = at;\n"));
    CHECK(leaps("int at = -1;\nfor (int k = m[i] & 7; k < 3000 - (m[i] & 3); k++)\n"
                "if (x[i][k] > 3) { at = k; break; }\nz[i] = at;\n"));
}

// A pass behind the first that does something may look where there is nothing.
TEST(what_a_try_loads_is_within_its_array) {
    const char *kernel = compiled(64, "int at = 0;\nfor (int k = 0; k < 3000; k++)\n"
                                      "if (x[i][k + at] > 3) { at = k - 2999; z[i] = k; }\ny[i][0] = at;\n");
    CHECK_HAS_STR(LEAPS, said);
    CHECK_HAS_STR(", 2999), 0)", kernel);
}

// Each pass does something, or most may: then one after the other is as fast.
TEST(loops_that_do_something) {
    CHECK(!leaps("float a = 0;\nfor (int k = 0; k < 3000; k++) a = a * 0.5f + x[i][k];\nz[i] = (int)a;\n"));
    CHECK(!leaps("int a = 0;\nfor (int k = 0; k < 3000; k++)\n"
                 "if (x[i][k] > 0) { a = a * 3 + k; if (a > 100000) break; }\nz[i] = a;\n"));
    // ... behind a branch that does
    CHECK(!leaps("int a = 0, c = 0;\nfor (int k = 0; k < 3000; k++) {\nint v = (int)x[i][k];\n"
                 "if (v > a) a = v - c % 3;\ny[i][c] = v;\nc++;\n}\nz[i] = a;\n"));
    // elements of neighbouring passes
    CHECK(!leaps("for (int k = 0; k < 2999; k++)\nif (y[i][k] > y[i][k + 1]) {\nint t = y[i][k];\n"
                 "y[i][k] = y[i][k + 1]; y[i][k + 1] = t; }\n"));
}

TEST(loops_that_others_take) {
    CHECK(!leaps("float a = 0;\nfor (int k = 0; k < 3000; k++) if (x[i][k] > a) a = x[i][k];\nz[i] = (int)a;\n"));
    CHECK(!leaps("int a = 0;\nfor (int k = 0; k < 3000; k++) if (x[i][k] > 3) a += k;\nz[i] = a;\n"));
}

TEST(few_lanes_would_wait_more_than_they_spare) {
    compiled(32768, "int at = -1;\nfor (int k = 0; k < 3000; k++)\nif (x[i][k] > 3) { at = k; break; }\nz[i] = at;\n");
    CHECK(!strstr(said, LEAPS));
}

// Lanes that go their own ways do not wait for each other there.
TEST(loops_that_lanes_do_not_come_to) {
    const char *behind = "int b = 9, c = 0;\nfor (int k = 0; k < 3000; k++)\n"
                         "if (x[i][k] > b) { b = (int)x[i][k] - c % 3; c++; }\nz[i] = b + a;\n";
    const char *inside = "for (int k = 0; k < 3000; k++)\nif (x[i][k] > a) { a = (int)x[i][k] - d % 3; d++; }\n";
    char text[1000];
    snprintf(text, sizeof text, "int a = 0, d = 0;\nfor (int r = 0; r < 9; r++) {\n%sif (a > m[r]) break;\n}\n%s",
             inside, behind);
    CHECK_EQ_INT(1, check_times(" = whorl_most(", compiled(64, text)));
    CHECK_HAS_STR(LEAPS, said);
    snprintf(text, sizeof text, "int a = 0, d = 0, r = 0;\nwhile (a > m[r]) {\n%sr++;\n}\n%s", inside, behind);
    CHECK_EQ_INT(1, check_times(" = whorl_most(", compiled(64, text)));
    CHECK_HAS_STR(LEAPS, said);
}

// One invocation looks no further than the next pass that does something.
TEST(lanes_that_do_not_come) {
    const char *kernel = compiled(64, "for (int t = 0; t < 900; t++)\nfor (int k = 1; k < 100; k++)\n"
                                      "if (m[k & 7] > 5) y[i][k] = y[i][k - 1] + y[i][2 * k];"
                                      "\nelse y[i][k * 2] = y[i][k + 7] + y[i][3];\n"
                                      "int a = 9, d = 0;\nfor (int k = 0; k < 3000; k++)\n"
                                      "if (x[i][k] > a) { a = (int)x[i][k] - d % 3; d++; }\nz[i] = a;\n");
    CHECK_HAS_STR(LEAPS, said);
    CHECK(!strstr(said, "lanes: an iteration"));
    const char *tries = strstr(kernel, "_hit = 1;");
    CHECK(tries && strstr(tries, "break;"));
    CHECK(!strstr(kernel, "whorl_most"));
}
