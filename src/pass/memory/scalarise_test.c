// Private arrays that become scalars, and what keeps them arrays.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                \
    "unit f\n"              \
    "inout f32 x.1[8]\n"    \
    "local f32 w.2[2][2]\n" \
    "dim i32 i.1\n"         \
    "local i32 k.2\n"       \
    "{\n"                   \
    "    parfor i.1 in 0 .. 8 {\n"
#define TAIL  \
    "    }\n" \
    "}\n"

TEST(an_element_is_a_variable) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 8 {\n"
                 "        w_1.3 = x.1[i.1]\n"
                 "        w_2.4 = 2.0 * w_1.3\n"
                 "        x.1[i.1] = w_1.3 + w_2.4\n"
                 "    }\n"
                 "}\n",
                 after(pass_scalarise, HEAD "        w.2[0][1] = x.1[i.1]\n"
                                            "        w.2[1][0] = 2.0 * w.2[0][1]\n"
                                            "        x.1[i.1] = w.2[0][1] + w.2[1][0]\n" TAIL));
}

TEST(an_index_that_is_computed_keeps_the_array) {
    static const char kept[] = "        w.2[0][1] = x.1[i.1]\n"
                               "        for k.2 = 0 .. 2 {\n"
                               "            x.1[i.1] = w.2[0][k.2]\n"
                               "        }\n";
    char want[400];
    snprintf(want, sizeof want, "{\n    parfor i.1 in 0 .. 8 {\n%s    }\n}\n", kept);
    char text[800];
    snprintf(text, sizeof text, HEAD "%s" TAIL, kept);
    CHECK_EQ_STR(want, after(pass_scalarise, text));
}
