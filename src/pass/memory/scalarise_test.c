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

// Arrays of the entry level: what is stored between parallel loops needs no memory.
#define ENTRY              \
    "unit f\n"             \
    "inout f32 x.1[8]\n"   \
    "scratch f32 w.2[2]\n" \
    "dim i32 i.1\n"        \
    "{\n"

TEST(an_array_of_the_entry_level_is_variables) {
    CHECK_EQ_STR("{\n"
                 "    w_0.2 = x.1[0]\n"
                 "    parfor i.1 in 0 .. 8 {\n"
                 "        x.1[i.1] = w_0.2\n"
                 "    }\n"
                 "}\n",
                 after(pass_scalarise, ENTRY "    w.2[0] = x.1[0]\n"
                                             "    parfor i.1 in 0 .. 8 {\n"
                                             "        x.1[i.1] = w.2[0]\n" TAIL));
}

// What calloc gives, and what C does not say of malloc: zeros.
TEST(what_is_read_before_it_is_set_is_zero) {
    CHECK_EQ_STR("{\n"
                 "    w_1.2 = 0.0\n"
                 "    if (x.1[1] > 0.0) {\n"
                 "        w_1.2 = x.1[0]\n"
                 "    }\n"
                 "    parfor i.1 in 0 .. 8 {\n"
                 "        x.1[i.1] = w_1.2\n"
                 "    }\n"
                 "}\n",
                 after(pass_scalarise, ENTRY "    if (x.1[1] > 0.0) {\n"
                                             "        w.2[1] = x.1[0]\n"
                                             "    }\n"
                                             "    parfor i.1 in 0 .. 8 {\n"
                                             "        x.1[i.1] = w.2[1]\n" TAIL));
}

TEST(an_array_that_iterations_write_is_theirs) {
    static const char kept[] = "    parfor i.1 in 0 .. 2 {\n"
                               "        w.2[1] = x.1[0]\n"
                               "    }\n"
                               "    x.1[1] = w.2[1]\n"
                               "}\n";
    char want[400], text[800];
    snprintf(want, sizeof want, "{\n%s", kept);
    snprintf(text, sizeof text, ENTRY "%s", kept);
    CHECK_EQ_STR(want, after(pass_scalarise, text));
}
