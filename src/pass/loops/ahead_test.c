// Loads that come in front of a branch.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                       \
    "unit f\n"                     \
    "inout i32 x.1[8]\n"           \
    "in i32 m.2[16]\n"             \
    "dim i32 i.1\n"                \
    "local i32 s.2, k.3\n"         \
    "{\n"                          \
    "    parfor i.1 in 0 .. 8 {\n" \
    "        s.2 = 0\n"
#define TAIL                   \
    "        x.1[i.1] = s.2\n" \
    "    }\n"                  \
    "}\n"
#define FIRST                          \
    "        if (m.2[i.1] > 0) {\n"    \
    "            s.2 = s.2 + m.2[0]\n" \
    "        }\n"

static const char *pass(const char *text) { return strstr(after(pass_ahead, text), "        s.2 = 0\n"); }

TEST(what_the_next_branch_asks_for_comes_first) {
    CHECK_EQ_STR("        s.2 = 0\n"
                 "        k.3 = i.1 + 8\n"
                 "        m.4 = m.2[k.3]\n" FIRST "        nop\n"
                 "        if (m.4 > 0) {\n"
                 "            s.2 = s.2 + k.3\n"
                 "        }\n" TAIL,
                 pass(HEAD FIRST "        k.3 = i.1 + 8\n"
                                 "        if (m.2[k.3] > 0) {\n"
                                 "            s.2 = s.2 + k.3\n"
                                 "        }\n" TAIL));
}

// The same place by name is another one once its index has changed, also inside of a branch.
TEST(loads_at_other_places_stay) {
#define BEGIN "        k.3 = i.1\n"
#define BEHIND                           \
    "            k.3 = k.3 + 1\n"        \
    "            s.2 = s.2 + m.2[k.3]\n" \
    "        }\n"                        \
    "        s.2 = s.2 + m.2[k.3]\n" TAIL
    CHECK_EQ_STR("        s.2 = 0\n" BEGIN "        m.4 = m.2[k.3]\n" FIRST "        if (m.4 > 0) {\n" BEHIND,
                 pass(HEAD BEGIN FIRST "        if (m.2[k.3] > 0) {\n" BEHIND));
}

// No branch behind it; its place depends on the branch; the parallel loop writes the array; the pass may be left.
TEST(what_stays) {
    static const char *const rest[] = {
        "        s.2 = s.2 + m.2[i.1 + 8]\n",
        "        if (m.2[s.2] > 0) {\n            s.2 = 1\n        }\n",
        "        if (x.1[i.1] > 0) {\n            s.2 = 1\n        }\n",
        "        k.3 = s.2\n        if (m.2[k.3] > 0) {\n            s.2 = 1\n        }\n",
    };
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++) {
        char text[800];
        snprintf(text, sizeof text, HEAD FIRST "%s" TAIL, rest[k]);
        CHECK_EQ_STR(strstr(text, "        s.2 = 0\n"), pass(text));
    }
}
