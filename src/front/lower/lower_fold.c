// IR nodes with integer constants folded, and what can be said about a value before the program runs: its range, and
// whether reading it later gives the same.
//
// Floats are not folded here (pass/fold does that with the device's rules in mind); integers are, because bounds, sizes
// and branches are decided while lowering.
#include <string.h>

#include "front/lower/lower.h"

enum ir_type lower_ir_type_of(const struct lower *lw, ir_expr e) { return (enum ir_type)lw->u->nodes[e].type; }

ir_expr lower_bool(struct lower *lw, bool value) { return ir_const(lw->u, IR_BOOL, value); }

bool lower_const_int(const struct lower *lw, ir_expr e, int64_t *out) {
    uint32_t bits;
    if (!ir_is_const(lw->u, e, &bits)) return false;
    switch (lw->u->nodes[e].type) {
    case IR_BOOL: *out = bits != 0; return true;
    case IR_I32: *out = (int32_t)bits; return true;
    case IR_U32: *out = bits; return true;
    default: return false;
    }
}

struct lower_range lower_type_range(enum ir_type type) {
    switch (type) {
    case IR_BOOL: return (struct lower_range){0, 1};
    case IR_U32: return (struct lower_range){0, UINT32_MAX};
    default: return (struct lower_range){INT32_MIN, INT32_MAX};
    }
}

// ---- folding --------------------------------------------------------------------------------------------------------

static bool fold_ints(enum ir_op op, enum ir_type type, int64_t x, int64_t y, int64_t *out) {
    uint32_t ux = (uint32_t)x, uy = (uint32_t)y;
    switch (op) {
    case IR_ADD: *out = (int64_t)(ux + uy); return true;
    case IR_SUB: *out = (int64_t)(ux - uy); return true;
    case IR_MUL: *out = (int64_t)(uint32_t)(ux * uy); return true;
    case IR_DIV:
    case IR_REM:
        if (y == 0 || (y == -1 && x == INT32_MIN)) return false;
        *out = op == IR_DIV ? x / y : x % y;
        return true;
    case IR_MIN: *out = x < y ? x : y; return true;
    case IR_MAX: *out = x > y ? x : y; return true;
    case IR_MULHI: *out = (int64_t)(((uint64_t)ux * uy) >> 32); return true;
    case IR_AND: *out = ux & uy; return true;
    case IR_OR: *out = ux | uy; return true;
    case IR_XOR: *out = ux ^ uy; return true;
    case IR_SHL:
        if (uy > 31) return false;
        *out = ux << uy;
        return true;
    case IR_SHR:
        if (uy > 31) return false;
        *out = type == IR_I32 ? x >> uy : (int64_t)(ux >> uy);
        return true;
    case IR_EQ: *out = x == y; return true;
    case IR_NE: *out = x != y; return true;
    case IR_LT: *out = x < y; return true;
    case IR_LE: *out = x <= y; return true;
    case IR_GT: *out = x > y; return true;
    case IR_GE: *out = x >= y; return true;
    case IR_LAND: *out = x && y; return true;
    case IR_LOR: *out = x || y; return true;
    default: return false;
    }
}

static void check_one_word(struct lower *lw, ir_expr a, ir_expr b, base_loc loc) {
    if (lower_is_words(lw, a) || lower_is_words(lw, b))
        base_unsupported(lw->cx, loc,
                         "a 64-bit value that may not fit in 32 bits cannot be used here: cast it to int or "
                         "unsigned");
}

ir_expr lower_fold1(struct lower *lw, enum ir_op op, ir_expr a, base_loc loc) {
    struct ir_unit *u = lw->u;
    int64_t x;
    uint32_t bits;
    check_one_word(lw, a, a, loc);
    if (lower_const_int(lw, a, &x)) {
        switch (op) {
        case IR_NEG: return ir_const(u, lower_ir_type_of(lw, a), 0u - (uint32_t)x);
        case IR_BITNOT: return ir_const(u, lower_ir_type_of(lw, a), ~(uint32_t)x);
        case IR_NOT: return lower_bool(lw, !x);
        case IR_ABS: return ir_const(u, IR_I32, x < 0 ? 0u - (uint32_t)x : (uint32_t)x);
        case IR_I2U: return ir_const(u, IR_U32, (uint32_t)x);
        case IR_U2I: return ir_const(u, IR_I32, (uint32_t)x);
        case IR_I2F: return ir_const_f32(u, (float)(int32_t)x);
        case IR_U2F: return ir_const_f32(u, (float)(uint32_t)x);
        default: break;
        }
    } else if (op == IR_NEG && ir_is_const(u, a, &bits)) {
        return ir_const(u, IR_F32, bits ^ 0x80000000u);
    }
    const struct ir_node *n = &u->nodes[a];
    if ((op == IR_NOT && n->op == IR_NOT) || (op == IR_I2U && n->op == IR_U2I) || (op == IR_U2I && n->op == IR_I2U))
        return n->a;
    return ir_op1(u, op, a, loc);
}

