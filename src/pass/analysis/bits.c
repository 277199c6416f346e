#include "pass/analysis/bits.h"

#include <string.h>

#define UNKNOWN PASS_BIT_UNKNOWN

static uint8_t negated(uint8_t a) { return a == UNKNOWN ? a : a ^ 1; }
static bool are_opposite(uint8_t a, uint8_t b) { return a != UNKNOWN && a == negated(b); }
static uint8_t both(uint8_t a, uint8_t b) {
    if (a == PASS_BIT_0 || b == PASS_BIT_0 || are_opposite(a, b)) return PASS_BIT_0;
    return a == PASS_BIT_1 || a == b ? b : b == PASS_BIT_1 ? a : UNKNOWN;
}
static uint8_t either(uint8_t a, uint8_t b) { return negated(both(negated(a), negated(b))); }
static uint8_t differ(uint8_t a, uint8_t b) {
    if (a == UNKNOWN || b == UNKNOWN) return UNKNOWN;
    if (a < UNKNOWN) return a ? negated(b) : b;
    if (b < UNKNOWN) return b ? negated(a) : a;
    return a == b ? PASS_BIT_0 : are_opposite(a, b) ? PASS_BIT_1 : UNKNOWN;
}
// At least two of the three are 1.
static uint8_t most(uint8_t a, uint8_t b, uint8_t c) {
    if (a == b || are_opposite(a, b)) return a == b ? a : c;
    if (a == c || are_opposite(a, c)) return a == c ? a : b;
    return b == c || are_opposite(b, c) ? (b == c ? b : a) : UNKNOWN;
}

static struct pass_bits unknown(void) {
    struct pass_bits x;
    memset(x.bit, UNKNOWN, sizeof x.bit);
    return x;
}

struct pass_bits pass_bits_const(uint32_t value) {
    struct pass_bits x;
    for (uint32_t i = 0; i < 32; i++)
        x.bit[i] = value >> i & 1;
    return x;
}

bool pass_bits_are_const(const struct pass_bits *x, uint32_t *out) {
    *out = 0;
    for (uint32_t i = 0; i < 32; i++) {
        if (x->bit[i] >= UNKNOWN) return false;
        *out |= (uint32_t)x->bit[i] << i;
    }
    return true;
}

void pass_bits_meet(struct pass_bits *io, const struct pass_bits *other) {
    for (uint32_t i = 0; i < 32; i++)
        if (io->bit[i] != other->bit[i]) io->bit[i] = UNKNOWN;
}

static struct pass_bits not(struct pass_bits x) {
    for (uint32_t i = 0; i < 32; i++)
        x.bit[i] = negated(x.bit[i]);
    return x;
}

static struct pass_bits sum(const struct pass_bits *a, const struct pass_bits *b, uint8_t carry) {
    struct pass_bits x;
    for (uint32_t i = 0; i < 32; i++) {
        x.bit[i] = differ(differ(a->bit[i], b->bit[i]), carry);
        carry = most(a->bit[i], b->bit[i], carry);
    }
    return x;
}

// fill: the bits that come from beyond the ends
static struct pass_bits shifted(const struct pass_bits *a, int32_t left, uint8_t fill) {
    struct pass_bits x;
    for (int32_t i = 0; i < 32; i++)
        x.bit[i] = i - left < 0 || i - left > 31 ? fill : a->bit[i - left];
    return x;
}

static struct pass_bits product(const struct pass_bits *a, uint32_t c) {
    struct pass_bits x = pass_bits_const(0);
    for (int32_t i = 0; i < 32; i++) {
        struct pass_bits part = shifted(a, i, PASS_BIT_0);
        if (c >> i & 1) x = sum(&x, &part, PASS_BIT_0);
    }
    return x;
}

// By 2^n; what is negative is rounded another way.
static struct pass_bits quotient(const struct pass_bits *a, uint32_t c, bool is_signed, bool rest) {
    int32_t n = 0;
    while (n < 31 && 1u << n != c)
        n++;
    if (1u << n != c || (is_signed && (a->bit[31] != PASS_BIT_0 || n == 31))) return unknown();
    struct pass_bits x = shifted(a, -n, PASS_BIT_0);
    if (!rest) return x;
    for (int32_t i = 0; i < 32; i++)
        x.bit[i] = i < n ? a->bit[i] : PASS_BIT_0;
    return x;
}

static uint8_t unequal(const struct pass_bits *a, const struct pass_bits *b) {
    uint8_t any = PASS_BIT_0;
    for (uint32_t i = 0; i < 32; i++) {
        uint8_t d = differ(a->bit[i], b->bit[i]);
        if (d == PASS_BIT_1) return d;
        any = either(any, d);
    }
    return any;
}

static bool are_all(const struct pass_bits *x, uint32_t below, uint8_t bit) {
    while (below > 0 && x->bit[below - 1] == bit)
        below--;
    return below == 0;
}

