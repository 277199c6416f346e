// Elements of small arrays that data choose: which arrays become variables by it, and what their choices are.
#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define BEGIN                  \
    "unit f\n"                 \
    "inout f32 x.1[8]\n"       \
    "in i32 key.2[8]\n"        \
    "local f32 w.3[3]\n"       \
    "local f32 many.4[17]\n"   \
    "local i32 pair.5[2][2]\n" \
    "dim i32 i.1\n"            \
    "local i32 k.2\n"          \
    "local i32 j.3\n"          \
    "{\n"                      \
    "    parfor i.1 in 0 .. 8 {\n"
#define END   \
    "    }\n" \
    "}\n"
#define SETS "        w.3[0] = 1.0\n        w.3[1] = 2.0\n        w.3[2] = 3.0\n        k.2 = key.2[i.1]\n"
#define ZEROS                \
    "        w.3[0] = 0.0\n" \
    "        w.3[1] = 0.0\n" \
    "        w.3[2] = 0.0\n"

static void spells(const char *from, const char *to) {
    char text[2000], want[2000];
    snprintf(text, sizeof text, "%s%s%s", BEGIN, from, END);
    snprintf(want, sizeof want, "{\n    parfor i.1 in 0 .. 8 {\n%s%s", to, END);
    CHECK_EQ_STR(want, after(pass_spell, text));
}

static void stays(const char *text) { spells(text, text); }

TEST(a_load_is_a_choice_by_bits) {
    spells(SETS "        x.1[i.1] = w.3[k.2 + 1]\n",
           ZEROS SETS "        x.1[i.1] = (k.2 + 1 & 2) != 0 ? w.3[2] : (k.2 + 1 & 1) != 0 ? w.3[1] : w.3[0]\n");
}

TEST(a_store_is_one_of_each_element) {
    spells(SETS "        w.3[k.2] = x.1[i.1]\n        x.1[i.1] = w.3[0] + w.3[1] + w.3[2]\n",
           ZEROS SETS "        t.4 = x.1[i.1]\n"
                      "        w.3[0] = k.2 == 0 ? t.4 : w.3[0]\n"
                      "        w.3[1] = k.2 == 1 ? t.4 : w.3[1]\n"
                      "        w.3[2] = k.2 == 2 ? t.4 : w.3[2]\n"
                      "        x.1[i.1] = w.3[0] + w.3[1] + w.3[2]\n");
}

// The index of one is made by another one: it is made once, in front.
TEST(an_index_that_takes_work_is_held) {
    spells(
        "        pair.5[0][0] = 1\n        pair.5[1][0] = 0\n        pair.5[0][1] = 1\n        pair.5[1][1] = 0\n" SETS
        "        x.1[i.1] = w.3[pair.5[0][k.2]]\n",
        "        w.3[0] = 0.0\n        w.3[1] = 0.0\n        w.3[2] = 0.0\n"
        "        pair.5[0][0] = 0\n        pair.5[0][1] = 0\n        pair.5[1][0] = 0\n        pair.5[1][1] = 0\n"
        "        pair.5[0][0] = 1\n        pair.5[1][0] = 0\n        pair.5[0][1] = 1\n        pair.5[1][1] = 0\n" SETS
        "        t.4 = (k.2 & 1) != 0 ? pair.5[0][1] : pair.5[0][0]\n"
        "        x.1[i.1] = (t.4 & 2) != 0 ? w.3[2] : (t.4 & 1) != 0 ? w.3[1] : w.3[0]\n");
}

// A condition that is asked for in each pass: nothing can be held in front of it.
TEST(a_condition_has_simple_indices) {
    stays(SETS "        loop (w.3[key.2[k.2]] > 1.0) {\n            k.2 = k.2 + 1\n        }\n");
}

TEST(an_array_of_many_elements_stays) {
    stays("        k.2 = key.2[i.1]\n        many.4[0] = 1.0\n        x.1[i.1] = many.4[k.2]\n");
}

// A store compares for each element: where there is little else, memory is quicker.
TEST(stores_alone_stay) {
    stays("        k.2 = key.2[i.1]\n        w.3[k.2] = 1.0\n        w.3[k.2 + 1] = 1.0\n        w.3[k.2 + 2] = 1.0\n");
}

// What lanes store in a loop that they share would be nowhere.
TEST(what_lanes_store_stays) {
    stays(SETS "        for j.3 = 0 .. 64 simd {\n            w.3[j.3 % 3] = 0.0\n        }\n"
               "        x.1[i.1] = w.3[0]\n");
}

// In front of a loop in which it does not change.
TEST(a_choice_is_made_once) {
    spells(SETS "        for j.3 = 0 .. 8 {\n            x.1[j.3] = w.3[k.2]\n        }\n",
           ZEROS SETS "        w_kept.4 = (k.2 & 2) != 0 ? w.3[2] : (k.2 & 1) != 0 ? w.3[1] : w.3[0]\n"
                      "        for j.3 = 0 .. 8 {\n            x.1[j.3] = w_kept.4\n        }\n");
}

// An index that only a guard keeps within its array is not made where the guard does not hold: how long loops are at
// most is read from what each pass indexes.
TEST(a_guarded_index_is_not_held) {
    stays(SETS "        for j.3 = 0 .. k.2 {\n            x.1[0] = j.3 < 8 ? w.3[key.2[j.3]] : 0.5\n        }\n");
    stays(SETS "        for j.3 = 0 .. k.2 {\n            if (j.3 < 8 && w.3[key.2[j.3]] > 1.0) {\n"
               "                x.1[0] = 1.0\n            }\n        }\n");
    spells(SETS "        for j.3 = 0 .. 8 {\n            x.1[0] = k.2 < 8 ? w.3[key.2[j.3]] : 0.5\n        }\n",
           ZEROS SETS
           "        for j.3 = 0 .. 8 {\n            t.4 = key.2[j.3]\n"
           "            x.1[0] = k.2 < 8 ? ((t.4 & 2) != 0 ? w.3[2] : (t.4 & 1) != 0 ? w.3[1] : w.3[0]) : 0.5\n"
           "        }\n");
}

// Nor in front of a loop.
TEST(a_guarded_choice_stays_in_its_loop) {
    spells(SETS "        for j.3 = 0 .. 8 {\n            if (k.2 < 8) {\n                x.1[j.3] = w.3[key.2[k.2]]\n"
                "            }\n        }\n",
           ZEROS SETS "        for j.3 = 0 .. 8 {\n            if (k.2 < 8) {\n                t.4 = key.2[k.2]\n"
                      "                x.1[j.3] = (t.4 & 2) != 0 ? w.3[2] : (t.4 & 1) != 0 ? w.3[1] : w.3[0]\n"
                      "            }\n        }\n");
}
