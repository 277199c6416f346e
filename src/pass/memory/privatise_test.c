// Which arrays of counters workgroups have copies of, what becomes of the loop's iterations, and what keeps an array in
// memory.
#include <stdio.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                          \
    "unit f\n"                        \
    "in i32 x.1[262144]\n"            \
    "inout i32 count.2[144] atomic\n" \
    "inout f32 sums.3[16] atomic\n"   \
    "inout i32 other.4[144] atomic\n" \
    "param i32 n.1\n"                 \
    "dim i32 i.2\n"                   \
    "local i32 old.3, k.4\n"          \
    "{\n"

// The statements behind the pass, of a loop over i.2 with this header and this body.
static const char *loop(const char *header, const char *body) {
    static char text[2000];
    snprintf(text, sizeof text, HEAD "    parfor i.2 in %s {\n%s    }\n}\n", header, body);
    return after(pass_privatise, text);
}

static bool is_kept(const char *header, const char *body) { return strstr(loop(header, body), "group") == NULL; }

// The base target is busy with 32,768: 256 * 262,144 / (144 * 4) blocks would be more.
TEST(iterations_in_blocks) {
    CHECK_EQ_STR("{\n"
                 "    parfor block.5 in 0 .. 32768 group {\n"
                 "        for pass.6 = 0 .. 8 {\n"
                 "            index.7 = pass.6 * 32768 + block.5\n"
                 "            atomic add count.2[x.1[index.7] & 127], 1 group\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 loop("0 .. 262144", "        atomic add count.2[x.1[i.2] & 127], 1\n"));
}

TEST(blocks_that_do_not_divide_the_iterations) {
    const char *done = loop("5 .. 100005", "        atomic or count.2[x.1[i.2] & 127], i.2\n");
    CHECK_HAS_STR("parfor block.5 in 0 .. 32768 group {\n        for pass.6 = 0 .. 3 {\n", done);
    CHECK_HAS_STR("i.2 = index.7 + 5\n", done);
    CHECK_HAS_STR("if (block.5 < 1696) {\n            index.8 = 98304 + block.5\n            i.2 = index.8 + 5\n",
                  done);
}

// 20,000 * 256 / (144 * 4) = 8,888, in whole workgroups.
TEST(fewer_iterations_in_fewer_blocks) {
    CHECK_HAS_STR("parfor block.5 in 0 .. 8704 group {\n",
                  loop("0 .. 20000", "        atomic xor count.2[x.1[i.2] & 127], 1\n"));
    CHECK(is_kept("0 .. 4000", "        atomic xor count.2[x.1[i.2] & 127], 1\n")); // 1,777: less than 32,768 / 16
}

// Words that are exchanged: each workgroup waits for all others, so there are few of them.
TEST(floats_in_few_blocks) {
    CHECK_HAS_STR("parfor block.5 in 0 .. 8192 group {\n",
                  loop("0 .. 262144", "        atomic add sums.3[x.1[i.2] & 15], 1.0\n"));
    CHECK_HAS_STR("parfor block.5 in 0 .. 8192 group {\n",
                  loop("0 .. 262144", "        atomic min count.2[x.1[i.2] & 15], 1\n"));
}

// Many updates of an iteration: the loop stays as it is.
TEST(long_iterations_stay_as_they_are) {
    CHECK_HAS_STR("    parfor i.2 in 0 .. 300 {\n        for k.4 = 0 .. 1000 {\n"
                  "            atomic add count.2[x.1[k.4] & 127], i.2 group\n",
                  loop("0 .. 300", "        for k.4 = 0 .. 1000 {\n"
                                   "            atomic add count.2[x.1[k.4] & 127], i.2\n        }\n"));
    CHECK_HAS_STR(" group\n", loop("0 .. n.1", "        for k.4 = 0 .. 1000 {\n"
                                               "            atomic add count.2[x.1[k.4] & 127], i.2\n        }\n"));
}

// As many blocks of a reduction as are made of others: few workgroups take them.
TEST(blocks_of_floats_go_to_few_workgroups) {
    static const char *const updates[] = {
        "        for k.4 = 0 .. 100 {\n            atomic add sums.3[x.1[k.4] & 15], 1.0\n        }\n",
        "        for k.4 = 0 .. 100 {\n            atomic add count.2[x.1[k.4] & 15], 1\n        }\n"};
    CHECK_HAS_STR("parfor i.2 in 0 .. 8192 group {\n", loop("0 .. 8192", updates[0]));
    CHECK_HAS_STR("parfor i.2 in 0 .. 8191 {\n", loop("0 .. 8191", updates[0]));
    CHECK_HAS_STR("parfor i.2 in 0 .. 8192 {\n", loop("0 .. 8192", updates[1]));
}

TEST(two_arrays_by_two_operators) {
    const char *done = loop("0 .. 262144", "        atomic add count.2[x.1[i.2] & 127], 1\n"
                                           "        atomic and other.4[x.1[i.2] & 127], i.2\n"
                                           "        atomic and other.4[0], i.2\n");
    CHECK_HAS_STR("atomic add count.2[x.1[index.7] & 127], 1 group\n", done);
    CHECK_HAS_STR("atomic and other.4[x.1[index.7] & 127], index.7 group\n", done);
    CHECK_HAS_STR("atomic and other.4[0], index.7 group\n", done);
}

TEST(what_stays_in_memory) {
    static const char *const those[] = {
        // somebody takes an old value
        "        old.3 = atomic add count.2[x.1[i.2] & 127], 1\n        atomic add count.2[old.3 & 127], 1\n",
        // or looks at the array
        "        if (count.2[0] < 5) {\n            atomic add count.2[x.1[i.2] & 127], 1\n        }\n",
        "        atomic add count.2[x.1[i.2] & 127], count.2[3]\n",
        // or writes it otherwise
        "        atomic add count.2[x.1[i.2] & 127], 1\n        count.2[3] = 7 atomic\n",
        // two operators
        "        atomic add count.2[x.1[i.2] & 127], 1\n        atomic or count.2[x.1[i.2] & 127], 1\n",
    };
    for (size_t k = 0; k < sizeof those / sizeof *those; k++)
        if (!is_kept("0 .. 262144", those[k])) FAIL("%s", those[k]);
    CHECK(is_kept("0 .. n.1", "        atomic add count.2[x.1[i.2] & 127], 1\n")); // nobody knows how many
    CHECK(is_kept("0 .. count.2[0]", "        for k.4 = 0 .. 9000 {\n"             // the bounds look at the array
                                     "            atomic add count.2[k.4 & 127], 1\n        }\n"));
    CHECK(is_kept("0 .. 144", "        for k.4 = 0 .. 9000 {\n" // each iteration has its own element
                              "            atomic add count.2[i.2], x.1[k.4]\n        }\n"));
}

TEST(an_array_that_does_not_fit) {
    CHECK_HAS_STR("count.2[x.1[index.4] & 2047], 1 group\n",
                  after(pass_privatise, "unit f\nin i32 x.1[8000000]\ninout i32 count.2[3072] atomic\ndim i32 i.1\n"
                                        "{\n    parfor i.1 in 0 .. 8000000 {\n"
                                        "        atomic add count.2[x.1[i.1] & 2047], 1\n    }\n}\n"));
    const char *kept =
        after(pass_privatise, "unit f\nin i32 x.1[8000000]\ninout i32 count.2[3073] atomic\ndim i32 i.1\n"
                              "{\n    parfor i.1 in 0 .. 8000000 {\n"
                              "        atomic add count.2[x.1[i.1] & 2047], 1\n    }\n}\n");
    CHECK(strstr(kept, "group") == NULL);
}

// The phase that reads: what others combine is no invocation's own, so a barrier stands between, whatever the indices.
TEST(copies_have_no_owner) {
    static const char text[] = "unit f\nin i32 x.1[64]\ninout i32 count.2[64]%s\ninout i32 y.3[64]\n"
                               "dim i32 i.1, j.2\n{\n"
                               "    parfor i.1 in 0 .. 64 {\n        atomic add count.2[i.1], x.1[i.1]%s\n    }\n"
                               "    parfor j.2 in 0 .. 64 {\n        y.3[j.2] = count.2[j.2]\n    }\n}\n";
    for (int group = 0; group < 2; group++) {
        char unit[800];
        snprintf(unit, sizeof unit, text, " atomic", group ? " group" : "");
        CHECK_EQ_INT(group, strstr(after(pass_sync, unit), "barrier for count.2") != NULL);
    }
}

TEST(tear_down) { base_cx_deinit(&text_cx); }
