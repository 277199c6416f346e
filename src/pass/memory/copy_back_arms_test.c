// Which stores of both arms of a branch come behind it.
#include "check.h"
#include "pass/memory/copy_back.h"
#include "pass/text_testing.h"

static void join(struct pass_cx *p) {
    bool copied[] = {false, true, true, true};
    copy_back_join_arms(p->u, copied, 4);
}

static const char *const head = "unit f\n"
                                "inout i32 x.1[100]\n"
                                "inout i32 y.2[100]\n"
                                "scratch i32 z.3[100]\n"
                                "inout i32 other.4[100]\n"
                                "local i32 k.1\n"
                                "dim i32 i.2\n"
                                "{\n"
                                "    parfor i.2 in 0 .. 99 {\n"
                                "        k.1 = i.2\n";

static void goes(const char *from, const char *to) { becomes(join, head, from, to, "    }\n}\n"); }
static void stays(const char *text) { goes(text, text); }

#define IF(yes, no) "        if (i.2 < 7) {\n" yes "        } else {\n" no "        }\n"
#define SET(to, value) "            " to " = " value "\n"
#define BEHIND(to, value) "        " to " = " value "\n"

TEST(what_both_store) {
    goes(IF(SET("x.1[i.2]", "5"), SET("x.1[i.2]", "6")),
         IF(SET("x.3", "5"), SET("x.3", "6")) BEHIND("x.1[i.2]", "x.3"));
    goes(IF(SET("x.1[i.2]", "5") SET("y.2[k.1]", "1"), SET("y.2[k.1]", "2") SET("x.1[i.2]", "6")),
         IF(SET("x.3", "5") SET("y.4", "1"), SET("y.4", "2") SET("x.3", "6")) BEHIND("x.1[i.2]", "x.3")
             BEHIND("y.2[k.1]", "y.4"));
    goes(IF(SET("x.1[i.2]", "x.1[i.2] + 1") SET("other.4[i.2]", "1"), SET("x.1[i.2]", "6")),
         IF(SET("x.3", "x.1[i.2] + 1") SET("other.4[i.2]", "1"), SET("x.3", "6")) BEHIND("x.1[i.2]", "x.3"));
}

TEST(what_stays) {
    stays(IF(SET("x.1[i.2]", "5"), SET("x.1[i.2 + 1]", "6")));
    stays(IF(SET("x.1[i.2]", "5"), SET("y.2[i.2]", "6")));
    stays(IF(SET("other.4[i.2]", "5"), SET("other.4[i.2]", "6")));
    stays(IF(SET("x.1[i.2]", "5"), SET("x.1[i.2]", "6") SET("x.1[3]", "6")));
    stays(IF(SET("x.1[i.2]", "5"), SET("x.1[i.2]", "6") SET("other.4[i.2]", "x.1[i.2]")));
    stays(IF(SET("x.1[i.2]", "5"), SET("x.1[i.2]", "6") SET("k.1", "x.1[3]")));
    stays(IF(SET("x.1[k.1]", "5") SET("k.1", "3"), SET("x.1[k.1]", "6")));
    stays(IF(SET("x.1[other.4[0]]", "5"), SET("x.1[other.4[0]]", "6") SET("other.4[0]", "3")));
    stays("        if (i.2 < 7) {\n            x.1[i.2] = 5\n        }\n");
}

TEST(what_leaves_the_loop) {
    static const char loop[] = "        for k.1 = 0 .. 5 {\n"
                               "            if (k.1 < i.2) {\n"
                               "                break\n"
                               "                x.1[i.2] = 5\n"
                               "            } else {\n"
                               "                x.1[i.2] = 6\n"
                               "            }\n"
                               "        }\n";
    stays(loop);
}

TEST(tear_down) { base_cx_deinit(&text_cx); }
