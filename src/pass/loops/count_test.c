// Which loops count after all (count.c).
#include <string.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                                                                       \
    "unit f canonical\nin i32 x.1[64]\ninout i32 y.2[64]\nscratch i32 row.3[65]\n" \
    "dim i32 i.1\nlocal i32 k.2, s.3, w.4\nlocal u32 u.5\n{\n    parfor i.1 in 0 .. 64 {\n        s.3 = 0\n"
#define TAIL "        y.2[i.1] = s.3\n    }\n}\n"
#define ADD "            s.3 = s.3 + x.1[k.2]\n"

static const char *counted(const char *loop) {
    static char text[2000];
    snprintf(text, sizeof text, HEAD "%s" TAIL, loop);
    return after(pass_count, text);
}

TEST(ends_that_are_loaded) {
    const char *text = counted("        k.2 = row.3[i.1]\n        loop (k.2 < row.3[i.1 + 1] && k.2 <= 40) {\n" ADD
                               "        } continuing {\n            k.2 = k.2 + 1\n        }\n");
    CHECK_HAS_STR("for k.6 = k.2 .. min(row.3[i.1 + 1], 40 + 1) {", text);
    text = counted("        k.2 = row.3[i.1]\n        loop (row.3[i.1 + 1] <= k.2) {\n" ADD
                   "            k.2 = k.2 - 2\n        }\n");
    CHECK_HAS_STR("for k.6 = k.2 .. row.3[i.1 + 1] - 1 step -2 {", text);
}

TEST(steps_that_are_variables) {
    const char *const loop = "        k.2 = 0\n        loop (k.2 < 64) {\n" ADD
                             "        } continuing {\n            k.2 = k.2 + w.4\n        }\n";
    char text[400];
    snprintf(text, sizeof text, "        w.4 = 1 + i.1 %% 4\n%s", loop);
    CHECK_HAS_STR("for pass.6 = 0 .. (64 - 0 + w.4 - 1) / w.4 {", counted(text));
    snprintf(text, sizeof text, "        w.4 = x.1[i.1]\n%s", loop); // it may be 0
    CHECK_HAS_STR("loop (", counted(text));
}

TEST(the_counter_behind_its_loop) {
    const char *text =
        counted("        k.2 = row.3[i.1]\n        loop (k.2 < row.3[i.1 + 1]) {\n" ADD
                "        } continuing {\n            k.2 = k.2 + 1\n        }\n        s.3 = s.3 + k.2\n");
    CHECK_HAS_STR("k.2 = max(k.2, end.6)", text);
}

TEST(others_stay) {
    static const char *const loops[] = {
        // the end changes
        "        k.2 = 0\n        loop (k.2 < s.3) {\n" ADD "            k.2 = k.2 + 1\n        }\n",
        "        k.2 = 0\n        loop (k.2 < y.2[i.1]) {\n            y.2[i.1] = 3\n            k.2 = k.2 + 1\n       "
        " }\n",
        // something else sets it
        "        k.2 = 0\n        loop (k.2 < 9) {\n" ADD
        "            k.2 = k.2 * 2\n        } continuing {\n            k.2 = k.2 + 1\n        }\n",
        // the second end may not be asked for
        "        k.2 = 0\n        loop (k.2 < 9 && k.2 < row.3[i.1]) {\n" ADD "            k.2 = k.2 + 1\n        }\n",
        // it runs away from its end
        "        k.2 = 9\n        loop (k.2 > 3) {\n" ADD "            k.2 = k.2 + 1\n        }\n",
        // it may wrap
        "        u.5 = 9u\n        loop (u.5 >= 0u) {\n            s.3 = s.3 + 1\n            u.5 = u.5 - 1u\n        "
        "}\n",
        // a BREAK leaves it with another value
        "        k.2 = 0\n        loop (k.2 < 9) {\n            if (x.1[k.2] > 3) {\n                break\n           "
        " }\n"
        "        } continuing {\n            k.2 = k.2 + 1\n        }\n        s.3 = k.2\n",
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (!strstr(counted(loops[i]), "loop (")) FAIL("%s", loops[i]);
}
