// A condition that leaves iterations of a jammed loop out (jam.c), as those beyond the diagonal of a triangle:
//
//   parallel for (i, j) if (j <= i) { s = 0; for (k) s += a[i][k] * a[j][k]; c[i][j] = s; }
//
// Neighbours side by side need a loop over k that all of them make. What computes moves in front of the condition,
// which keeps what stores, and a tile without any iteration for which it holds is left out as a whole:
//
//   if (some of the tile) { s = 0; for (k) s += a[i][k] * a[j][k]; if (j <= i) c[i][j] = s; }
//
// The law: what moves assigns variables of the iteration alone, and each load is within its array wherever the
// dimensions are. The condition compares sums of dimensions and of what is the same for all iterations.
#include "pass/cost.h"
#include "pass/loops/jam.h"

static struct ir_stmt_node *node_of(const struct jam *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- the condition --------------------------------------------------------------------------------------------------

static bool is_plain_var(const struct jam *x, ir_var v) {
    uint8_t klass = x->u->vars[v].klass;
    return klass == IR_VAR_DIM || klass == IR_VAR_ENTRY || klass == IR_VAR_PARAM;
}

// Neither the sum nor a part of it leaves 32 bits.
static bool is_small(const struct jam *x, const struct pass_affine *f) {
    int64_t most = f->constant < 0 ? -f->constant : f->constant;
    for (uint32_t i = 0; i < f->n; i++) {
        struct pass_range r = pass_range_of(x->sc, ir_var_read(x->u, f->vars[i], 0));
        int64_t c = f->coefs[i] < 0 ? -f->coefs[i] : f->coefs[i], far = r.hi > -r.lo ? r.hi : -r.lo;
        if (!r.known || !is_plain_var(x, f->vars[i]) || c > PASS_MOST_INDEXED || far > INT32_MAX) return false;
        most += c * far;
        if (most >= INT32_MAX) return false;
    }
    return most < INT32_MAX;
}

// Adds what is below zero where the comparisons hold. False: they are others.
static bool add_terms(struct jam *x, ir_expr cond) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[cond];
    if (n.op == IR_LAND) return add_terms(x, n.a) && add_terms(x, n.b);
    bool less = n.op == IR_LT || n.op == IR_LE, more = n.op == IR_GT || n.op == IR_GE;
    if (!(less || more) || u->nodes[n.a].type != IR_I32 || x->guard.count == JAM_TERMS) return false;
    struct pass_affine f =
        pass_affine_of(x->sc, less ? ir_op2(u, IR_SUB, n.a, n.b, n.loc) : ir_op2(u, IR_SUB, n.b, n.a, n.loc));
    f.constant -= n.op == IR_LE || n.op == IR_GE;
    x->guard.below[x->guard.count++] = f;
    return f.ok && is_small(x, &f);
}

static bool tells_apart(const struct jam *x) {
    bool found = false;
    for (uint32_t i = 0; i < x->guard.count; i++)
        found |= pass_affine_coef(&x->guard.below[i], x->columns.name) ||
                 (x->rows.name && pass_affine_coef(&x->guard.below[i], x->rows.name));
    return found;
}

// ---- what moves -----------------------------------------------------------------------------------------------------

static bool is_harmless(struct jam *x, ir_stmt s) {
    const struct ir_stmt_node n = *node_of(x, s);
    uint64_t trips;
    if (n.kind == IR_ASSIGN) {
        bool safe =
            !n.flags && x->u->vars[n.assign.var].klass == IR_VAR_LOCAL && pass_is_safe_anywhere(x->sc, n.assign.value);
        pass_scope_assign(x->sc, s);
        return safe;
    }
    if (n.kind != IR_FOR || !ir_const_trips(x->u, s, &trips)) return false;
    uint32_t mark = pass_scope_enter(x->sc);
    bool safe = true;
    pass_scope_loop(x->sc, s);
    for (ir_stmt t = n.counted.body; t && safe; t = node_of(x, t)->next)
        safe = is_harmless(x, t);
    pass_scope_leave(x->sc, mark);
    return safe;
}

