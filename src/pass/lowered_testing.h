// What tests of passes share: a unit of IR from C text, before any pass. Included after check.h, once.
#ifndef WHORL_PASS_LOWERED_TESTING_H
#define WHORL_PASS_LOWERED_TESTING_H

#include <string.h>

#include "front/front.h"
#include "pass/pass.h"

static struct base_cx cx; // of the last call

// A program that is not accepted fails the test: NULL.
static inline struct ir_unit *lowered_as(const char *path, const char *text, const struct whorl_compile_options *user) {
    base_cx_deinit(&cx);
    base_cx_init(&cx);
    if (setjmp(cx.bail)) {
        FAIL("%s", base_render_diags(&cx));
        return NULL;
    }
    struct front_options options = {.path = path, .text = text, .user = user};
    struct ir_unit *u = front_compile(&cx, &options).unit;
    ir_check(u, "lowering");
    return u;
}

static inline struct ir_unit *lowered_with(const char *path, const char *text, const struct whorl_scalar *scalars,
                                           size_t count) {
    struct whorl_compile_options user = WHORL_COMPILE_OPTIONS_INIT;
    user.scalars = scalars;
    user.scalar_count = count;
    return lowered_as(path, text, &user);
}

// `n` is a scalar of the program.
static inline struct ir_unit *lowered(const char *text, int n) {
    struct whorl_scalar scalar = {"n", n};
    return lowered_with("test.c", text, &scalar, 1);
}

// Runs the passes on a device that so many invocations keep busy. -> the program after `pass`; *said: what they explain
static inline const char *run_passes(struct ir_unit *u, enum pass_goal goal, const char *pass, uint32_t busy,
                                     bool keep_order, struct base_text *said) {
    struct plan_target target = plan_base_target;
    target.busy_invocations = busy;
    target.keep_order = keep_order;
    base_text_init(said, &cx);
    base_text_put(said, "");
    struct pass_cx p = {.u = u, .target = &target, .explain = said};
    return pass_run(&p, goal, NULL, pass);
}

// What the pass says of the program, of scalar `n`, on a device that so many invocations keep busy: from "NAME: " on;
// "" where it says nothing.
static inline const char *said_by(const char *pass, const char *text, int n, uint32_t busy, bool keep_order) {
    struct ir_unit *u = lowered(text, n);
    if (!u || setjmp(cx.bail)) return "(no program)";
    struct base_text said;
    (void)run_passes(u, PASS_STEPS, pass, busy, keep_order, &said);
    const char *line = strstr(said.data, base_format(&cx, "%s: ", pass));
    return line ? line : "";
}

#endif
