// Which arrays hold the same integers whatever the strategy: nothing of them comes from a float, and nothing from who
// was first.
//
// Strategies differ in what they contract and in the order of iterations. So whatever a float has touched may differ in
// its last bits: values, subscripts, conditions, trip counts, and all that is assigned under them. And so may what an
// atomic took or saw while other iterations updated. All else is arithmetic of integers in one order, or in an order
// that does not matter; there strategies that differ are wrong. What is said here leans to one side: an array that is
// called exact is.
#include "ir/ir.h"

// What one parallel loop does to an array that it touches by atomics.
struct manner {
    uint32_t updates, op, captures, others; // others: loads, stores but those of `value`, updates by another operator
    uint32_t writes, value;                 // of one constant
};

struct tracer {
    const struct ir_unit *u;
    bool *vars, *arrays; // by handle: may differ
    bool *loops;         // by statement: how many passes it makes may differ
    bool changed, found;
    struct manner *manners; // by array
};

static void taint(struct tracer *x, bool *set, uint32_t at, bool differs) {
    if (!differs || set[at]) return;
    set[at] = true;
    x->changed = true;
}

static bool node_differs(void *user, ir_expr e) {
    struct tracer *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->found |= n->type == IR_F32 || (n->op == IR_VAR && x->vars[n->a]) || (n->op == IR_LOAD && x->arrays[n->a]);
    return !x->found;
}

static bool differs(struct tracer *x, ir_expr e) {
    x->found = false;
    if (e) ir_walk_expr(x->u, e, node_differs, x);
    return x->found;
}

static bool any_differs(struct tracer *x, uint32_t first, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (differs(x, x->u->args[first + i])) return true;
    return false;
}

// ---- atomics --------------------------------------------------------------------------------------------------------

static bool count_load(void *user, ir_expr e) {
    struct tracer *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) x->manners[n->a].others++;
    return true;
}

static bool count_access(void *user, ir_stmt s) {
    struct tracer *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    struct manner *m = &x->manners[ir_write_of(n).array];
    uint32_t value;
    if (n->kind == IR_ATOMIC) {
        m->others += n->atomic.op == IR_SELECT || (m->updates && m->op != n->atomic.op);
        m->updates++;
        m->op = n->atomic.op;
        m->captures += n->atomic.old != 0;
    } else if (n->kind == IR_STORE && n->flags & IR_FLAG_ATOMIC && ir_is_const(x->u, n->store.value, &value) &&
               (!m->writes || m->value == value)) {
        m->writes++;
        m->value = value;
    } else if (n->kind == IR_STORE) {
        m->others++;
        m->updates += (n->flags & IR_FLAG_ATOMIC) != 0;
    }
    return true;
}

// In one loop, updates by one operator leave one result, and so do writes of one value; a mixture depends on who was
// first, and so does a value that is exchanged.
static void look_at_atomics(struct tracer *x, ir_stmt body) {
    x->manners = base_alloc_array(x->u->cx, x->u->array_count, sizeof *x->manners);
    struct ir_visitor visitor = {.on_stmt = count_access, .on_node = count_load, .user = x};
    ir_walk_block(x->u, body, &visitor);
    for (ir_array a = 1; a < x->u->array_count; a++) {
        const struct manner *m = &x->manners[a];
        bool is_atomic = m->updates || m->writes, both = m->updates && m->writes;
        taint(x, x->arrays, a, is_atomic && (both || m->captures || m->others));
    }
}

static bool on_parfor(void *user, ir_stmt s) {
    struct tracer *x = user;
    if (x->u->stmts[s].kind == IR_PARFOR) look_at_atomics(x, x->u->stmts[s].parfor.body);
    return x->u->stmts[s].kind != IR_PARFOR;
}

// ---- what comes of what ---------------------------------------------------------------------------------------------

static bool leaves(void *user, ir_stmt s) {
    struct tracer *x = user;
    x->found |= x->u->stmts[s].kind == IR_BREAK || x->u->stmts[s].kind == IR_CONTINUE;
    return !x->found;
}

static bool has_jump(struct tracer *x, ir_stmt block) {
    x->found = false;
    ir_walk_stmts(x->u, block, leaves, x);
    return x->found;
}

static bool dims_differ(struct tracer *x, const struct ir_stmt_node *n) {
    for (uint32_t d = 0; d < n->parfor.dim_count; d++)
        if (differs(x, x->u->dims[n->parfor.dims + d].lo) || differs(x, x->u->dims[n->parfor.dims + d].hi)) return true;
    return false;
}

// under: whether this is reached may differ; loop: the one around.
static void trace(struct tracer *x, ir_stmt block, bool under, ir_stmt loop) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        bool inside;
        switch (n.kind) {
        case IR_ASSIGN: taint(x, x->vars, n.assign.var, under || differs(x, n.assign.value)); break;
        case IR_ATOMIC: taint(x, x->vars, n.atomic.old, n.atomic.old != 0); // fallthrough
        case IR_STORE: {
            struct ir_write w = ir_write_of(&n);
            taint(x, x->arrays, w.array,
                  under || any_differs(x, w.indices, w.index_count) || differs(x, w.value) || differs(x, w.expected));
            break;
        }
        case IR_IF:
            inside = under || differs(x, n.branch.cond);
            taint(x, x->loops, loop, inside && (has_jump(x, n.branch.then_block) || has_jump(x, n.branch.else_block)));
            trace(x, n.branch.then_block, inside, loop);
            trace(x, n.branch.else_block, inside, loop);
            break;
        case IR_FOR:
        case IR_LOOP:
            inside = under || x->loops[s] || differs(x, n.kind == IR_FOR ? n.counted.lo : n.loop.cond) ||
                     (n.kind == IR_FOR && differs(x, n.counted.hi));
            if (n.kind == IR_FOR) taint(x, x->vars, n.counted.var, inside);
            trace(x, ir_body_of(&n), inside, s);
            if (n.kind == IR_LOOP) trace(x, n.loop.continuing, inside, s);
            break;
        case IR_PARFOR:
            inside = under || dims_differ(x, &n);
            for (uint32_t d = 0; d < n.parfor.dim_count; d++)
                taint(x, x->vars, u->dims[n.parfor.dims + d].var, inside);
            trace(x, n.parfor.body, inside, 0);
            break;
        default: break;
        }
    }
}

bool *ir_exact_arrays(const struct ir_unit *u) {
    struct tracer x = {.u = u};
    x.vars = base_alloc_array(u->cx, u->var_count, sizeof *x.vars);
    x.arrays = base_alloc_array(u->cx, u->array_count, sizeof *x.arrays);
    x.loops = base_alloc_array(u->cx, u->stmt_count, sizeof *x.loops);
    ir_walk_stmts(u, u->root, on_parfor, &x);
    do {
        x.changed = false;
        trace(&x, u->root, false, 0);
    } while (x.changed);
    bool *exact = base_alloc_array(u->cx, u->array_count, sizeof *exact);
    for (ir_array a = 1; a < u->array_count; a++)
        exact[a] = !x.arrays[a] && ir_elem_type((enum whorl_dtype)u->arrays[a].elem) != IR_F32;
    return exact;
}