// Finds the last statement that moves; 0: there is no loop to be made side by side.
static ir_stmt last_that_moves(struct jam *x, ir_stmt block) {
    ir_stmt last = 0;
    bool loops = false;
    for (ir_stmt s = block; s && is_harmless(x, s); s = node_of(x, s)->next) {
        loops |= node_of(x, s)->kind == IR_FOR;
        last = s;
    }
    return loops && node_of(x, last)->next ? last : 0;
}

// What points to the branch.
static ir_stmt *link_to(struct jam *x, ir_stmt branch) {
    ir_stmt *at = &node_of(x, x->parfor)->parfor.body;
    while (*at != branch)
        at = &node_of(x, *at)->next;
    return at;
}

void jam_open_guard(struct jam *x) {
    struct jam_guard *g = &x->guard;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_parfor(x->sc, x->parfor);
    ir_stmt s = node_of(x, x->parfor)->parfor.body;
    for (; s && node_of(x, s)->kind == IR_ASSIGN; s = node_of(x, s)->next)
        pass_scope_assign(x->sc, s);
    const struct ir_stmt_node n = *node_of(x, s);
    *g = (struct jam_guard){0};
    if (s && n.kind == IR_IF && !n.next && !n.branch.else_block && add_terms(x, n.branch.cond) && tells_apart(x))
        g->last = last_that_moves(x, n.branch.then_block);
    pass_scope_leave(x->sc, mark);
    if (!g->last) return;
    g->branch = s;
    g->first = n.branch.then_block;
    *link_to(x, s) = g->first;
    node_of(x, s)->branch.then_block = node_of(x, g->last)->next;
    node_of(x, g->last)->next = s;
}

void jam_close_guard(struct jam *x) {
    struct jam_guard *g = &x->guard;
    if (!g->branch) return;
    *link_to(x, g->first) = g->branch;
    node_of(x, g->last)->next = node_of(x, g->branch)->branch.then_block;
    node_of(x, g->branch)->branch.then_block = g->first;
    g->branch = 0;
}

// ---- tiles ----------------------------------------------------------------------------------------------------------

// The dimension where the term is least, of all iterations of a tile.
static ir_expr end_of_tile(struct jam *x, const struct jam_side *side, bool first) {
    struct ir_unit *u = x->u;
    uint32_t tile = 1;
    if (side->in_tile.var) (void)ir_is_const(u, side->in_tile.hi, &tile);
    uint32_t all = tile * side->count;
    base_loc loc = node_of(x, x->parfor)->loc;
    ir_expr at = ir_op2(u, IR_MUL, ir_var_read(u, side->tiles.var, loc), ir_const_i32(u, (int32_t)all), loc);
    at = ir_op2(u, IR_ADD, side->first, at, loc);
    return first ? at : ir_op2(u, IR_ADD, at, ir_const_i32(u, (int32_t)all - 1), loc);
}

ir_expr jam_guard_of_tile(struct jam *x) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->parfor)->loc;
    ir_expr out = 0;
    for (uint32_t i = 0; x->guard.branch && i < x->guard.count; i++) {
        const struct pass_affine *f = &x->guard.below[i];
        ir_expr sum = ir_const_i32(u, (int32_t)f->constant);
        for (uint32_t k = 0; k < f->n; k++) {
            ir_var v = f->vars[k];
            ir_expr at = v == x->rows.name      ? end_of_tile(x, &x->rows, f->coefs[k] > 0)
                         : v == x->columns.name ? end_of_tile(x, &x->columns, f->coefs[k] > 0)
                                                : ir_var_read(u, v, loc);
            sum = ir_op2(u, IR_ADD, sum, ir_op2(u, IR_MUL, at, ir_const_i32(u, (int32_t)f->coefs[k]), loc), loc);
        }
        ir_expr below = ir_op2(u, IR_LT, sum, ir_const_i32(u, 0), loc);
        out = out ? ir_op2(u, IR_LAND, out, below, loc) : below;
    }
    return out;
}
