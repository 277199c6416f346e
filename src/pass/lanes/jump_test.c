// Many steps of a generator of random numbers at once (jump.c): they give what the steps give one by one.
#include <stdio.h>
#include <string.h>

#include "check.h"

#include "pass/lanes/jump.h"
#include "pass/lowered_testing.h"

// `passes` steps of a word s.
static struct ir_unit *generator(const char *step, int passes) {
    char text[1000];
    snprintf(text, sizeof text,
             "void f(int n, unsigned x[1]) {\n#pragma omp parallel for\nfor (int t = 0; t < 1; t++) {\n"
             "unsigned s = x[t];\nfor (int i = 0; i < n; i++) {\n%s\n}\nx[t] = s;\n}\n}\n",
             step);
    return lowered(text, passes);
}

static uint32_t run_from(const struct ir_unit *u, uint32_t begin) {
    uint32_t word = begin;
    void *arrays[] = {NULL, &word};
    size_t sizes[] = {0, sizeof word};
    struct whorl_error err;
    struct ir_interp_options o = {.arrays = arrays, .size_bytes = sizes, .max_steps = 10000000};
    if (ir_interpret(u, &o, &err) != WHORL_OK) FAIL("%s", err.message);
    return word;
}

// The loop, and the word.
static ir_stmt loop_of(const struct ir_unit *u, ir_var *out_word) {
    for (ir_var v = 1; v < u->var_count; v++)
        if (strcmp(u->vars[v].name, "s") == 0) *out_word = v;
    ir_stmt s = u->root;
    while (s && u->stmts[s].kind != IR_PARFOR)
        s = u->stmts[s].next;
    s = s ? u->stmts[s].parfor.body : 0;
    while (s && u->stmts[s].kind != IR_FOR)
        s = u->stmts[s].next;
    return s;
}

static bool has_jump(const char *step, struct pass_jump *out) {
    struct ir_unit *u = generator(step, 5);
    ir_var word = 0;
    ir_stmt loop = u ? loop_of(u, &word) : 0;
    return loop && pass_find_jump(u, u->stmts[loop].counted.body, word, out);
}

// -> by one jump
static uint32_t jumped(const char *step, uint32_t begin, int passes) {
    struct ir_unit *u = generator(step, passes);
    struct pass_jump jump;
    ir_var word = 0;
    ir_stmt loop = u ? loop_of(u, &word) : 0;
    if (!loop || !pass_find_jump(u, u->stmts[loop].counted.body, word, &jump)) return ~begin;
    ir_var n = ir_add_var(u, "passes", IR_I32, IR_VAR_LOCAL, 0);
    ir_stmt made = ir_assign(u, n, ir_const_i32(u, passes), 0);
    ir_append(u, &made, pass_make_jump(u, &jump, word, n, 9, 0));
    ir_append(u, &made, u->stmts[loop].next);
    u->stmts[loop] = u->stmts[made];
    ir_check(u, "jump");
    return run_from(u, begin);
}

static const char *const generators[] = {
    "s = s * 1664525u + 1013904223u;",
    "s += 0x9e3779b9u;",
    "for (int k = 0; k < 7; k++) s = 48271u * s - k;",
    "s ^= s << 13; s ^= s >> 17; s ^= s << 5;",
    "for (int k = 0; k < 3; k++) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; s ^= 1u << k; }",
    "s = (s << 7 | s >> 25) ^ (s >> 9 & 0xffff) ^ 0x55u;",
    "s = ~s; s = s << 1 | (s >> 31);",
    "s = s * 8 + s; s = (s << 4) + s - 3;",
};

TEST(jumps_are_steps) {
    static const uint32_t begins[] = {0, 1, 12345, 0xdeadbeef, UINT32_MAX};
    static const int passes[] = {2, 3, 31, 255, 300, 511};
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
            for (size_t k = 0; k < sizeof passes / sizeof *passes; k++) {
                struct ir_unit *u = generator(generators[g], passes[k]);
                uint32_t stepped = u ? run_from(u, begins[b]) : 0,
                         at_once = jumped(generators[g], begins[b], passes[k]);
                if (stepped != at_once)
                    FAIL("%d of %s from %u: %u, not %u", passes[k], generators[g], begins[b], at_once, stepped);
            }
}

TEST(which_are_linear) {
    struct pass_jump jump;
    CHECK(has_jump("s = s * 5u + 3u;", &jump) && jump.sums && jump.a == 5 && jump.c == 3);
    CHECK(has_jump("s ^= s >> 1;", &jump) && !jump.sums && jump.row[0] == 3 && jump.row[31] == 1u << 31);
    CHECK(!has_jump("s = s * s + 1;", &jump));
    CHECK(!has_jump("s = s * 5u; s ^= s >> 3;", &jump));
    CHECK(!has_jump("s = (s ^ s >> 3) + s;", &jump));
    CHECK(!has_jump("s = s << 1 | s;", &jump)); // bits of both
    CHECK(!has_jump("s = s * 5u + (unsigned)i;", &jump));
    CHECK(!has_jump("if (s & 1) s = s * 3u; else s += 7;", &jump));
    CHECK(!has_jump("s = (unsigned)((int)s >> 3);", &jump));                    // copies of the sign
    CHECK(!has_jump("for (int k = 0; k < 20000; k++) s = s * 5u + 1;", &jump)); // too long to be played
}
