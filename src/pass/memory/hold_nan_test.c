// Choices between floats of which one may be no number.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                          \
    "unit f\n"                        \
    "inout f32 x.1[8]\n"              \
    "dim i32 i.1\n"                   \
    "local f32 v.2\nlocal f32 w.3\n"  \
    "local bool c.4\nlocal i32 k.5\n" \
    "{\n"                             \
    "    parfor i.1 in 0 .. 8 {\n"
#define TAIL                   \
    "        x.1[i.1] = w.3\n" \
    "    }\n"                  \
    "}\n"
#define LOADS                  \
    "        v.2 = x.1[i.1]\n" \
    "        w.3 = x.1[7 - i.1]\n"

#define BECOMES(from, to) becomes(pass_hold_nan, HEAD, from, to, TAIL)

TEST(the_value_chosen_where_it_is_true) {
    BECOMES(LOADS "        w.3 = v.2 < w.3 ? v.2 : w.3\n", LOADS "        w.3 = hold(v.2) < w.3 ? v.2 : w.3\n");
    BECOMES(LOADS "        w.3 = v.2 >= w.3 ? w.3 : v.2\n", LOADS "        w.3 = v.2 >= hold(w.3) ? w.3 : v.2\n");
    BECOMES(LOADS "        w.3 = !(v.2 < w.3) ? v.2 : w.3\n", LOADS "        w.3 = !(v.2 < hold(w.3)) ? v.2 : w.3\n");
    BECOMES(LOADS "        w.3 = v.2 < 0.5 ? 0.5 : v.2\n", LOADS "        w.3 = v.2 < hold(0.5) ? 0.5 : v.2\n");
}

TEST(branches) {
    BECOMES(LOADS "        if (v.2 > w.3) {\n            w.3 = v.2\n        }\n",
            LOADS "        if (hold(v.2) > w.3) {\n            w.3 = v.2\n        }\n");
    BECOMES(LOADS "        c.4 = v.2 > w.3\n        if (c.4) {\n            k.5 = 1\n        } else {\n"
                  "            w.3 = v.2\n        }\n",
            LOADS "        c.4 = v.2 > hold(w.3)\n        if (c.4) {\n            k.5 = 1\n        } else {\n"
                  "            w.3 = v.2\n        }\n");
}

// The comparison is kept as a whole number before it decides.
TEST(comparisons_as_numbers) {
    BECOMES(LOADS "        k.5 = v.2 > w.3 ? 1 : 0\n        w.3 = k.5 != 0 ? v.2 : w.3\n",
            LOADS "        k.5 = hold(v.2) > w.3 ? 1 : 0\n        w.3 = k.5 != 0 ? v.2 : w.3\n");
    BECOMES(LOADS "        k.5 = v.2 > w.3 ? 1 : 0\n        if (k.5 == 0) {\n            w.3 = v.2\n        }\n",
            LOADS "        k.5 = v.2 > hold(w.3) ? 1 : 0\n        if (k.5 == 0) {\n            w.3 = v.2\n        }\n");
    BECOMES(LOADS "        k.5 = v.2 > w.3 ? 3 : 2\n        w.3 = k.5 != 0 ? v.2 : w.3\n",
            LOADS "        k.5 = v.2 > w.3 ? 3 : 2\n        w.3 = k.5 != 0 ? v.2 : w.3\n");
}

// Where the other value is a number, minima and maxima are what C says.
TEST(numbers) {
    static const char *const same[] = {
        LOADS "        w.3 = v.2 > 0.5 ? v.2 : 0.5\n",
        LOADS "        w.3 = v.2 > w.3 ? 1.0 : 0.0\n",
        "        w.3 = -1.0\n        for k.5 = 0 .. 8 {\n            if (x.1[k.5] > w.3) {\n"
        "                w.3 = x.1[k.5]\n            }\n        }\n",
        "        w.3 = f32(i.1)\n        v.2 = x.1[i.1]\n        w.3 = v.2 < w.3 ? v.2 : w.3\n",
        "        v.2 = x.1[i.1]\n        w.3 = fmax(v.2, 0.0)\n        w.3 = v.2 < w.3 ? v.2 : w.3\n",
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        BECOMES(same[k], same[k]);
}

// What is assigned is no longer what was compared, or the variable takes other values, too.
TEST(no_numbers) {
    BECOMES("        w.3 = -1.0\n        for k.5 = 0 .. 8 {\n            v.2 = x.1[k.5]\n            if (v.2 > w.3) {\n"
            "                v.2 = x.1[0]\n                w.3 = v.2\n            }\n        }\n",
            "        w.3 = -1.0\n        for k.5 = 0 .. 8 {\n            v.2 = x.1[k.5]\n            if (hold(v.2) > "
            "w.3) {\n                v.2 = x.1[0]\n                w.3 = v.2\n            }\n        }\n");
    BECOMES(
        "        w.3 = -1.0\n        v.2 = x.1[i.1]\n        w.3 = v.2 > w.3 ? v.2 : w.3\n        w.3 = w.3 * v.2\n",
        "        w.3 = -1.0\n        v.2 = x.1[i.1]\n        w.3 = hold(v.2) > w.3 ? v.2 : w.3\n"
        "        w.3 = w.3 * v.2\n");
}
