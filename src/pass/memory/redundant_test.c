// Which loads of an iteration take the value of one before them, and which do not.
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define BEGIN              \
    "unit f\n"             \
    "inout f32 x.1[8]\n"   \
    "inout f32 y.2[8]\n"   \
    "inout i32 at.3[8]\n"  \
    "in f32 w.4[8]\n"      \
    "inout i32 n.5[8]\n"   \
    "dim i32 i.1\n"        \
    "local i32 k.2, j.3\n" \
    "local f32 s.4\n"      \
    "{\n"                  \
    "    parfor i.1 in 0 .. 8 {\n"
#define END   \
    "    }\n" \
    "}\n"

static const char *text_of(const char *body) {
    static char text[4000];
    snprintf(text, sizeof text, "%s%s%s", BEGIN, body, END);
    return text;
}
static void keeps(const char *from, const char *to) {
    char want[4000];
    snprintf(want, sizeof want, "{\n    parfor i.1 in 0 .. 8 {\n%s%s", to, END);
    CHECK_EQ_STR(want, after(pass_redundant, text_of(from)));
}
static void stays(const char *text) { keeps(text, text); }

#define FIRST "        y.2[i.1] = x.1[i.1] * 0.5\n"
#define AGAIN "        y.2[i.1] = y.2[i.1] + x.1[i.1]\n"

TEST(a_load_behind_a_store_elsewhere) {
    keeps(FIRST AGAIN, "        x_kept.5 = x.1[i.1]\n"
                       "        y.2[i.1] = x_kept.5 * 0.5\n"
                       "        y.2[i.1] = y.2[i.1] + x_kept.5\n");
}

TEST(also_in_a_branch_and_in_a_loop) {
    keeps(FIRST "        for j.3 = 0 .. 3 {\n            y.2[j.3] = x.1[i.1]\n        }\n",
          "        x_kept.5 = x.1[i.1]\n"
          "        y.2[i.1] = x_kept.5 * 0.5\n"
          "        for j.3 = 0 .. 3 {\n"
          "            y.2[j.3] = x_kept.5\n"
          "        }\n");
    keeps(FIRST "        if (w.4[i.1] > 0.0) {\n            y.2[0] = x.1[i.1]\n        }\n",
          "        x_kept.5 = x.1[i.1]\n"
          "        y.2[i.1] = x_kept.5 * 0.5\n"
          "        if (w.4[i.1] > 0.0) {\n"
          "            y.2[0] = x_kept.5\n"
          "        }\n");
}

TEST(not_what_a_branch_alone_loads_first) {
    stays("        if (w.4[i.1] > 0.0) {\n            y.2[0] = x.1[i.1]\n        }\n" AGAIN);
    stays("        y.2[i.1] = w.4[i.1] > 0.0 ? x.1[i.1] : 0.0\n" AGAIN);
}

TEST(not_behind_what_writes_its_array_or_its_place) {
    stays(FIRST "        x.1[i.1] = 1.0\n" AGAIN);
    stays(FIRST "        for j.3 = 0 .. 3 {\n            y.2[j.3] = x.1[i.1]\n            x.1[i.1] = 2.0\n        }\n");
    stays("        y.2[i.1] = x.1[k.2]\n        k.2 = k.2 + 1\n        y.2[0] = x.1[k.2]\n");
}

// A driver does that by itself.
TEST(not_where_nothing_was_written_between) {
    stays("        s.4 = x.1[i.1]\n        y.2[i.1] = s.4 + x.1[i.1]\n");
    stays("        y.2[i.1] = w.4[i.1] * 0.5\n        y.2[i.1] = y.2[i.1] + w.4[i.1]\n");
}

TEST(loads_at_places_that_are_loaded) {
    keeps("        y.2[0] = x.1[at.3[i.1]]\n        y.2[1] = x.1[at.3[i.1]]\n", "        at_kept.5 = at.3[i.1]\n"
                                                                                "        x_kept.6 = x.1[at_kept.5]\n"
                                                                                "        y.2[0] = x_kept.6\n"
                                                                                "        y.2[1] = x_kept.6\n");
}

TEST(not_over_many_statements) {
    char body[3000] = FIRST;
    for (int i = 0; i < 40; i++)
        strcat(body, "        s.4 = s.4 * 0.5\n");
    strcat(body, AGAIN);
    stays(body);
}
