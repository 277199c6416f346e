// Results that drivers would not round as C does.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                         \
    "unit f\n"                       \
    "inout f32 x.1[8]\n"             \
    "dim i32 i.1\n"                  \
    "local f32 v.2\nlocal f32 w.3\n" \
    "local f32 t.4\n"                \
    "{\n"                            \
    "    parfor i.1 in 0 .. 8 {\n"
#define TAIL                   \
    "        x.1[i.1] = w.3\n" \
    "    }\n"                  \
    "}\n"
#define LOADS                  \
    "        v.2 = x.1[i.1]\n" \
    "        t.4 = x.1[7 - i.1]\n"
#define BECOMES(from, to) \
    becomes(pass_hold_rounding, HEAD, LOADS "        w.3 = " from "\n", LOADS "        w.3 = " to "\n", TAIL)
#define STAYS(text) BECOMES(text, text)

TEST(two_constants) {
    BECOMES("v.2 * 3.0 / 7.0", "v.2 * 3.0 / hold(7.0)");
    BECOMES("7.0 * (3.0 * v.2)", "7.0 * hold(3.0 * v.2)");
    BECOMES("v.2 / 3.0 * 7.0", "v.2 / hold(3.0) * 7.0");
    BECOMES("7.0 / (v.2 * 3.0)", "7.0 / hold(v.2 * 3.0)");
    BECOMES("3.0 / v.2 * 7.0", "hold(3.0 / v.2) * 7.0");
    BECOMES("v.2 - 0.5 + 3.0", "hold(v.2 - 0.5) + 3.0");
    BECOMES("v.2 * 2.0 / 3.0", "v.2 * 2.0 / hold(3.0)"); // 2/3 is no float
    BECOMES("v.2 / 3.0 / 7.0", "v.2 / hold(3.0) / hold(7.0)");
    BECOMES("7.0 / (v.2 * 3.0) * 5.0", "hold(7.0 / hold(v.2 * 3.0)) * 5.0");
    BECOMES("v.2 / 3.0 / 5.0 / 7.0", "v.2 / hold(3.0) / hold(5.0) / hold(7.0)");
    BECOMES("v.2 / 3.0 / 5.0 / 7.0 * 9.0", "v.2 / hold(3.0) / hold(5.0) / hold(7.0) * 9.0");
    STAYS("v.2 * 3.0 + 7.0");
    STAYS("v.2 * t.4 / 7.0");
}

// Rounded once, in either order.
TEST(powers_of_two) {
    STAYS("v.2 * 3.0 * 0.5");
    STAYS("v.2 * 0.25 * 3.0");
    STAYS("v.2 * 3.0 / 2.0");
    STAYS("v.2 / 3.0 / 2.0");
    STAYS("1.0 / (2.0 * v.2)");
    STAYS("3.0 / v.2 * 2.0");
    BECOMES("1.0 / (3.0 / v.2)", "1.0 / hold(3.0 / v.2)");
    BECOMES("v.2 * 3.0 * 4.0 * 7.0", "hold(v.2 * 3.0 * 4.0) * 7.0"); // 3 and 7 are made one around it
    BECOMES("v.2 * 3.0 / 4.0 * 0.5 / 7.0", "v.2 * 3.0 / 4.0 * 0.5 / hold(7.0)");
    STAYS("v.2 * 2.0 * 4.0 * 7.0");
}

TEST(what_cancels) {
    BECOMES("v.2 + t.4 - v.2", "hold(v.2 + t.4) - v.2");
    BECOMES("v.2 + t.4 - t.4", "hold(v.2 + t.4) - t.4");
    BECOMES("v.2 - t.4 + t.4", "hold(v.2 - t.4) + t.4");
    BECOMES("v.2 - (v.2 - t.4)", "v.2 - hold(v.2 - t.4)");
    BECOMES("v.2 - (t.4 + v.2)", "v.2 - hold(t.4 + v.2)");
    STAYS("v.2 - t.4 - t.4");
    STAYS("v.2 + t.4 + v.2");
}

// A variable that is set once is what it is set to.
TEST(variables) {
    becomes(pass_hold_rounding, HEAD, LOADS "        w.3 = v.2 + t.4\n        x.1[0] = w.3 - v.2\n",
            LOADS "        w.3 = v.2 + t.4\n        x.1[0] = hold(w.3) - v.2\n", TAIL);
    becomes(pass_hold_rounding, HEAD, LOADS "        w.3 = v.2 + t.4\n        w.3 = t.4\n        x.1[0] = w.3 - v.2\n",
            LOADS "        w.3 = v.2 + t.4\n        w.3 = t.4\n        x.1[0] = w.3 - v.2\n", TAIL);
}

// A product that rounds twice would round with the sum that it stands in; what cancels there still does not.
TEST(products_in_sums) {
    BECOMES("v.2 * 3.0 * 7.0 + t.4", "hold(hold(v.2 * 3.0) * 7.0) + t.4");
    BECOMES("t.4 - v.2 / 3.0 * 7.0", "t.4 - hold(v.2 / hold(3.0) * 7.0)");
    BECOMES("v.2 * 3.0 * 7.0 * t.4 + v.2", "hold(hold(v.2 * 3.0) * 7.0 * t.4) + v.2");
    STAYS("v.2 * t.4 + v.2");
    BECOMES("v.2 * 3.0 * 7.0 + t.4 - v.2 * 3.0 * 7.0",
            "hold(hold(hold(v.2 * 3.0) * 7.0) + t.4) - hold(hold(v.2 * 3.0) * 7.0)");
    becomes(pass_hold_rounding, HEAD, LOADS "        w.3 = v.2 * 3.0 * 7.0\n        x.1[0] = w.3 + t.4 - w.3\n",
            LOADS "        w.3 = hold(v.2 * 3.0) * 7.0\n        x.1[0] = hold(hold(w.3) + t.4) - hold(w.3)\n", TAIL);
}

// Each is twice in the next one, so that there are 2^60 ways to the first.
TEST(squares_of_squares) {
    enum { COUNT = 60 };
    char text[8192] = "unit f\ninout f32 x.1[8]\ndim i32 i.1\nlocal f32 v.2", *end = text + strlen(text);
    for (int k = 1; k <= COUNT; k++)
        end += sprintf(end, ", v.%d", k + 2);
    end += sprintf(end, "\n{\n    parfor i.1 in 0 .. 8 {\n        v.2 = x.1[i.1]\n");
    for (int k = 1; k <= COUNT; k++)
        end += sprintf(end, "        v.%d = v.%d * v.%d\n", k + 2, k + 1, k + 1);
    sprintf(end, "        x.1[i.1] = v.%d + 1.0\n    }\n}\n", COUNT + 2);
    CHECK_EQ_STR(strstr(text, "{\n"), after(pass_hold_rounding, text));
}

// Set in a loop alone, a variable is made of itself.
TEST(made_of_itself) {
    const char *loop =
        "        for i.5 = 0 .. 4 {\n            v.2 = v.2 * 2.0\n            t.4 = t.4 * t.4\n        }\n"
        "        w.3 = v.2 * 7.0 + t.4\n";
    becomes(pass_hold_rounding,
            "unit f\ninout f32 x.1[8]\ndim i32 i.1\nlocal f32 v.2, w.3, t.4\nlocal i32 i.5\n{\n"
            "    parfor i.1 in 0 .. 8 {\n",
            loop, loop, TAIL);
}
