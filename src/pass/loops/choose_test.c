// Branches that become selections.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                       \
    "unit f\n"                     \
    "inout i32 x.1[8]\n"           \
    "dim i32 i.1\n"                \
    "local i32 v.2\n"              \
    "{\n"                          \
    "    parfor i.1 in 0 .. 8 {\n" \
    "        v.2 = x.1[i.1]\n"
#define TAIL                   \
    "        x.1[i.1] = v.2\n" \
    "    }\n"                  \
    "}\n"

TEST(two_values_of_one_variable_are_a_selection) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 8 {\n"
                 "        v.2 = x.1[i.1]\n"
                 "        v.2 = v.2 > 3 ? v.2 - 3 : v.2 + 1\n" TAIL,
                 after(pass_choose, HEAD "        if (v.2 > 3) {\n"
                                         "            v.2 = v.2 - 3\n"
                                         "        } else {\n"
                                         "            v.2 = v.2 + 1\n"
                                         "        }\n" TAIL));
}

TEST(a_branch_that_does_more_stays) {
    static const char branch[] = "        if (v.2 > 3) {\n"
                                 "            v.2 = v.2 - 3\n"
                                 "        } else {\n"
                                 "            x.1[i.1] = 7\n"
                                 "            v.2 = v.2 + 1\n"
                                 "        }\n";
    char text[800];
    snprintf(text, sizeof text, HEAD "%s" TAIL, branch);
    CHECK_EQ_STR(strstr(text, "{\n"), after(pass_choose, text));
}

// What the condition loads is the value, too: it is loaded once, without a branch.
TEST(a_load_that_the_condition_makes) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 8 {\n"
                 "        v.2 = x.1[i.1]\n"
                 "        v.2 = x.1[7 - i.1] > v.2 ? x.1[7 - i.1] : v.2\n" TAIL,
                 after(pass_choose, HEAD "        if (x.1[7 - i.1] > v.2) {\n"
                                         "            v.2 = x.1[7 - i.1]\n"
                                         "        }\n" TAIL));
}

TEST(one_side_that_loads_nothing_or_something_else_stays) {
    static const char *const values[] = {"v.2 + 1", "x.1[i.1 + 0 * v.2]"};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char text[800];
        snprintf(text, sizeof text, HEAD "        if (x.1[7 - i.1] > v.2) {\n            v.2 = %s\n        }\n" TAIL,
                 values[k]);
        CHECK_EQ_STR(strstr(text, "{\n"), after(pass_choose, text));
    }
}

static bool on_selection(void *user, ir_expr e) {
    ir_expr *found = user;
    if (text_unit->nodes[e].op == IR_SELECT) *found = e;
    return true;
}

// What the text does not say: the load of the value is the node that the condition has, so it needs no branch.
TEST(loads_that_became_two_are_one_again) {
    after(pass_reuse, HEAD "        v.2 = x.1[7 - i.1] > v.2 ? x.1[7 - i.1] + 1 : v.2\n" TAIL);
    ir_expr selection = 0;
    struct ir_visitor visitor = {.on_node = on_selection, .user = &selection};
    ir_walk_block(text_unit, text_unit->root, &visitor);
    const struct ir_node *n = &text_unit->nodes[selection];
    CHECK_EQ_INT(text_unit->nodes[n->a].a, text_unit->nodes[n->b].a);
}
