// What is known, and what is handed on.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                                                         \
    "unit f\n"                                                       \
    "inout f32 x.1[8]\n"                                             \
    "dim i32 i.1\n"                                                  \
    "local f32 v.2\nlocal f32 low.3\nlocal f32 t.4\nlocal i32 k.5\n" \
    "{\n"                                                            \
    "    parfor i.1 in 0 .. 8 {\n"
#define TAIL                     \
    "        x.1[i.1] = low.3\n" \
    "    }\n"                    \
    "}\n"
#define LOOP(body)                 \
    "        low.3 = x.1[i.1]\n"   \
    "        for k.5 = 0 .. 8 {\n" \
    "            v.2 = x.1[k.5]\n" body "        }\n"

#define BECOMES(from, to) becomes(pass_fold, HEAD, from, to, TAIL)

// The result of a call, which is assigned once and read by the next statement alone.
TEST(handed_on) {
    BECOMES(LOOP("            t.4 = low.3 < v.2 ? low.3 : v.2\n            low.3 = t.4\n"),
            LOOP("            low.3 = low.3 < v.2 ? low.3 : v.2\n"));
    BECOMES(LOOP("            t.4 = low.3 + v.2\n            x.1[k.5] = t.4\n"),
            LOOP("            x.1[k.5] = low.3 + v.2\n"));
}

TEST(not_handed_on) {
    static const char *const same[] = {
        LOOP("            t.4 = low.3 + v.2\n            low.3 = t.4 * 2.0\n"),
        LOOP("            t.4 = low.3 + v.2\n            x.1[k.5] = t.4\n            low.3 = t.4 + 1.0\n"),
        LOOP("            t.4 = low.3 + v.2\n            x.1[k.5] = v.2\n            low.3 = t.4\n"),
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        BECOMES(same[k], same[k]);
}

// Functions of constants, as in transforms whose loops are unrolled; and of what is none.
TEST(functions_of_constants) {
    BECOMES(LOOP("            low.3 = low.3 + v.2 * cos(0.0) + v.2 * exp(1.0)\n"),
            LOOP("            low.3 = low.3 + v.2 + v.2 * 2.71828175\n"));
    BECOMES(LOOP("            low.3 = v.2 * sin(0.5) + log(10.0)\n"),
            LOOP("            low.3 = v.2 * 0.47942555 + 2.30258512\n"));
    BECOMES(LOOP("            low.3 = low.3 + cos(v.2)\n"), LOOP("            low.3 = low.3 + cos(v.2)\n"));
    BECOMES(LOOP("            low.3 = v.2 + log(0.0)\n"), LOOP("            low.3 = v.2 + log(0.0)\n")); // no number
    BECOMES(LOOP("            low.3 = v.2 + exp(100.0)\n"), LOOP("            low.3 = v.2 + exp(100.0)\n"));
}
