// The generators of random numbers that programs write themselves multiply and add (D. H. Lehmer, 1951), or shift and
// exclude (G. Marsaglia, Journal of Statistical Software 8, 2003). Both are linear: the first over numbers modulo 2^32,
// the second over bits. So n passes are such a step, too, whose numbers are known beforehand: those of 1, 2, 4, ...
// passes, by squaring, make any n of them (F. Brown, Transactions of the American Nuclear Society 71, 1994).
//
// Which step a block makes is found by playing it on what is known of the word: how it follows from the first.
#include "pass/lanes/jump.h"

#include <string.h>

#include "ir/eval.h"
#include "pass/cost.h"
#include "pass/passes.h"

// How a value follows from the word x: by sums (a * x + c), by bits (row, mask), or by both; by neither: not known.
struct value {
    bool sums, bits;
    uint32_t a, c, row[PASS_JUMP_BITS], mask;
};

struct player {
    struct ir_unit *u;
    struct value *vars; // by variable
    uint32_t work;      // statements that may still be played
    bool fits;
};

static struct value constant(uint32_t c) {
    struct value v = {.sums = true, .bits = true, .c = c, .mask = c};
    return v;
}
static bool is_constant(const struct value *v) { return v->sums && v->a == 0; }

static struct value shifted(const struct value *x, uint32_t left, uint32_t right) {
    struct value v = {.bits = x->bits, .mask = left ? x->mask << left : x->mask >> right};
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++) {
        uint32_t from = r + right - left; // beyond the word where it is none
        v.row[r] = from < PASS_JUMP_BITS ? x->row[from] : 0;
    }
    return v;
}

static struct value exclusive(const struct value *x, const struct value *y) {
    struct value v = {.bits = x->bits && y->bits, .mask = x->mask ^ y->mask};
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
        v.row[r] = x->row[r] ^ y->row[r];
    return v;
}

// x & y, one of them constant.
static struct value masked(const struct value *x, uint32_t y) {
    struct value v = {.bits = x->bits, .mask = x->mask & y};
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
        v.row[r] = y >> r & 1 ? x->row[r] : 0;
    return v;
}

// No bit of the word can be set in both.
static bool are_apart(const struct value *x, const struct value *y) {
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++) {
        bool in_x = x->row[r] || x->mask >> r & 1, in_y = y->row[r] || y->mask >> r & 1;
        if (in_x && in_y) return false;
    }
    return x->bits && y->bits;
}

static struct value value_of(struct player *x, ir_expr e);

static struct value value_of_two(struct player *x, const struct ir_node *n) {
    const struct value a = value_of(x, n->a), b = value_of(x, n->b);
    bool sums = a.sums && b.sums;
    struct value v = {0};
    uint32_t bits;
    if (is_constant(&a) && is_constant(&b))
        return ir_eval_op((enum ir_op)n->op, (enum ir_type)n->type, a.c, b.c, 0, &bits) ? constant(bits) : v;
    switch (n->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_OR:
    case IR_XOR:
        if (n->op == IR_XOR || (n->op != IR_SUB && are_apart(&a, &b))) v = exclusive(&a, &b);
        v.sums = sums && (n->op == IR_ADD || n->op == IR_SUB);
        v.a = n->op == IR_SUB ? a.a - b.a : a.a + b.a;
        v.c = n->op == IR_SUB ? a.c - b.c : a.c + b.c;
        break;
    case IR_MUL:
        v.sums = sums && (is_constant(&a) || is_constant(&b));
        v.a = a.a * b.c + b.a * a.c;
        v.c = a.c * b.c;
        break;
    case IR_AND:
        if (is_constant(&a)) v = masked(&b, a.c);
        if (is_constant(&b)) v = masked(&a, b.c);
        break;
    case IR_SHL:
    case IR_SHR:
        if (!is_constant(&b) || b.c >= PASS_JUMP_BITS || n->type != IR_U32) break;
        v = n->op == IR_SHL ? shifted(&a, b.c, 0) : shifted(&a, 0, b.c);
        v.sums = n->op == IR_SHL && a.sums;
        v.a = a.a << b.c;
        v.c = a.c << b.c;
        break;
    default: break;
    }
    return v;
}

// Of whole numbers; of others nothing is known.
static struct value value_of(struct player *x, ir_expr e) {
    const struct ir_node n = x->u->nodes[e];
    struct value v = {0}, ones = constant(UINT32_MAX);
    uint32_t bits;
    if (ir_is_const(x->u, e, &bits)) return constant(bits);
    switch (n.op) {
    case IR_VAR: return x->vars[n.a];
    case IR_I2U:
    case IR_U2I: return value_of(x, n.a);
    case IR_BITNOT:
        v = value_of(x, n.a);
        v = exclusive(&v, &ones);
        return v;
    default: return ir_ops[n.op].arity == 2 && (n.type == IR_U32 || n.type == IR_I32) ? value_of_two(x, &n) : v;
    }
}

