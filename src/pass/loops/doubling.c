// Loops whose variable doubles or halves, as loops that count:
//
//   for (s = 1; s < 1000; s *= 2) body      becomes      for (t = 0; t < 10; t++) { body with 1 << t }      s = 1024;
//
// Doubling is how scans, sorts, transforms and sums by trees go on. How often such a loop is passed is known, which
// whoever unrolls it, runs two of its steps at once or budgets a dispatch asks for; and so is what s can be.
//
// The law: s begins with a constant, each pass ends with s << k or s >> k, nothing else in the loop sets it, nothing
// leaves the loop, and it ends by a comparison of s with a constant before s overflows.
#include "pass/passes.h"

struct doubler {
    struct ir_unit *u;
    uint32_t *reads, vars; // of the whole unit, by variable
    bool changed;
};

struct doubling {
    ir_var var;
    bool up;
    uint32_t by, trips;
    int64_t first, last; // `last`: behind the loop
};

static bool is_var(const struct ir_unit *u, ir_expr e, ir_var v) {
    return u->nodes[e].op == IR_VAR && u->nodes[e].a == v;
}

// The variable's step: what it is shifted by.
static bool read_step(const struct ir_unit *u, ir_stmt s, struct doubling *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (!s || n->kind != IR_ASSIGN || n->next || n->flags & IR_FLAG_ATOMIC) return false;
    const struct ir_node *e = &u->nodes[n->assign.value];
    ir_var v = n->assign.var;
    uint32_t c = 0;
    bool twice = e->op == IR_ADD && is_var(u, e->a, v) && is_var(u, e->b, v);
    bool swapped = e->op == IR_MUL && is_var(u, e->b, v);
    if (!twice && !(swapped ? ir_is_const(u, e->a, &c)
                            : ir_ops[e->op].arity == 2 && is_var(u, e->a, v) && ir_is_const(u, e->b, &c)))
        return false;
    out->var = v;
    out->up = twice || e->op == IR_MUL || e->op == IR_SHL;
    if (twice) c = 2;
    if (e->op == IR_SHL || e->op == IR_SHR)
        out->by = c;
    else if ((twice || e->op == IR_MUL || e->op == IR_DIV) && c >= 2 && !(c & (c - 1)))
        while (c >> out->by > 1)
            out->by++;
    return out->by > 0 && out->by < 31 && (u->vars[v].type == IR_I32 || u->vars[v].type == IR_U32);
}

static bool holds(uint8_t op, int64_t a, int64_t b) {
    switch (op) {
    case IR_LT: return a < b;
    case IR_LE: return a <= b;
    case IR_GT: return a > b;
    case IR_GE: return a >= b;
    default: return a != b;
    }
}

// The passes, made one by one.
static bool count_passes(const struct ir_unit *u, ir_expr cond, struct doubling *d) {
    const struct ir_node *n = &u->nodes[cond];
    bool is_signed = u->vars[d->var].type == IR_I32;
    uint32_t bits;
    if (n->op != IR_LT && n->op != IR_LE && n->op != IR_GT && n->op != IR_GE && n->op != IR_NE) return false;
    bool left = is_var(u, n->a, d->var);
    if (!(left ? ir_is_const(u, n->b, &bits) : is_var(u, n->b, d->var) && ir_is_const(u, n->a, &bits))) return false;
    int64_t bound = is_signed ? (int32_t)bits : (int64_t)bits, most = is_signed ? INT32_MAX : UINT32_MAX;
    for (d->last = d->first; holds(n->op, left ? d->last : bound, left ? bound : d->last); d->trips++) {
        if (d->trips == PASS_DOUBLING_PASSES || d->last < 0) return false;
        d->last = d->up ? d->last << d->by : d->last >> d->by;
        if (d->last > most) return false;
    }
    return d->trips > 0;
}

// What the statements in front of the loop leave in the variable.
static bool read_first(const struct ir_unit *u, ir_stmt done, struct doubling *d) {
    ir_stmt last = 0;
    for (ir_stmt s = done; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN && u->stmts[s].assign.var == d->var) last = s;
    uint32_t bits;
    if (!last || !ir_is_const(u, u->stmts[last].assign.value, &bits) ||
        pass_count_writes(u, u->stmts[last].next, d->var))
        return false;
    d->first = u->vars[d->var].type == IR_I32 ? (int32_t)bits : (int64_t)bits;
    return true;
}

static ir_stmt counted(const struct doubler *x, const struct doubling *d, ir_stmt body, base_loc loc) {
    struct ir_unit *u = x->u;
    enum ir_type type = (enum ir_type)u->vars[d->var].type;
    ir_var t = ir_add_var(u, "doubling", IR_I32, u->vars[d->var].klass, loc);
    ir_expr shift = ir_op1(u, IR_I2U, ir_var_read(u, t, loc), loc);
    if (d->by > 1) shift = ir_op2(u, IR_MUL, shift, ir_const(u, IR_U32, d->by), loc);
    ir_expr value = ir_op2(u, d->up ? IR_SHL : IR_SHR, ir_const(u, type, (uint32_t)d->first), shift, loc);
    ir_var now = ir_add_var(u, u->vars[d->var].name, type, u->vars[d->var].klass, loc);
    pass_substitute(u, body, d->var, ir_var_read(u, now, loc));
    ir_stmt all = ir_assign(u, now, value, loc);
    ir_append(u, &all, body);
    return ir_for(u, t, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)d->trips), 1, all, loc);
}

static ir_stmt count(void *user, ir_stmt done, ir_stmt s) {
    struct doubler *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct doubling d = {0};
    ir_stmt body = n.loop.body, step = n.loop.continuing, before = 0;
    if (n.kind != IR_LOOP || !n.loop.cond || pass_leaves_loop(u, body)) return s;
    if (!step) // the body's last statement makes it
        for (step = body; step && u->stmts[step].next; step = u->stmts[step].next)
            before = step;
    if (!read_step(u, step, &d) || d.var >= x->vars) return s;
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, s, inside);
    if (before) u->stmts[before].next = 0;
    if (step == body) body = 0;
    if (pass_count_writes(u, body, d.var) || !read_first(u, done, &d) || !count_passes(u, n.loop.cond, &d)) {
        if (before) u->stmts[before].next = step;
        return s;
    }
    x->changed = true;
    ir_stmt out = counted(x, &d, body, n.loc);
    ir_expr last = ir_const(u, (enum ir_type)u->vars[d.var].type, (uint32_t)d.last);
    if (x->reads[d.var] != inside[d.var]) ir_append(u, &out, ir_assign(u, d.var, last, n.loc));
    return out;
}

void pass_doubling(struct pass_cx *p) {
    struct doubler x = {.u = p->u, .vars = p->u->var_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    pass_count_reads(p->u, p->u->root, x.reads);
    pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .replace = count});
    if (x.changed) pass_remove_dead(p->u);
}