// From the highest bit on, the first in which they may differ decides: if they surely do, or if what stands below
// cannot make the first number the lesser one.
static uint8_t less(const struct pass_bits *a, const struct pass_bits *b, bool is_signed) {
    for (uint32_t i = 32; i-- > 0;) {
        uint8_t d = differ(a->bit[i], b->bit[i]);
        if (d == PASS_BIT_1) return i == 31 && is_signed ? a->bit[i] : b->bit[i];
        if (d == PASS_BIT_0) continue;
        bool decides = are_all(a, i, PASS_BIT_1) || are_all(b, i, PASS_BIT_0);
        return decides && (i < 31 || !is_signed) ? both(negated(a->bit[i]), b->bit[i]) : UNKNOWN;
    }
    return PASS_BIT_0;
}

static struct pass_bits truth(uint8_t bit) {
    struct pass_bits x = pass_bits_const(0);
    x.bit[0] = bit;
    return x;
}

static struct pass_bits bitwise(uint8_t op, const struct pass_bits *a, const struct pass_bits *b) {
    struct pass_bits x;
    for (uint32_t i = 0; i < 32; i++)
        x.bit[i] = (op == IR_AND ? both : op == IR_OR ? either : differ)(a->bit[i], b->bit[i]);
    return x;
}

static struct pass_bits selected(uint8_t c, const struct pass_bits *a, const struct pass_bits *b) {
    struct pass_bits x;
    for (uint32_t i = 0; i < 32; i++)
        x.bit[i] = a->bit[i] == b->bit[i] ? a->bit[i] : either(both(c, a->bit[i]), both(negated(c), b->bit[i]));
    return x;
}

static struct pass_bits operation(const struct ir_unit *u, const struct ir_node *n, const struct pass_bits *a,
                                  const struct pass_bits *b, const struct pass_bits *c) {
    bool is_signed = u->nodes[n->a].type == IR_I32;
    uint32_t known = 0;
    struct pass_bits other, zero = pass_bits_const(0);
    switch (n->op) {
    case IR_I2U:
    case IR_U2I: return *a;
    case IR_BITNOT: return not(*a);
    case IR_NOT: return truth(negated(a->bit[0]));
    case IR_NEG: other = not(*a); return sum(&zero, &other, PASS_BIT_1);
    case IR_ADD: return sum(a, b, PASS_BIT_0);
    case IR_SUB: other = not(*b); return sum(a, &other, PASS_BIT_1);
    case IR_MUL:
        if (pass_bits_are_const(b, &known)) return product(a, known);
        return pass_bits_are_const(a, &known) ? product(b, known) : unknown();
    case IR_DIV:
    case IR_REM: return pass_bits_are_const(b, &known) ? quotient(a, known, is_signed, n->op == IR_REM) : unknown();
    case IR_AND:
    case IR_OR:
    case IR_XOR: return bitwise(n->op, a, b);
    case IR_SHL:
    case IR_SHR:
        if (!pass_bits_are_const(b, &known) || known > 31) return unknown();
        if (n->op == IR_SHL) return shifted(a, (int32_t)known, PASS_BIT_0);
        return shifted(a, -(int32_t)known, is_signed ? a->bit[31] : PASS_BIT_0);
    case IR_EQ: return truth(negated(unequal(a, b)));
    case IR_NE: return truth(unequal(a, b));
    case IR_LT: return truth(less(a, b, is_signed));
    case IR_GT: return truth(less(b, a, is_signed));
    case IR_LE: return truth(negated(less(b, a, is_signed)));
    case IR_GE: return truth(negated(less(a, b, is_signed)));
    case IR_LAND: return truth(both(a->bit[0], b->bit[0]));
    case IR_LOR: return truth(either(a->bit[0], b->bit[0]));
    case IR_MIN: return selected(less(a, b, is_signed), a, b);
    case IR_MAX: return selected(less(a, b, is_signed), b, a);
    case IR_SELECT: return selected(a->bit[0], b, c);
    default: return unknown();
    }
}

struct pass_bits pass_bits_of(const struct pass_bits_env *env, ir_expr e) {
    const struct ir_unit *u = env->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->type == IR_F32 || n->op == IR_LOAD) return unknown();
    if (n->op == IR_CONST) return pass_bits_const(n->a);
    if (n->op == IR_VAR) return env->slot[n->a] ? env->value[env->slot[n->a] - 1] : unknown();
    struct pass_bits x[3] = {unknown(), unknown(), unknown()};
    uint32_t operands[3] = {n->a, n->b, n->c};
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++) {
        if (u->nodes[operands[i]].type == IR_F32) return unknown();
        x[i] = pass_bits_of(env, operands[i]);
    }
    return operation(u, n, &x[0], &x[1], &x[2]);
}