ir_expr lower_fold2(struct lower *lw, enum ir_op op, ir_expr a, ir_expr b, base_loc loc) {
    struct ir_unit *u = lw->u;
    enum ir_type type = lower_ir_type_of(lw, a);
    int64_t x, y, value;
    check_one_word(lw, a, b, loc);
    bool cx = lower_const_int(lw, a, &x), cy = lower_const_int(lw, b, &y);
    if (cx && cy && fold_ints(op, type, x, y, &value)) {
        enum ir_type result = ir_ops[op].rule == IR_RULE_BOOL  ? IR_BOOL
                              : ir_ops[op].rule == IR_RULE_U32 ? IR_U32
                                                               : type;
        return ir_const(u, result, result == IR_BOOL ? value != 0 : (uint32_t)value);
    }
    if (cy && type != IR_F32) {
        if (y == 0 && (op == IR_ADD || op == IR_SUB || op == IR_OR || op == IR_XOR || op == IR_SHL || op == IR_SHR))
            return a;
        if (y == 1 && (op == IR_MUL || op == IR_DIV)) return a;
        if (y == 0 && op == IR_MUL) return b;
        if (op == IR_LAND) return y ? a : b;
        if (op == IR_LOR) return y ? b : a;
    }
    if (cx && type != IR_F32) {
        if (x == 0 && (op == IR_ADD || op == IR_OR || op == IR_XOR)) return b;
        if (x == 1 && op == IR_MUL) return b;
        if (x == 0 && op == IR_MUL) return a;
        if (op == IR_LAND) return x ? b : a;
        if (op == IR_LOR) return x ? a : b;
    }
    if (type != IR_F32 && ir_ops[op].rule == IR_RULE_BOOL && op != IR_LAND && op != IR_LOR) {
        // Compares that ranges decide: branches on specialised sizes disappear here.
        struct lower_range r = lower_range_of(lw, a), s = lower_range_of(lw, b);
        int known = -1;
        if (op == IR_LT || op == IR_GE)
            known = r.hi < s.lo ? 1 : r.lo >= s.hi ? 0 : -1;
        else if (op == IR_GT || op == IR_LE)
            known = r.lo > s.hi ? 1 : r.hi <= s.lo ? 0 : -1;
        else if ((op == IR_EQ || op == IR_NE) && (r.hi < s.lo || r.lo > s.hi))
            known = 0;
        if (known >= 0) return lower_bool(lw, (op == IR_GE || op == IR_LE || op == IR_NE) ? !known : known);
    }
    return ir_op2(u, op, a, b, loc);
}

ir_expr lower_fold3(struct lower *lw, enum ir_op op, ir_expr a, ir_expr b, ir_expr c, base_loc loc) {
    int64_t x;
    if (op == IR_SELECT && lower_const_int(lw, a, &x)) return x ? b : c;
    if (op == IR_SELECT && (lower_is_words(lw, b) || lower_is_words(lw, c)))
        return lower_words_select(lw, a, b, c, loc);
    return ir_op3(lw->u, op, a, b, c, loc);
}

// ---- variables ------------------------------------------------------------------------------------------------------

static void reserve_vars(struct lower *lw, uint32_t need) {
    if (need <= lw->var_cap) return;
    uint32_t cap = lw->var_cap ? lw->var_cap : 128;
    while (cap < need)
        cap *= 2;
    struct lower_range *ranges = base_alloc_array(lw->cx, cap, sizeof *ranges);
    uint8_t *stable = base_alloc_array(lw->cx, cap, 1);
    struct front_symbol **symbols = base_alloc_array(lw->cx, cap, sizeof *symbols);
    if (lw->var_cap) {
        memcpy(ranges, lw->var_ranges, lw->var_cap * sizeof *ranges);
        memcpy(stable, lw->var_stable, lw->var_cap);
        memcpy(symbols, lw->var_symbols, lw->var_cap * sizeof(struct front_symbol *));
    }
    lw->var_ranges = ranges;
    lw->var_stable = stable;
    lw->var_symbols = symbols;
    lw->var_cap = cap;
}

ir_var lower_new_var(struct lower *lw, const char *name, enum ir_type type, enum ir_var_class klass, base_loc loc) {
    ir_var var = ir_add_var(lw->u, name, type, klass, loc);
    reserve_vars(lw, var + 1);
    lw->var_ranges[var] = lower_type_range(type);
    lw->var_stable[var] = klass == IR_VAR_DIM || klass == IR_VAR_PARAM;
    lw->var_symbols[var] = NULL;
    return var;
}

