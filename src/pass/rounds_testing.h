// What tests of loops that double, halve and exchange share: a program on arrays of n = 64 words, which the interpreter
// runs before and after the passes and finds the same. Included after check.h, once.
#ifndef WHORL_PASS_ROUNDS_TESTING_H
#define WHORL_PASS_ROUNDS_TESTING_H

#include <stdio.h>
#include <string.h>

#include "pass/lowered_testing.h"
#include "pass/passes.h"

enum { N = 64, ARRAYS = 3 };

// backwards: iterations, and passes that lanes share, from the last to the first
static inline void interpret(const struct ir_unit *u, bool backwards, uint32_t *out) {
    struct whorl_error err;
    void *arrays[] = {NULL, out, out + N, out + 2 * N};
    size_t sizes[] = {0, 4 * N, 4 * N, 4 * N};
    for (uint32_t i = 0; i < ARRAYS * N; i++)
        out[i] = i * 2654435761u >> 7;
    struct ir_interp_options o = {
        .arrays = arrays, .size_bytes = sizes, .max_steps = 100000000, .backwards = backwards};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// Of a program f(int n, up to three arrays). -> it behind the passes, NULL: there is none; *said: what they explain
static inline struct ir_unit *same_behind(const char *text, void (*passes)(struct pass_cx *p), struct base_text *said) {
    static uint32_t memory[3][ARRAYS * N];
    struct ir_unit *u = lowered(text, N);
    if (!u || setjmp(cx.bail)) return NULL;
    struct pass_cx p = {.u = u, .target = &plan_base_target, .explain = said};
    base_text_init(said, &cx);
    base_text_put(said, "");
    interpret(u, false, memory[0]);
    passes(&p);
    ir_check(p.u, "passes");
    for (int backwards = 0; backwards < 2; backwards++) {
        interpret(p.u, backwards, memory[1 + backwards]);
        CHECK(memcmp(memory[0], memory[1 + backwards], sizeof memory[0]) == 0);
    }
    return p.u;
}

// The same of statements on x, y and c; what the pass of that name says of it, from its name on. "": nothing.
static inline const char *rounds_said(const char *name, const char *body, void (*passes)(struct pass_cx *p)) {
    static char text[2048];
    struct base_text said;
    snprintf(text, sizeof text, "void f(int n, unsigned x[n], unsigned y[n], const unsigned c[n]) {\n%s\n}\n", body);
    if (!same_behind(text, passes, &said)) FAIL("no program: %s", body);
    const char *line = strstr(said.data, name);
    return line ? line : "";
}

// What lanes share on a GPU that few iterations do not keep busy.
static inline void share_on_gpu(struct pass_cx *p) {
    static struct plan_target gpu;
    gpu = plan_base_target;
    gpu.busy_invocations = 65536;
    gpu.subgroup_lanes = 32;
    p->target = &gpu;
    pass_share(p);
    pass_lanes(p);
}

#endif
