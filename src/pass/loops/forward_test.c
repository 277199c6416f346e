// Which bounds are taken from what stands before the loop, and what is left of the variable that they were.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

static void forward(struct pass_cx *p) { pass_forward_bounds(p->u); }

static const char *const head = "unit f\n"
                                "inout i32 x.1[100]\n"
                                "entry i32 len.1\n"
                                "entry i32 t.2\n"
                                "entry i32 u.3\n"
                                "entry i32 step.4\n"
                                "dim i32 i.5\n"
                                "{\n"
                                "    len.1 = x.1[0]\n";

static void goes(const char *from, const char *to) { becomes(forward, head, from, to, "    x.1[1] = len.1\n}\n"); }
static void stays(const char *text) { goes(text, text); }

#define TO(bound) "    parfor i.5 in 0 .. " bound " {\n        x.1[i.5 + 2] = i.5\n    }\n"
#define IN(bound) "        parfor i.5 in 0 .. " bound " {\n            x.1[i.5 + 2] = i.5\n        }\n"

TEST(what_the_host_can_compute) {
    goes("    t.2 = len.1\n" TO("t.2"), TO("len.1"));
    goes("    t.2 = len.1 - 1\n" TO("t.2"), TO("len.1 - 1"));
    goes("    t.2 = (len.1 + 7) / 8\n" TO("t.2"), TO("(len.1 + 7) / 8"));
    goes("    t.2 = len.1 + 7\n    u.3 = t.2 / 8\n" TO("u.3"), TO("(len.1 + 7) / 8"));
    goes("    t.2 = len.1 + 7\n" TO("t.2") "    x.1[2] = t.2\n",
         "    t.2 = len.1 + 7\n" TO("len.1 + 7") "    x.1[2] = t.2\n");
    goes("    for step.4 = 0 .. 9 {\n        t.2 = len.1 - step.4\n" IN("t.2") "        len.1 = x.1[1]\n    }\n",
         "    for step.4 = 0 .. 9 {\n" IN("len.1 - step.4") "        len.1 = x.1[1]\n    }\n");
}

TEST(what_it_cannot) {
    stays("    t.2 = x.1[1]\n" TO("t.2"));
    stays("    u.3 = x.1[1]\n    t.2 = len.1 + u.3\n" TO("t.2")); // two words
    stays("    t.2 = len.1 / x.1[1]\n" TO("t.2"));
    stays("    t.2 = 100 / len.1\n" TO("t.2"));
}

TEST(what_is_not_so_any_more) {
    stays("    t.2 = len.1\n    len.1 = len.1 - 1\n" TO("t.2"));
    stays("    t.2 = len.1\n    if (x.1[1] < 3) {\n        len.1 = 5\n    }\n" TO("t.2"));
    stays("    t.2 = len.1\n    if (x.1[1] < 3) {\n        t.2 = 5\n    }\n" TO("t.2"));
    stays("    t.2 = len.1\n    for step.4 = 0 .. 9 {\n        len.1 = len.1 + x.1[step.4]\n    }\n" TO("t.2"));
    goes("    t.2 = len.1\n" TO("t.2") "    len.1 = len.1 - 1\n" TO("t.2"),
         "    t.2 = len.1\n" TO("len.1") "    len.1 = len.1 - 1\n" TO("t.2"));
}

// A run may begin at a loop's head, and a branch may be one that is not taken.
TEST(what_stays_where_it_is) {
    stays("    t.2 = len.1\n    for step.4 = 0 .. 9 {\n" IN("t.2") "    }\n");
    stays("    t.2 = len.1\n    for step.4 = 0 .. 9 {\n" IN("5") "    }\n" TO("t.2"));
    stays("    if (x.1[1] < 3) {\n        t.2 = len.1 * 9\n" IN("t.2") "    }\n");
    goes("    t.2 = len.1\n    if (x.1[1] < 3) {\n" IN("t.2") "    }\n", //
         "    if (x.1[1] < 3) {\n" IN("len.1") "    }\n");
}

TEST(tear_down) { base_cx_deinit(&text_cx); }
