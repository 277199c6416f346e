// Which neighbouring parallel loops become one over their rows, and where the lanes of a row then wait for each other.
#include <stdio.h>

#include "check.h"
#include "pass/passes.h"
#include "pass/text_testing.h"

#define ARRAYS                                                                                         \
    "inout f32 x.1[64][128]\nscratch f32 s.2[64]\ninout f32 y.3[64][128]\ninout f32 z.4[64][4][128]\n" \
    "param i32 n.9\ndim i32 i.1, i.4, j.5, k.6, l.7\nlocal i32 j.3\nentry i32 t.8\nlocal f32 sum.2\n{\n"
#define SUMS                                                                           \
    "    parfor i.1 in 0 .. 64 {\n        sum.2 = 0.0\n        for j.3 = 0 .. 128 {\n" \
    "            sum.2 = sum.2 + x.1[i.1][j.3]\n        }\n        s.2[i.1] = sum.2\n    }\n"

static const char *all_of(const char *loops) {
    static char text[2000];
    snprintf(text, sizeof text, "unit f canonical\n" ARRAYS "%s}\n", loops);
    return text;
}
static bool stays(const char *loops) {
    const char *text = all_of(loops);
    return strcmp(after(pass_coarsen, text), strstr(text, "{\n")) == 0;
}

TEST(rows_and_their_elements) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 64 {\n"
                 "        sum.2 = 0.0\n"
                 "        for j.3 = 0 .. 128 {\n"
                 "            sum.2 = sum.2 + x.1[i.1][j.3]\n"
                 "        }\n"
                 "        s.2[i.1] = sum.2\n"
                 "        for j.5 = 0 .. 128 {\n"
                 "            x.1[i.1][j.5] = x.1[i.1][j.5] - s.2[i.1]\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 after(pass_coarsen, all_of(SUMS "    parfor i.4 in 0 .. 64, j.5 in 0 .. 128 {\n"
                                                 "        x.1[i.4][j.5] = x.1[i.4][j.5] - s.2[i.4]\n    }\n")));
}

// The last dimension is the one that lanes share, so it stands outermost.
TEST(the_last_dimension_comes_first) {
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 64 {\n"
                 "        for j.5 = 0 .. 128 {\n"
                 "            y.3[i.1][j.5] = x.1[i.1][127 - j.5]\n"
                 "        }\n"
                 "        for l.7 = 0 .. 128 {\n"
                 "            for k.6 = 0 .. 4 {\n"
                 "                z.4[i.1][k.6][l.7] = y.3[i.1][127 - l.7]\n"
                 "            }\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 after(pass_coarsen, all_of("    parfor i.1 in 0 .. 64, j.5 in 0 .. 128 {\n"
                                            "        y.3[i.1][j.5] = x.1[i.1][127 - j.5]\n    }\n"
                                            "    parfor i.4 in 0 .. 64, k.6 in 0 .. 4, l.7 in 0 .. 128 {\n"
                                            "        z.4[i.4][k.6][l.7] = y.3[i.4][127 - l.7]\n    }\n")));
}

TEST(what_stays_apart) {
    static const char elements[] = "    parfor i.4 in 0 .. 64, j.5 in 0 .. 128 {\n        %s\n    }\n";
    static const char *const refused[] = {
        "x.1[i.4][j.5] = s.2[63 - i.4]",       // another row's
        "y.3[i.4][j.5] = y.3[i.4][j.5] + 1.0", // nothing: no barrier stands between
        "y.3[j.5 % 64][i.4] = s.2[i.4]",       // lanes would walk along columns
    };
    char loops[1000], one[200];
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        snprintf(one, sizeof one, elements, refused[k]);
        snprintf(loops, sizeof loops, SUMS "%s", one);
        CHECK(stays(loops));
    }
    CHECK(stays(SUMS "    parfor i.4 in 0 .. 64, j.5 in 0 .. 8 {\n        x.1[i.4][j.5] = s.2[i.4]\n    }\n")); // few
    CHECK(stays(SUMS "    parfor i.4 in 0 .. 64, j.5 in 0 .. n.9 {\n        x.1[i.4][j.5] = s.2[i.4]\n    }\n"));
    CHECK(stays(SUMS
                "    parfor i.4 in 0 .. 64, j.5 in 0 .. 128 {\n        sum.2 = s.2[i.4]\n" // long, and rows are few
                "        for j.3 = 0 .. 4000 {\n            sum.2 = sum.2 * 0.5 + x.1[i.4][j.5]\n        }\n"
                "        x.1[i.4][j.5] = sum.2\n    }\n"));
    CHECK(stays(SUMS "    parfor i.4 in 1 .. 64, j.5 in 0 .. 128 {\n        x.1[i.4][j.5] = s.2[i.4]\n    }\n"));
}

static void in_one_kernel(struct pass_cx *p) {
    p->one_kernel = true;
    pass_coarsen(p);
    pass_interchange(p);
    pass_share(p);
    pass_lanes(p);
}

// A step reads what other lanes wrote in it, and in the step before.
TEST(lanes_wait_in_the_time_loop) {
    static const char loops[] = "    for t.8 = 0 .. %d {\n"
                                "    parfor i.1 in 0 .. 64, j.5 in 0 .. 128 {\n"
                                "        y.3[i.1][j.5] = x.1[i.1][%s]\n    }\n"
                                "    parfor i.4 in 0 .. 64, k.6 in 0 .. 128 {\n"
                                "        x.1[i.4][k.6] = y.3[i.4][%s]\n    }\n    }\n";
    char text[1000];
    snprintf(text, sizeof text, loops, 10, "127 - j.5", "127 - k.6");
    CHECK_EQ_STR("{\n"
                 "    parfor i.1 in 0 .. 64 lanes(16) {\n"
                 "        for t.8 = 0 .. 10 {\n"
                 "            meet\n"
                 "            for j.5 = 0 .. 128 simd free lanes {\n"
                 "                y.3[i.1][j.5] = x.1[i.1][127 - j.5]\n"
                 "            }\n"
                 "            meet\n"
                 "            for k.6 = 0 .. 128 simd free lanes {\n"
                 "                x.1[i.1][k.6] = y.3[i.1][127 - k.6]\n"
                 "            }\n"
                 "        }\n"
                 "    }\n"
                 "}\n",
                 after(in_one_kernel, all_of(text)));
    snprintf(text, sizeof text, loops, 10, "j.5", "k.6"); // each lane has its own
    CHECK(!strstr(after(in_one_kernel, all_of(text)), "meet"));
    snprintf(text, sizeof text, loops, 1000000, "127 - j.5", "127 - k.6"); // without a pause
    CHECK(strstr(after(in_one_kernel, all_of(text)), "parfor i.4"));
}
