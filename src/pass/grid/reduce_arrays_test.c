// Array reductions of floats: sums of each block in memory, then one loop over the elements.
#include <stdio.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define HEAD                          \
    "unit f\n"                        \
    "in i32 x.1[%d]\n"                \
    "inout f32 sums.2[4][3] atomic\n" \
    "inout f32 rest.3[5] atomic\n"    \
    "dim i32 i.1\n"                   \
    "{\n"
#define HEAD_OF                       \
    "unit f\n"                        \
    "in i32 x.1[%d]\n"                \
    "inout f32 sums.2[4][3] atomic\n" \
    "dim i32 i.1\n"                   \
    "local i32 k.2\n"                 \
    "{\n"

// The statements behind the pass, of a loop of so many iterations with this body.
static const char *loop(int iterations, const char *body) {
    static char text[1000];
    snprintf(text, sizeof text, HEAD "    parfor i.1 in 0 .. %d {\n%s    }\n}\n", iterations, iterations, body);
    return after(pass_reduce, text);
}

// So many iterations of so many passes each.
static const char *loop_of(int iterations, int passes) {
    static char text[1000];
    snprintf(text, sizeof text,
             HEAD_OF "    parfor i.1 in 0 .. %d {\n        for k.2 = 0 .. %d {\n"
                     "            atomic add sums.2[k.2 & 3][i.1 %% 3], 0.5 fixed\n        }\n    }\n}\n",
             iterations, iterations, passes);
    return after(pass_reduce, text);
}

static const char fixed[] = "        atomic add sums.2[x.1[i.1] & 3][i.1 % 3], 0.5 fixed\n";

TEST(sums_of_blocks) {
    CHECK_EQ_STR("{\n"
                 "    parfor block.2 in 0 .. 12 {\n"
                 "        for k.4 = 0 .. 4 {\n"
                 "            for k.5 = 0 .. 3 {\n"
                 "                sums_partial.4[k.4][k.5][block.2] = -0.0\n"
                 "            }\n"
                 "        }\n"
                 "        for index.3 = block.2 .. 100 step 12 {\n"
                 "            sums_partial.4[x.1[index.3] & 3][index.3 % 3][block.2] = "
                 "sums_partial.4[x.1[index.3] & 3][index.3 % 3][block.2] + 0.5\n"
                 "        }\n"
                 "    }\n"
                 "    parfor k.6 in 0 .. 4, k.7 in 0 .. 3 {\n"
                 "        sum.9 = -0.0\n"
                 "        for block.8 = 0 .. 12 simd {\n"
                 "            sum.9 = sum.9 + sums_partial.4[k.6][k.7][block.8]\n"
                 "        }\n"
                 "        sums.2[k.6][k.7] = sums.2[k.6][k.7] + sum.9\n"
                 "    }\n"
                 "}\n",
                 loop(100, fixed));
}

// The order depends on how many iterations there are, how many passes each makes, and on the size of the arrays.
TEST(how_many_blocks) {
    CHECK_HAS_STR("parfor block.2 in 0 .. 1 {\n", loop(7, fixed));
    CHECK_HAS_STR("parfor block.2 in 0 .. 1024 {\n", loop(8200, fixed)); // 1,025 in whole workgroups
    CHECK_HAS_STR("parfor block.2 in 0 .. 16384 {\n", loop(1 << 20, fixed));
    CHECK_HAS_STR("parfor block.2 in 0 .. 256 {\n", // 2^22 words in all
                  after(pass_reduce, "unit f\ninout f32 big.1[10000] atomic\ndim i32 i.1\n{\n"
                                     "    parfor i.1 in 0 .. 1000000 {\n"
                                     "        atomic add big.1[i.1 % 10000], 1.0 fixed\n    }\n}\n"));
    CHECK_HAS_STR("parfor block.3 in 0 .. 100 {\n", loop_of(100, 200));
    CHECK_HAS_STR("parfor block.3 in 0 .. 16384 {\n", loop_of(39000, 200)); // as many as a reduction has
    CHECK_HAS_STR("parfor block.3 in 0 .. 12 {\n", loop_of(100, 50));       // short ones
}

// Other updates of an array that is reduced elsewhere, or of another array, stay what they are.
// Four passes of many statements each, as where loops in them were unrolled, are as long as many passes.
TEST(iterations_of_copies_are_long) {
    char text[6000];
    int n =
        snprintf(text, sizeof text,
                 "unit f\nin i32 x.1[4]\ninout f32 sums.2[4][3] atomic\ndim i32 i.1\nlocal i32 k.2\nlocal f32 f.3\n{\n"
                 "    parfor i.1 in 0 .. 2000 {\n        f.3 = 0.0\n        for k.2 = 0 .. 4 {\n");
    for (int k = 0; k < 128; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "            f.3 = f.3 + %d.0\n", k % 3);
    snprintf(text + n, sizeof text - (size_t)n,
             "            atomic add sums.2[k.2 & 3][i.1 %% 3], 0.5 fixed\n        }\n    }\n}\n");
    CHECK_HAS_STR("parfor block.4 in 0 .. 1792 {", after(pass_reduce, text));
}

TEST(atomics_of_any_order_stay) {
    const char *done = loop(100, "        atomic add sums.2[0][0], 0.5 fixed\n        atomic add rest.3[1], 2.0\n");
    CHECK_HAS_STR("atomic add rest.3[1], 2.0\n", done);
    CHECK(!strstr(done, "atomic add sums"));
    CHECK(!strstr(loop(100, "        atomic add rest.3[1], 2.0\n"), "block"));
}

TEST(tear_down) { base_cx_deinit(&text_cx); }