void lower_set_range(struct lower *lw, ir_var var, struct lower_range range) {
    struct lower_range type = lower_type_range((enum ir_type)lw->u->vars[var].type);
    if (lw->u->vars[var].type == IR_F32 || range.lo > range.hi) return;
    if (range.lo > type.lo) type.lo = range.lo;
    if (range.hi < type.hi) type.hi = range.hi;
    if (type.lo <= type.hi) lw->var_ranges[var] = type;
}

void lower_set_stable(struct lower *lw, ir_var var) { lw->var_stable[var] = 1; }

struct stable_query {
    const struct lower *lw;
    bool ok, entry_only;
    uint32_t count;
};

// Trees share nodes: one that doubles at every step would be walked for ever. A large one is given a name instead.
#define MOST_SHARED_NODES 512

static bool check_stable(void *user, ir_expr e) {
    struct stable_query *q = user;
    const struct ir_unit *u = q->lw->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_VAR && (q->entry_only ? u->vars[n->a].klass != IR_VAR_PARAM : !q->lw->var_stable[n->a]))
        q->ok = false;
    if (n->op == IR_LOAD &&
        (q->entry_only || (u->arrays[n->a].klass != IR_ARRAY_IN && u->arrays[n->a].klass != IR_ARRAY_TABLE)))
        q->ok = false;
    if (++q->count > MOST_SHARED_NODES) q->ok = false;
    return q->ok;
}

bool lower_is_stable(const struct lower *lw, ir_expr e) {
    struct stable_query q = {lw, true, false, 0};
    ir_walk_expr(lw->u, e, check_stable, &q);
    return q.ok;
}

bool lower_is_entry_constant(const struct lower *lw, ir_expr e) {
    struct stable_query q = {lw, true, true, 0};
    ir_walk_expr(lw->u, e, check_stable, &q);
    return q.ok;
}

