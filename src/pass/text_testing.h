// Tests of one pass by the IR's text: text in, text out. Included after check.h and pass/passes.h, once.
#ifndef WHORL_PASS_TEXT_TESTING_H
#define WHORL_PASS_TEXT_TESTING_H

#include <stdio.h>
#include <string.h>

static struct base_cx text_cx;    // of the last call
static struct ir_unit *text_unit; // the same

// The statements behind the pass, without the declarations. `unit`: declarations and statements as ir_print writes
// them.
static inline const char *after(void (*pass)(struct pass_cx *p), const char *unit) {
    base_cx_deinit(&text_cx);
    base_cx_init(&text_cx);
    if (setjmp(text_cx.bail)) {
        FAIL("%s", base_render_diags(&text_cx));
        return "";
    }
    struct base_text said;
    struct pass_cx p = {.u = ir_parse(&text_cx, unit), .target = &plan_base_target, .explain = &said};
    base_text_init(&said, &text_cx);
    ir_check(p.u, "parse");
    pass(&p);
    text_unit = p.u;
    ir_check(p.u, "pass");
    return strstr(ir_print(p.u), "{\n");
}

// The pass makes `to` of `from`, both between the same head, up to the first statements, and tail.
static inline void becomes(void (*pass)(struct pass_cx *p), const char *head, const char *from, const char *to,
                           const char *tail) {
    char text[1200], expected[1200];
    snprintf(text, sizeof text, "%s%s%s", head, from, tail);
    snprintf(expected, sizeof expected, "%s%s%s", head, to, tail);
    CHECK_EQ_STR(strstr(expected, "{\n"), after(pass, text));
}

#endif
