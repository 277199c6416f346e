// What is explained: each line once, and how often.
#include "check.h"
#include "compile/build.h"

static struct base_cx cx;

TEST(lines_once) {
    base_cx_init(&cx);
    CHECK_EQ_STR("fuse: a (2 times)\nstage: b\nlast: c (3 times)\n",
                 compile_explained(&cx, "fuse: a\nstage: b\nlast: c\nfuse: a\nlast: c\nlast: c\n"));
    CHECK_EQ_STR("", compile_explained(&cx, ""));
    CHECK_EQ_STR("no end", compile_explained(&cx, "no end"));
    base_cx_deinit(&cx);
}

TEST(lines_with_others_behind) {
    base_cx_init(&cx);
    CHECK_EQ_STR("single: 2\n  first\n  second\nsingle: 2 (2 times)\n  first\nx\n",
                 compile_explained(&cx, "single: 2\n  first\n  second\nsingle: 2\n  first\nsingle: 2\n  first\nx\n"));
    base_cx_deinit(&cx);
}
