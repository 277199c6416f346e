// Bounds say what they are made of: `t = len - 1; parfor 0 .. t` becomes `parfor 0 .. len - 1` where the host can
// compute it from one word of the device. Loops up to the same variable then wait for the same word, which the host
// reads once for all of them, and `t` needs no dispatch of its own.
//
// For trees of dispatches. Nothing is taken into a loop or out of it: a run may begin at its head, and has what is
// alive there only. Nothing is taken from a branch: where it is not run, the value may be one that makes no sense as a
// bound.
#include "pass/cost.h"
#include "pass/passes.h"

struct forward {
    struct ir_unit *u;
    ir_expr *value; // by variable: what it is now; 0: not known
    ir_var *known;  // those with a value
    uint32_t known_count, known_cap;
    uint32_t *counter;         // set: the variable counts a loop around
    struct ir_effects effects; // of the statement that is looked at
    bool changed;
};

struct simple {
    const struct forward *f;
    ir_var read; // the one variable of the device
    uint32_t size;
    bool ok;
};

static bool simple_node(void *user, ir_expr e) {
    struct simple *x = user;
    const struct ir_unit *u = x->f->u;
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits;
    bool is_int = n->type == IR_I32 || n->type == IR_U32;
    x->ok &= is_int && ++x->size <= PASS_BOUND_NODES;
    switch (n->op) {
    case IR_CONST: break;
    case IR_VAR:
        if (u->vars[n->a].klass == IR_VAR_PARAM || ir_bit(x->f->counter, n->a) || n->a == x->read) break;
        x->ok &= u->vars[n->a].klass == IR_VAR_ENTRY && x->read == 0;
        x->read = n->a;
        break;
    case IR_MIN:
    case IR_MAX: break;
    case IR_NEG:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL: x->ok &= n->type == IR_I32; break; // one that does not fit is no program of C
    case IR_DIV:
    case IR_REM: x->ok &= n->type == IR_I32 && ir_is_const(u, n->b, &bits) && (int32_t)bits > 0; break;
    default: x->ok = false;
    }
    return x->ok;
}

// The host can compute it from one variable of the device at most.
static bool is_simple(const struct forward *f, ir_expr e) {
    struct simple x = {.f = f, .ok = true};
    ir_walk_expr(f->u, e, simple_node, &x);
    return x.ok;
}

static ir_expr known_node(void *user, ir_expr e) {
    const struct forward *f = user;
    const struct ir_node *n = &f->u->nodes[e];
    return n->op == IR_VAR && f->value[n->a] ? f->value[n->a] : e;
}

static ir_expr forwarded(struct forward *f, ir_expr e) {
    ir_expr to = ir_map_expr(f->u, e, known_node, f);
    return is_simple(f, to) ? to : e;
}

static void forget(struct forward *f, const uint32_t *written) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < f->known_count; i++) {
        ir_var v = f->known[i];
        if (ir_bit(written, v) || ir_mentions_any(f->u, f->value[v], written))
            f->value[v] = 0;
        else
            f->known[left++] = v;
    }
    f->known_count = left;
}

static void forget_all(struct forward *f) {
    while (f->known_count)
        f->value[f->known[--f->known_count]] = 0;
}

static void take_bounds(struct forward *f, ir_stmt s, const uint32_t *written) {
    const struct ir_stmt_node n = f->u->stmts[s];
    for (uint32_t k = 0; k < n.parfor.dim_count; k++) {
        const struct ir_dim d = f->u->dims[n.parfor.dims + k];
        ir_expr lo = forwarded(f, d.lo), hi = forwarded(f, d.hi);
        if (ir_mentions_any(f->u, lo, written) || ir_mentions_any(f->u, hi, written)) continue;
        f->changed |= lo != d.lo || hi != d.hi;
        f->u->dims[n.parfor.dims + k].lo = lo;
        f->u->dims[n.parfor.dims + k].hi = hi;
    }
}

static void forward_block(struct forward *f, ir_stmt block, bool in_branch);

static void forward_loop(struct forward *f, const struct ir_stmt_node *n, bool in_branch) {
    forget_all(f);
    if (n->kind == IR_FOR) f->counter[n->counted.var / 32] |= 1u << n->counted.var % 32;
    forward_block(f, ir_body_of(n), in_branch);
    if (n->kind == IR_FOR) f->counter[n->counted.var / 32] &= ~(1u << n->counted.var % 32);
    forget_all(f);
}

static void forward_assign(struct forward *f, ir_stmt s) {
    const struct ir_stmt_node n = f->u->stmts[s];
    const uint32_t *written = f->effects.vars_written;
    ir_expr value = forwarded(f, n.assign.value);
    forget(f, written);
    if (f->u->vars[n.assign.var].klass != IR_VAR_ENTRY || !is_simple(f, value) || ir_mentions_any(f->u, value, written))
        return;
    BASE_RESERVE(f->u->cx, f->known, f->known_count, f->known_cap);
    f->known[f->known_count++] = n.assign.var;
    f->value[n.assign.var] = value;
}

static void forward_block(struct forward *f, ir_stmt block, bool in_branch) {
    struct ir_unit *u = f->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if ((n.kind == IR_FOR || n.kind == IR_LOOP) && pass_has_parallel(u, ir_body_of(&n)))
            forward_loop(f, &n, in_branch);
        if (n.kind == IR_IF) {
            forward_block(f, n.branch.then_block, true);
            forward_block(f, n.branch.else_block, true);
        }
        ir_clear_effects(&f->effects);
        ir_add_effects_of_one(u, s, &f->effects);
        if (n.kind == IR_PARFOR) take_bounds(f, s, f->effects.vars_written);
        if (n.kind == IR_ASSIGN && !in_branch)
            forward_assign(f, s);
        else
            forget(f, f->effects.vars_written);
    }
}

void pass_forward_bounds(struct ir_unit *u) {
    struct forward f = {.u = u};
    f.value = base_alloc_array(u->cx, u->var_count, sizeof *f.value);
    f.counter = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *f.counter);
    f.effects = ir_effects_empty(u);
    forward_block(&f, u->root, false);
    if (f.changed) pass_remove_dead(u);
}