static void play(struct player *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s && x->fits; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        uint64_t trips;
        uint32_t lo;
        x->fits = x->work > 0;
        x->work -= x->fits;
        if (n->kind == IR_ASSIGN) {
            x->vars[n->assign.var] = value_of(x, n->assign.value);
        } else if (n->kind == IR_FOR && ir_const_trips(u, s, &trips) && ir_is_const(u, n->counted.lo, &lo)) {
            for (uint64_t i = 0; i < trips && x->fits; i++) {
                x->vars[n->counted.var] = constant(lo + (uint32_t)i * (uint32_t)n->counted.step);
                play(x, n->counted.body);
            }
        } else {
            x->fits = false;
        }
    }
}

bool pass_find_jump(struct ir_unit *u, ir_stmt block, ir_var v, struct pass_jump *out) {
    if (u->vars[v].type != IR_U32) return false;
    struct player x = {.u = u, .work = PASS_JUMP_MOST, .fits = true};
    x.vars = base_alloc_array(u->cx, u->var_count, sizeof *x.vars);
    x.vars[v] = (struct value){.sums = true, .bits = true, .a = 1};
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
        x.vars[v].row[r] = 1u << r;
    play(&x, block);
    const struct value *end = &x.vars[v];
    *out = (struct pass_jump){.sums = end->sums, .a = end->a, .c = end->sums ? end->c : end->mask};
    memcpy(out->row, end->row, sizeof out->row);
    return x.fits && (end->sums || end->bits);
}

static uint32_t by_rows(const struct pass_jump *jump, uint32_t x) {
    uint32_t y = 0;
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
        y |= (uint32_t)(__builtin_popcount(x & jump->row[r]) & 1) << r;
    return y;
}

// Twice as many passes.
static struct pass_jump doubled(const struct pass_jump *x) {
    struct pass_jump two = {.sums = x->sums, .a = x->a * x->a, .c = x->a * x->c + x->c};
    if (!x->sums) two.c = by_rows(x, x->c) ^ x->c;
    for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
        for (uint32_t b = 0; b < PASS_JUMP_BITS; b++)
            if (x->row[r] >> b & 1) two.row[r] ^= x->row[b];
    return two;
}

static ir_expr two(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b, base_loc loc) {
    return ir_op2(u, op, a, b, loc);
}

// The word that each bit of v adds, where it is set: in sums of eight, so that no expression is deep.
static ir_expr by_columns(struct ir_unit *u, const struct pass_jump *jump, ir_var v, ir_stmt *out, base_loc loc) {
    ir_var sum = ir_add_var(u, "jumped", IR_U32, IR_VAR_LOCAL, loc);
    ir_expr all = ir_const(u, IR_U32, jump->c);
    for (uint32_t b = 0; b < PASS_JUMP_BITS; b++) {
        uint32_t column = 0;
        for (uint32_t r = 0; r < PASS_JUMP_BITS; r++)
            column |= (jump->row[r] >> b & 1) << r;
        ir_expr bit = two(u, IR_SHR, ir_var_read(u, v, loc), ir_const(u, IR_U32, b), loc);
        bit = two(u, IR_SUB, ir_const(u, IR_U32, 0), two(u, IR_AND, bit, ir_const(u, IR_U32, 1), loc), loc);
        if (column) all = two(u, IR_XOR, all, two(u, IR_AND, bit, ir_const(u, IR_U32, column), loc), loc);
        if (b % 8 != 7) continue;
        ir_append(u, out, ir_assign(u, sum, all, loc));
        all = ir_var_read(u, sum, loc);
    }
    return all;
}

ir_stmt pass_make_jump(struct ir_unit *u, const struct pass_jump *jump, ir_var v, ir_var passes, uint32_t doublings,
                       base_loc loc) {
    struct pass_jump power = *jump;
    ir_stmt out = 0;
    for (uint32_t k = 0; k < doublings; k++, power = doubled(&power)) {
        ir_stmt made = 0;
        ir_expr scaled = two(u, IR_MUL, ir_var_read(u, v, loc), ir_const(u, IR_U32, power.a), loc);
        ir_expr value = power.sums ? two(u, IR_ADD, scaled, ir_const(u, IR_U32, power.c), loc)
                                   : by_columns(u, &power, v, &made, loc);
        ir_append(u, &made, ir_assign(u, v, value, loc));
        ir_expr bit = two(u, IR_AND, ir_var_read(u, passes, loc), ir_const_i32(u, 1 << k), loc);
        ir_append(u, &out, ir_if(u, two(u, IR_NE, bit, ir_const_i32(u, 0), loc), made, 0, loc));
    }
    return out;
}
