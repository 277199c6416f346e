// Which programs have their iterations dealt out to and fro.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                           \
    "unit f\n"                         \
    "in i32 start.1[100001]\n"         \
    "inout f32 x.2[100000]\n"          \
    "inout f32 y.3[100000]\n"          \
    "param i32 n.1\n"                  \
    "dim i32 i.2, i.3\n"               \
    "local i32 k.4, j.5\n"             \
    "{\n"                              \
    "    parfor i.3 in 0 .. 50000 {\n" \
    "        y.3[i.3] = 1.0\n"         \
    "    }\n"

// How many of two parallel loops are: the one above, and one of these iterations with this body.
static int dealt(const char *dims, const char *body) {
    char text[2000];
    snprintf(text, sizeof text, HEAD "    parfor i.2 in %s {\n%s    }\n}\n", dims, body);
    return check_times(" turns {", after(pass_deal, text));
}

#define ROW(lo, hi) "        for j.5 = " lo " .. " hi " {\n            x.2[i.2] = x.2[i.2] * 0.5\n        }\n"

TEST(loops_that_end_when_the_data_say_so) {
    CHECK_EQ_INT(2, dealt("0 .. 100000", "        loop (x.2[i.2] < 1.0) {\n            x.2[i.2] = x.2[i.2] + 0.1\n"
                                         "        }\n"));
    CHECK_EQ_INT(2, dealt("0 .. 100000", "        for j.5 = 0 .. 100 {\n            if (x.2[i.2] > 1.0) {\n"
                                         "                break\n            }\n"
                                         "            x.2[i.2] = x.2[i.2] + 0.1\n        }\n"));
}

TEST(loops_whose_length_the_iteration_decides) {
    CHECK_EQ_INT(2, dealt("0 .. 100000", ROW("0", "i.2")));
    CHECK_EQ_INT(2, dealt("0 .. 100000", ROW("i.2", "100000")));
    CHECK_EQ_INT(2, dealt("0 .. 100000", ROW("start.1[i.2]", "start.1[i.2 + 1]")));
}

// All iterations take as long.
TEST(loops_of_one_length) {
    CHECK_EQ_INT(0, dealt("0 .. 100000", "        x.2[i.2] = 2.0\n"));
    CHECK_EQ_INT(0, dealt("0 .. 100000", ROW("0", "100")));
    CHECK_EQ_INT(0, dealt("0 .. 100000", ROW("0", "n.1")));
    CHECK_EQ_INT(0, dealt("0 .. 1000", ROW("i.2 * 100", "i.2 * 100 + 100")));
    CHECK_EQ_INT(0, dealt("0 .. 100000", ROW("i.2 * 100", "i.2 * 100 + 100")));
}

// One round, or less: the base target is busy with 32,768.
TEST(few_iterations) { CHECK_EQ_INT(0, dealt("0 .. 30000", ROW("0", "i.2"))); }
