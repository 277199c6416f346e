// What is known of the bits of a number made from another one's; each is held against all values of that.
#include "pass/analysis/bits.h"

#include <string.h>

#include "check.h"
#include "ir/eval.h"
#include "pass/lowered_testing.h"

static uint32_t value_of(const struct ir_unit *u, ir_expr e, ir_var v, uint32_t number) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t x[3] = {0}, operands[3] = {n->a, n->b, n->c}, out = 0;
    if (n->op == IR_CONST) return n->a;
    if (n->op == IR_VAR) return n->a == v ? number : 0;
    for (uint32_t k = 0; k < ir_ops[n->op].arity; k++)
        x[k] = value_of(u, operands[k], v, number);
    CHECK(ir_eval_op((enum ir_op)n->op, (enum ir_type)u->nodes[n->a].type, x[0], x[1], x[2], &out));
    return out;
}

// The bits of y[0] from the highest of 8 on, of a parallel loop's i with 6 bits: 0, 1, a letter for i's bits from the
// lowest on, in capitals where it is negated, or '?'.
static const char *bits(const char *expr) {
    static char out[9];
    char text[512];
    snprintf(text, sizeof text,
             "void f(int n, unsigned y[n]) {\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) y[i] = %s;\n}\n",
             expr);
    struct ir_unit *u = lowered(text, 64);
    if (!u || setjmp(cx.bail)) return "";
    ir_stmt parfor = u->root;
    while (parfor && u->stmts[parfor].kind != IR_PARFOR)
        parfor = u->stmts[parfor].next;
    ir_stmt store = u->stmts[parfor].parfor.body;
    while (u->stmts[store].kind != IR_STORE)
        store = u->stmts[store].next;
    ir_var i = u->dims[u->stmts[parfor].parfor.dims].var;
    uint8_t *slot = base_alloc_array(&cx, u->var_count, 1);
    slot[i] = 1;
    struct pass_bits number = pass_bits_const(0);
    for (uint32_t k = 0; k < 6; k++)
        number.bit[k] = (uint8_t)(PASS_BIT_INPUT + 2 * k);
    struct pass_bits x = pass_bits_of(&(struct pass_bits_env){u, slot, &number}, u->stmts[store].store.value);
    for (uint32_t v = 0; v < 64; v++) {
        uint32_t value = value_of(u, u->stmts[store].store.value, i, v);
        for (uint32_t k = 0; k < 32; k++) {
            uint8_t b = x.bit[k];
            if (b == PASS_BIT_UNKNOWN) continue;
            uint32_t said = b < PASS_BIT_INPUT ? b : (v >> (b - PASS_BIT_INPUT) / 2 & 1) ^ (b & 1u);
            if (said != (value >> k & 1)) FAIL("%s: bit %u of %u for i = %u", expr, k, value, v);
        }
    }
    for (uint32_t k = 0; k < 8; k++) {
        uint8_t b = x.bit[7 - k];
        out[k] = b == PASS_BIT_UNKNOWN ? '?'
                 : b < PASS_BIT_INPUT  ? (char)('0' + b)
                                       : (char)((b & 1 ? 'A' : 'a') + (b - PASS_BIT_INPUT) / 2);
    }
    return out;
}

TEST(places) {
    CHECK_EQ_STR("00fedcba", bits("i"));
    CHECK_EQ_STR("fedcba00", bits("i * 4"));
    CHECK_EQ_STR("0000fedc", bits("i / 4"));
    CHECK_EQ_STR("000000ba", bits("i % 4"));
    CHECK_EQ_STR("0fedc0ba", bits("i / 4 * 8 + i % 4"));
    CHECK_EQ_STR("0fedc1ba", bits("(i / 4 * 8 + i % 4) + 4"));
    CHECK_EQ_STR("00feDcba", bits("i ^ 8"));
    CHECK_EQ_STR("00fe1cba", bits("i | 8"));
    CHECK_EQ_STR("00fe0cba", bits("i & ~8"));
    CHECK_EQ_STR("00FEDCBA", bits("63 - i"));
    CHECK_EQ_STR("01fedcba", bits("i + 64"));
    CHECK_EQ_STR("dcba0000", bits("(unsigned)i << 4"));
    CHECK_EQ_STR("00000fed", bits("(i - i % 8) >> 3"));
}

TEST(conditions) {
    CHECK_EQ_STR("0000000d", bits("(i ^ 8) < i"));
    CHECK_EQ_STR("0000000D", bits("(i & 8) == 0"));
    CHECK_EQ_STR("0000000d", bits("!((i & 8) == 0)"));
    CHECK_EQ_STR("00000000", bits("i > 63"));
    CHECK_EQ_STR("0000000D", bits("i % 16 < 8"));
    CHECK_EQ_STR("0000000d", bits("7 < i % 16"));
    CHECK_EQ_STR("0000000f", bits("i >= 32"));
    CHECK_EQ_STR("00000001", bits("i < 64 && i >= 0"));
    CHECK_EQ_STR("000000d0", bits("i & 8 ? 2 : 0"));
    CHECK_EQ_STR("00fedcba", bits("i & 8 ? i | 8 : i & ~8"));
}

TEST(what_is_not_known) {
    CHECK_EQ_STR("0??????A", bits("i + 1"));
    CHECK_EQ_STR("???????a", bits("i * 3"));
    CHECK_EQ_STR("0fedc0?a", bits("2 * i - (i & 3)")); // it is b: a ^ b ^ a
    CHECK_EQ_STR("????????", bits("i % 3"));
    CHECK_EQ_STR("????????", bits("(i - 32) / 4")); // rounded towards 0
    CHECK_EQ_STR("0000000?", bits("i > 20"));
    CHECK_EQ_STR("????????", bits("1 << (i % 2)"));
}

TEST(tear_down) { base_cx_deinit(&cx); }