ir_expr lower_snapshot(struct lower *lw, ir_expr e, base_loc loc) {
    if (e == 0 || lower_is_stable(lw, e)) return e;
    if (lower_is_words(lw, e)) return lower_words_snapshot(lw, e, loc);
    ir_var var = lower_new_var(lw, "t", lower_ir_type_of(lw, e), lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
    lower_set_range(lw, var, lower_range_of(lw, e));
    lower_set_stable(lw, var);
    lower_emit(lw, ir_assign(lw->u, var, e, loc));
    return ir_var_read(lw->u, var, loc);
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

static struct lower_range within(struct lower_range r, enum ir_type type) {
    struct lower_range whole = lower_type_range(type);
    return r.lo < whole.lo || r.hi > whole.hi ? whole : r; // it may wrap
}

static struct lower_range product(struct lower_range a, struct lower_range b) {
    // Operands have at most 33 bits, so that products fit in 64 with their sign for I32 and wrap-free for U32 below
    // 2^63.
    const double limit = 9e18;
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    const int64_t xs[2] = {a.lo, a.hi}, ys[2] = {b.lo, b.hi};
    for (int i = 0; i < 4; i++) {
        int64_t x = xs[i & 1], y = ys[i >> 1];
        double p = (double)x * (double)y;
        if (p > limit || p < -limit) return (struct lower_range){INT64_MIN, INT64_MAX};
        if (x * y < lo) lo = x * y;
        if (x * y > hi) hi = x * y;
    }
    return (struct lower_range){lo, hi};
}

static int64_t mask_above(int64_t value) { // the smallest 2^k - 1 that is not less
    int64_t mask = 0;
    while (mask < value)
        mask = mask * 2 + 1;
    return mask;
}

static struct lower_range range_of_element(enum whorl_dtype type, struct lower_range whole) {
    const struct base_dtype_info *elem = base_dtype(type);
    return elem->bytes < 4 ? (struct lower_range){(int64_t)elem->lowest, (int64_t)elem->highest} : whole;
}

static struct lower_range range_of_bits(const struct ir_node *n, struct lower_range a, struct lower_range b,
                                        struct lower_range whole) {
    switch (n->op) {
    case IR_AND:
        if (a.lo >= 0 && b.lo >= 0) return (struct lower_range){0, a.hi < b.hi ? a.hi : b.hi};
        if (a.lo >= 0 || b.lo >= 0) return (struct lower_range){0, a.lo >= 0 ? a.hi : b.hi};
        return whole;
    case IR_SHL:
        if (b.lo == b.hi && b.hi < 31)
            return within(product(a, (struct lower_range){1ll << b.lo, 1ll << b.lo}), (enum ir_type)n->type);
        if (a.lo >= 0 && b.hi < 31)
            return within((struct lower_range){a.lo << b.lo, a.hi << b.hi}, (enum ir_type)n->type);
        return whole;
    case IR_SHR:
        if (b.lo >= 0 && b.hi <= 31)
            return (struct lower_range){a.lo < 0 ? a.lo >> b.lo : a.lo >> b.hi, a.hi < 0 ? a.hi >> b.hi : a.hi >> b.lo};
        return whole;
    default: // OR, XOR
        if (a.lo >= 0 && b.lo >= 0) return (struct lower_range){0, mask_above(a.hi > b.hi ? a.hi : b.hi)};
        return whole;
    }
}

static struct lower_range compute_range(struct lower *lw, ir_expr e) {
    const struct ir_unit *u = lw->u;
    struct ir_node n = u->nodes[e];
    struct lower_range whole = lower_type_range((enum ir_type)n.type);
    int64_t value;
    if (lower_const_int(lw, e, &value)) return (struct lower_range){value, value};
    if (n.type == IR_F32 || n.type == IR_VOID) return whole;
    if (n.type == LOWER_WIDE) return (struct lower_range){INT64_MIN, INT64_MAX};
    if (n.op == IR_VAR) return lw->var_ranges[n.a];
    if (n.op == IR_LOAD) return range_of_element((enum whorl_dtype)u->arrays[n.a].elem, whole);
    if (n.type == IR_BOOL || ir_ops[n.op].arity == 0) return whole;
    struct lower_range a = lower_range_of(lw, n.a);
    struct lower_range b = ir_ops[n.op].arity > 1 ? lower_range_of(lw, n.b) : whole;
    switch (n.op) {
    case IR_NEG: return within((struct lower_range){-a.hi, -a.lo}, (enum ir_type)n.type);
    case IR_ADD: return within((struct lower_range){a.lo + b.lo, a.hi + b.hi}, (enum ir_type)n.type);
    case IR_SUB: return within((struct lower_range){a.lo - b.hi, a.hi - b.lo}, (enum ir_type)n.type);
    case IR_MUL: return within(product(a, b), (enum ir_type)n.type);
    case IR_DIV:
        if (b.lo > 0)
            return (struct lower_range){a.lo < 0 ? a.lo / b.lo : a.lo / b.hi, a.hi < 0 ? a.hi / b.hi : a.hi / b.lo};
        return whole;
    case IR_REM:
        if (b.lo > 0) {
            int64_t top = b.hi - 1;
            int64_t hi = a.hi < 0 ? 0 : a.hi < top ? a.hi : top, lo = a.lo >= 0 ? 0 : a.lo > -top ? a.lo : -top;
            return (struct lower_range){lo, hi};
        }
        return whole;
    case IR_MIN: return (struct lower_range){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
    case IR_MAX: return (struct lower_range){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    case IR_ABS:
        if (a.lo >= 0) return a;
        if (a.lo > INT32_MIN) return (struct lower_range){0, -a.lo > a.hi ? -a.lo : a.hi};
        return whole;
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_SHL:
    case IR_SHR: return range_of_bits(&n, a, b, whole);
    case IR_SELECT: {
        struct lower_range c = lower_range_of(lw, n.c);
        return (struct lower_range){b.lo < c.lo ? b.lo : c.lo, b.hi > c.hi ? b.hi : c.hi};
    }
    case IR_POPCOUNT:
    case IR_CLZ:
    case IR_CTZ: return (struct lower_range){0, 32};
    case IR_I2U:
    case IR_U2I: return within(a, (enum ir_type)n.type);
    default: return whole;
    }
}

struct lower_range lower_range_of(struct lower *lw, ir_expr e) {
    if (e >= lw->node_cap) {
        uint32_t cap = lw->node_cap ? lw->node_cap : 1024;
        while (cap <= e)
            cap *= 2;
        struct lower_range *ranges = base_alloc_array(lw->cx, cap, sizeof *ranges);
        uint8_t *done = base_alloc_array(lw->cx, cap, 1);
        if (lw->node_cap) {
            memcpy(ranges, lw->node_ranges, lw->node_cap * sizeof *ranges);
            memcpy(done, lw->node_done, lw->node_cap);
        }
        lw->node_ranges = ranges;
        lw->node_done = done;
        lw->node_cap = cap;
    }
    if (!lw->node_done[e]) {
        struct lower_range r = compute_range(lw, e);
        lw->node_ranges[e] = r;
        lw->node_done[e] = 1;
    }
    return lw->node_ranges[e];
}

void lower_set_node_range(struct lower *lw, ir_expr e, struct lower_range range) {
    (void)lower_range_of(lw, e);
    lw->node_ranges[e] = range;
}

bool lower_range_known(struct lower *lw, ir_expr e) {
    struct lower_range r = lower_range_of(lw, e), whole = lower_type_range(lower_ir_type_of(lw, e));
    return r.lo > whole.lo && r.hi < whole.hi;
}
