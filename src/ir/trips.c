// Of loops: how many passes they make, where their bounds are constants, whether what a block does takes long, and
// which ones lanes share.
#include "ir/ir.h"

static bool const_trips(const struct ir_unit *u, ir_var var, ir_expr from, ir_expr to, int64_t step, uint64_t *out) {
    uint32_t lo, hi;
    if (!ir_is_const(u, from, &lo) || !ir_is_const(u, to, &hi)) return false;
    bool is_signed = u->vars[var].type == IR_I32;
    int64_t a = is_signed ? (int64_t)(int32_t)lo : (int64_t)lo, b = is_signed ? (int64_t)(int32_t)hi : (int64_t)hi;
    int64_t span = step > 0 ? b - a : a - b, each = step > 0 ? step : -step;
    *out = span <= 0 ? 0 : (uint64_t)((span + each - 1) / each);
    return true;
}

bool ir_const_trips(const struct ir_unit *u, ir_stmt s, uint64_t *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_FOR && const_trips(u, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step, out);
}

bool ir_is_once(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips;
    uint32_t lo, one, other;
    if (ir_const_trips(u, s, &trips)) return trips <= 1;
    if (n->kind != IR_FOR || n->counted.step != 1 || !ir_is_const(u, n->counted.lo, &lo) || lo != 0) return false;
    const struct ir_node *hi = &u->nodes[n->counted.hi];
    return hi->op == IR_SELECT && ir_is_const(u, hi->b, &one) && ir_is_const(u, hi->c, &other) && one <= 1 &&
           other <= 1;
}

bool ir_const_iterations(const struct ir_unit *u, ir_stmt s, uint64_t *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    bool known = true, none = false;
    *out = 1;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
        uint64_t trips = 1;
        known &= const_trips(u, dim->var, dim->lo, dim->hi, dim->step, &trips);
        none |= !trips;
        known &= none || *out <= UINT64_MAX / trips;
        *out = known ? *out * trips : 1;
    }
    if (none) *out = 0;
    return known || none;
}

struct search {
    const struct ir_unit *u;
    bool found;
};

static bool on_loop(void *user, ir_stmt s) {
    struct search *x = user;
    uint64_t trips;
    uint8_t kind = x->u->stmts[s].kind;
    bool counted = kind == IR_FOR && ir_const_trips(x->u, s, &trips);
    x->found |= kind == IR_LOOP || (kind == IR_FOR && (!counted || trips >= IR_LONG_TRIPS));
    return !x->found;
}

bool ir_is_long(const struct ir_unit *u, ir_stmt block) {
    struct search x = {u, false};
    ir_walk_stmts(u, block, on_loop, &x);
    return x.found;
}

bool ir_has_shared(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_IF) return ir_last_shared(u, n->branch.then_block) != 0;
    if (n->kind == IR_LOOP) return n->flags & IR_FLAG_LONGEST && ir_last_shared(u, n->loop.body);
    return n->kind == IR_FOR && (n->flags & IR_FLAG_LANES || ir_last_shared(u, n->counted.body));
}

ir_stmt ir_last_shared(const struct ir_unit *u, ir_stmt block) {
    ir_stmt last = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (ir_has_shared(u, s)) last = s;
    return last;
}
