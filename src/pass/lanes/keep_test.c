// Which rows lanes have in registers over a time loop.
#include <stdio.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define ARRAYS                                                                             \
    "inout f32 x.1[64][40]\nscratch f32 y.2[64][40]\ninout f32 z.3[64][40]\ndim i32 i.1\n" \
    "local i32 t.2, j.3, k.4\nlocal f32 most.5\n{\n    parfor i.1 in 0 .. 64 {\n"

static void keep(struct pass_cx *p) {
    struct plan_target target = *p->target;
    target.subgroup_lanes = 8;
    p->target = &target;
    pass_keep(p);
}

static const char *text_of(const char *body) {
    static char text[3000];
    snprintf(text, sizeof text, "unit f canonical\n" ARRAYS "%s    }\n}\n", body);
    return text;
}
static bool stays(const char *body) {
    const char *text = text_of(body);
    return strcmp(after(keep, text), strstr(text, "{\n")) == 0;
}

// `y` is in nobody else's way and needs no memory. The first element goes from its lane to all.
TEST(a_row_over_a_time_loop) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 64 own {\n"
                 "        for j.8 = 0 .. 40 simd free {\n"
                 "            x.4[j.8] = x.1[i.1][j.8]\n"
                 "        }\n"
                 "        for t.2 = 0 .. 10 {\n"
                 "            bits.6 = 0u\n"
                 "            for j.7 = 0 .. 4 simd free {\n"
                 "                bits.6 = bits.6 | (j.7 == 0 ? bits_f2u(x.4[j.7]) : 0u)\n"
                 "            }\n"
                 "            most.5 = bits_u2f(bits.6)\n"
                 "            for j.3 = 0 .. 40 simd free {\n"
                 "                if (j.3 >= 1) {\n"
                 "                    most.5 = fmax(most.5, x.4[j.3])\n"
                 "                }\n"
                 "            }\n"
                 "            for k.4 = 0 .. 40 simd free {\n"
                 "                y.5[k.4] = x.4[k.4] - most.5\n"
                 "                x.4[k.4] = y.5[k.4] * 0.5\n"
                 "            }\n"
                 "        }\n"
                 "        for j.9 = 0 .. 40 simd free {\n"
                 "            x.1[i.1][j.9] = x.4[j.9]\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 after(keep, text_of("        for t.2 = 0 .. 10 {\n"
                                     "            most.5 = x.1[i.1][0]\n"
                                     "            for j.3 = 1 .. 40 simd free {\n"
                                     "                most.5 = fmax(most.5, x.1[i.1][j.3])\n"
                                     "            }\n"
                                     "            for k.4 = 0 .. 40 simd free {\n"
                                     "                y.2[i.1][k.4] = x.1[i.1][k.4] - most.5\n"
                                     "                x.1[i.1][k.4] = y.2[i.1][k.4] * 0.5\n"
                                     "            }\n"
                                     "        }\n")));
}

#define STEP(FROM, LOOP, BODY)                                                                           \
    "        for t.2 = 0 .. 10 {\n            for j.3 = " FROM " .. 40" LOOP " {\n                " BODY \
    "\n            }\n        }\n"

TEST(what_stays_in_memory) {
    CHECK(!stays(STEP("0", " simd free", "x.1[i.1][j.3] = x.1[i.1][j.3] + 1.0")));
    CHECK(stays(STEP("0", " simd free", "x.1[i.1][j.3] = x.1[i.1][39 - j.3] + 1.0")));    // of another lane
    CHECK(stays(STEP("0", " simd free", "x.1[i.1][j.3] = x.1[i.1][j.3] + x.1[0][j.3]"))); // of another row
    CHECK(stays(STEP("0", "", "x.1[i.1][j.3] = x.1[i.1][j.3] + 1.0")));
    CHECK(stays(
        "        for j.3 = 0 .. 40 simd free {\n            x.1[i.1][j.3] = x.1[i.1][j.3] + 1.0\n        }\n")); // once
}
