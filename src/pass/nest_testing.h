// For tests of passes over loops in parallel loops: the interpreter runs statements before and after the passes, and
// finds the same bits.
#ifndef WHORL_PASS_NEST_TESTING_H
#define WHORL_PASS_NEST_TESTING_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "pass/lowered_testing.h"
#include "pass/pass.h"
#include "whorl.h"

enum { MOST = 136, WORDS = 3 * MOST * MOST + MOST };

static char said_last[4000];
static int side = 40; // n

static inline void interpret(const struct ir_unit *u, float *memory) {
    size_t square = (size_t)side * (size_t)side, count = (size_t)side;
    void *arrays[] = {NULL, memory, memory + square, memory + 2 * square, memory + 3 * square};
    size_t sizes[] = {0, 4 * square, 4 * square, 4 * square, 4 * count};
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes};
    struct whorl_error err;
    for (int i = 0; i < WORDS; i++)
        memory[i] = (float)(i * 37 % 101) * 0.125f - 5.0f;
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
}

// The statements see n, a[n][n], b[n][n], c[n][n] and x[n]. What is said of the passes. `busy`: the
// device's invocations.
static inline const char *nest_said(enum pass_goal goal, const char *statements, uint32_t busy) {
    static float want[WORDS], found[WORDS];
    char text[2000];
    snprintf(text, sizeof text,
             "void f(int n, const float a[n][n], const float b[n][n], float c[n][n], float x[n]) {\n%s\n}\n",
             statements);
    *said_last = 0;
    struct ir_unit *u = lowered(text, side);
    if (!u || setjmp(cx.bail)) {
        FAIL("%s", base_render_diags(&cx));
        return "";
    }
    interpret(u, want);
    struct base_text said;
    base_text_init(&said, &cx);
    base_text_put(&said, "");
    struct plan_target target = plan_base_target;
    target.busy_invocations = busy;
    struct pass_cx passes = {.u = u, .target = &target, .explain = &said};
    pass_run(&passes, goal, NULL, NULL);
    interpret(passes.u, found);
    CHECK(memcmp(want, found, sizeof want) == 0);
    snprintf(said_last, sizeof said_last, "%s", said.data);
    return said_last;
}
// For nests at random: each seed of `dice` makes the same ones.
static uint32_t dice;
static inline uint32_t roll(uint32_t sides) {
    dice = dice * 1664525u + 1013904223u;
    return (dice >> 10) % sides;
}
static inline const char *pick(const char *const *from, uint32_t count) { return from[roll(count)]; }
#define PICK(...) pick((const char *const[]){__VA_ARGS__}, sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))

#endif
