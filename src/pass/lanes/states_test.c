// Which loops over what an iteration carries on are marked for lanes of a subgroup.
#include <string.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

static uint32_t subgroup = 8;
static bool in_order;

static void states(struct pass_cx *p) {
    struct plan_target target = *p->target;
    target.subgroup_lanes = subgroup;
    target.busy_invocations = 65536;
    target.keep_order = in_order;
    p->target = &target;
    pass_states(p);
}

// Sixteen states over 100 steps.
#define PROGRAM(COUNT, BODY, BEHIND)                           \
    "unit f canonical\n"                                       \
    "in f32 a.1[16]\n"                                         \
    "in f32 u.2[100]\n"                                        \
    "inout f32 y.3[" COUNT "][100]\n"                          \
    "local f32 h.4[16]\n"                                      \
    "inout i32 c.5[100] atomic\n"                              \
    "inout f32 g.6[100] atomic\n"                              \
    "dim i32 i.1\n"                                            \
    "local i32 t.2, n.3\n"                                     \
    "local f32 s.4, last.5\n"                                  \
    "{\n"                                                      \
    "    parfor i.1 in 0 .. " COUNT " {\n"                     \
    "        for n.3 = 0 .. 16 {\n"                            \
    "            h.4[n.3] = 0.0\n"                             \
    "        }\n"                                              \
    "        for t.2 = 0 .. 100 {\n"                           \
    "            s.4 = 0.0\n"                                  \
    "            for n.3 = 0 .. 16 {\n" BODY "            }\n" \
    "            y.3[i.1][t.2] = s.4\n"                        \
    "        }\n" BEHIND "    }\n"                             \
    "}\n"
#define STEP                                                      \
    "                h.4[n.3] = a.1[n.3] * h.4[n.3] + u.2[t.2]\n" \
    "                s.4 = s.4 + h.4[n.3]\n"

static int marked(const char *text) {
    const char *ir = after(states, text);
    int count = 0;
    for (const char *at = ir; (at = strstr(at, " simd")) != NULL; at++)
        count++;
    return count;
}

TEST(both_loops_over_states) { CHECK_EQ_INT(2, marked(PROGRAM("64", STEP, ""))); }

TEST(not_where_iterations_keep_the_device_busy) { CHECK_EQ_INT(0, marked(PROGRAM("40000", STEP, ""))); }

TEST(not_sums_in_the_order_of_c) {
    in_order = true;
    CHECK_EQ_INT(0, marked(PROGRAM("64", STEP, "")));
    in_order = false;
}

TEST(not_without_subgroups) {
    subgroup = 1;
    CHECK_EQ_INT(0, marked(PROGRAM("64", STEP, "")));
    subgroup = 8;
}

TEST(not_states_that_need_each_other) {
    CHECK_EQ_INT(0, marked(PROGRAM("64", "                h.4[n.3] = h.4[15 - n.3] * 0.5 + u.2[t.2]\n", "")));
    CHECK_EQ_INT(0, marked(PROGRAM("64", STEP "                last.5 = last.5 * 0.5 + h.4[n.3]\n", "")));
}

TEST(not_where_one_is_asked_for_alone) {
    CHECK_EQ_INT(0, marked(PROGRAM("64", STEP, "        y.3[i.1][0] = h.4[3]\n")));
}

TEST(updates_by_one_operator_alone) {
#define COUNTED STEP "                atomic add c.5[t.2], f2i(h.4[n.3])\n"
    CHECK_EQ_INT(2, marked(PROGRAM("64", COUNTED, "        atomic add c.5[i.1], 3\n")));
    CHECK_EQ_INT(0, marked(PROGRAM("64", COUNTED, "        atomic xor c.5[i.1], 3\n"))); // nothing orders these
}

TEST(not_sums_of_one_order) {
    CHECK_EQ_INT(2, marked(PROGRAM("64", STEP "                atomic add g.6[t.2], h.4[n.3]\n", "")));
    CHECK_EQ_INT(0, marked(PROGRAM("64", STEP "                atomic add g.6[t.2], h.4[n.3] fixed\n", "")));
}
