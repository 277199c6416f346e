// Arrays that a run makes anew: it stores every element of them before it loads any. So nobody needs what they held
// before: an executor does not clear them, and does not keep a copy of them to begin again with.
//
// The law: at entry level, a parallel loop is the first to touch the array, perhaps in loops that make a pass at least.
// It loads it nowhere, and it stores all of it, under nothing but loops whose ends are known.
#include "pass/cost.h"
#include "pass/passes.h"

struct counter {
    ir_var var;
    int64_t first, step;
    uint64_t trips;
};

struct marker {
    struct ir_unit *u;
    struct pass_scope sc;
    struct ir_effects fx; // of the statement under way
    bool *touched;        // by array: by what the run has come past
    // of the parallel loop under way
    ir_array array;
    struct counter counters[3 * IR_MAX_DIMS];
    uint32_t count;
};

static bool add_counter(struct marker *x, ir_var var, ir_expr lo, ir_expr hi, int32_t step) {
    struct pass_range from = pass_range_of(&x->sc, lo);
    struct counter c = {var, from.lo, step, 0};
    if (x->count == sizeof x->counters / sizeof *x->counters || !from.known || from.lo != from.hi || step <= 0 ||
        !pass_trip_count(&x->sc, lo, hi, step, &c.trips) || !c.trips)
        return false;
    x->counters[x->count++] = c;
    return true;
}

// The index counts through 0 .. size - 1: c0 + n0 * (c1 + n1 * ...) of counters ck that take nk values each. *used:
// counters that did so already.
static bool counts_through(const struct marker *x, ir_expr index, uint32_t size, uint32_t *used) {
    struct pass_affine f = pass_affine_of(&x->sc, index);
    int64_t base = f.constant;
    uint64_t whole = 1;
    if (!f.ok) return false;
    for (uint32_t left = f.n; left > 0; left--) {
        uint32_t at = x->count;
        for (uint32_t k = 0; k < f.n && at == x->count; k++)
            for (uint32_t c = 0; c < x->count; c++)
                if (x->counters[c].var == f.vars[k] && !(*used >> c & 1) &&
                    f.coefs[k] * x->counters[c].step == (int64_t)whole) {
                    at = c;
                    base += f.coefs[k] * x->counters[c].first;
                }
        if (at == x->count || x->counters[at].trips > PASS_MOST_INDEXED / whole) return false;
        *used |= 1u << at;
        whole *= x->counters[at].trips;
    }
    return base == 0 && whole == size;
}

static bool stores_all(const struct marker *x, const struct ir_stmt_node *n) {
    uint32_t used = 0;
    for (uint32_t d = 0; d < n->store.index_count; d++) {
        uint32_t size;
        if (!ir_is_const(x->u, x->u->arrays[x->array].dims[d], &size) ||
            !counts_through(x, x->u->args[n->store.indices + d], size, &used))
            return false;
    }
    return true;
}

static bool block_stores_all(struct marker *x, ir_stmt block) {
    uint32_t mark = pass_scope_enter(&x->sc), count = x->count;
    bool found = false;
    for (ir_stmt s = block; s && !found; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        if (n.kind == IR_STORE && n.store.array == x->array) found = stores_all(x, &n);
        if (n.kind == IR_ASSIGN) pass_scope_assign(&x->sc, s);
        if (n.kind == IR_IF && n.branch.then_block && n.branch.else_block)
            found = block_stores_all(x, n.branch.then_block) && block_stores_all(x, n.branch.else_block);
        if (n.kind != IR_FOR || pass_leaves_loop(x->u, n.counted.body)) continue;
        if (add_counter(x, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step)) {
            uint32_t around = pass_scope_enter(&x->sc);
            pass_scope_loop(&x->sc, s);
            found = block_stores_all(x, n.counted.body);
            pass_scope_leave(&x->sc, around);
        }
        x->count = count;
    }
    pass_scope_leave(&x->sc, mark);
    return found;
}

static bool parfor_stores_all(struct marker *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    uint32_t mark = pass_scope_enter(&x->sc);
    bool known = !pass_leaves_loop(u, n.parfor.body);
    x->count = 0;
    for (uint32_t d = 0; d < n.parfor.dim_count && known; d++) {
        const struct ir_dim *dim = &u->dims[n.parfor.dims + d];
        known = add_counter(x, dim->var, dim->lo, dim->hi, dim->step);
    }
    pass_scope_parfor(&x->sc, parfor);
    bool all = known && block_stores_all(x, n.parfor.body);
    pass_scope_leave(&x->sc, mark);
    return all;
}

static void mark_statement(struct marker *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    bool parallel = u->stmts[s].kind == IR_PARFOR;
    ir_clear_effects(&x->fx);
    ir_add_effects_of_one(u, s, &x->fx);
    for (ir_array a = 1; a < u->array_count; a++) {
        bool loaded = ir_bit(x->fx.arrays_read, a);
        if (x->touched[a] || (!loaded && !ir_bit(x->fx.arrays_written, a))) continue;
        struct ir_array_info *info = &u->arrays[a];
        x->touched[a] = true;
        x->array = a;
        info->anew = parallel && !loaded && !info->atomic && a != u->log &&
                     (info->klass == IR_ARRAY_INOUT || info->klass == IR_ARRAY_SCRATCH) && parfor_stores_all(x, s);
    }
}

static void mark_block(struct marker *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(&x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        uint64_t trips;
        if (n.kind == IR_ASSIGN) pass_scope_assign(&x->sc, s);
        if (n.kind != IR_FOR || !pass_trip_count(&x->sc, n.counted.lo, n.counted.hi, n.counted.step, &trips) ||
            !trips || pass_leaves_loop(u, n.counted.body)) {
            mark_statement(x, s);
            continue;
        }
        uint32_t around = pass_scope_enter(&x->sc);
        pass_scope_loop(&x->sc, s);
        mark_block(x, n.counted.body);
        pass_scope_leave(&x->sc, around);
    }
    pass_scope_leave(&x->sc, mark);
}

void pass_anew(struct pass_cx *p) {
    struct marker x = {.u = p->u, .fx = ir_effects_empty(p->u)};
    x.touched = base_alloc_array(p->u->cx, p->u->array_count, sizeof *x.touched);
    pass_scope_init(&x.sc, p->u);
    mark_block(&x, p->u->root);
}
