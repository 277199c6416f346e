// Loops that count, which the front end could not know to: the end is loaded from an array that the program fills
// elsewhere, there are several ends, or the step is a variable.
//
//   k = row[i]; while (k < row[i + 1] && k <= 256) { body; k++; }
//     becomes      for (k = row[i]; k < min(row[i + 1], 257); k++) body
//   i = 0; while (i < n) { body; i += len; }
//     becomes      for (q = 0; q < (n - 0 + len - 1) / len; q++) { i = 0 + q * len; body }
//
// What is a FOR, other passes can reason about: how many passes there are is known before the first of them.
//
// The law: the last thing in each pass, and nothing else in the loop, adds the same to the variable; the ends are made
// of what the loop does not change; and the variable does not overflow, which C forbids an int, and a range or a step
// of 1 an unsigned. Of several ends only the first may load, as the others may not be asked for.
#include <string.h>

#include "pass/passes.h"

enum { NEW_VARS = 3 }; // of one loop at most

struct counting {
    struct ir_unit *u;
    struct pass_scope sc;
    bool in_iteration; // the scope is kept
    uint32_t loops, vars, cap;
    uint32_t *reads, *inside; // by variable: of the whole unit; of one loop
    bool changed;
    // of the loop under way
    ir_var var;
    bool up;
    ir_expr by; // what each pass adds, or takes away
    struct ir_effects fx;
};

struct question {
    const struct counting *x;
    bool same, loads;
};
static bool on_node(void *user, ir_expr e) {
    struct question *q = user;
    const struct ir_unit *u = q->x->u;
    const struct ir_node *n = &u->nodes[e];
    q->loads |= n->op == IR_LOAD || n->op == IR_DIV || n->op == IR_REM;
    if (n->op == IR_VAR) q->same &= !ir_bit(q->x->fx.vars_written, n->a);
    if (n->op == IR_LOAD) q->same &= !ir_bit(q->x->fx.arrays_written, n->a) && !u->arrays[n->a].atomic;
    return q->same;
}

// The loop does not change it; *out_loads: it might not be evaluated where it need not be.
static bool is_same(const struct counting *x, ir_expr e, bool *out_loads) {
    struct question q = {x, true, false};
    ir_walk_expr(x->u, e, on_node, &q);
    *out_loads = q.loads;
    return q.same;
}

static bool read_step(struct counting *x, ir_stmt step) {
    const struct ir_stmt_node *n = &x->u->stmts[step];
    if (!step || n->next || n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC) return false;
    const struct ir_node *e = &x->u->nodes[n->assign.value];
    x->var = n->assign.var;
    if (e->op != IR_ADD && e->op != IR_SUB) return false;
    bool left = pass_is_var(x->u, e->a, x->var), right = e->op == IR_ADD && pass_is_var(x->u, e->b, x->var);
    x->up = e->op == IR_ADD;
    x->by = left ? e->b : e->a;
    return left != right;
}

static bool is_below(struct pass_range r, int64_t most) { return r.known && r.lo >= 0 && r.hi <= most; }

// The end of a FOR that this comparison makes; 0: none.
static ir_expr end_of(struct counting *x, ir_expr cond, bool may_load) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[cond];
    enum ir_type type = (enum ir_type)u->vars[x->var].type;
    bool left = ir_ops[n.op].arity == 2 && pass_is_var(u, n.a, x->var), loads;
    if (ir_ops[n.op].arity != 2 || left == pass_is_var(u, n.b, x->var)) return 0;
    ir_expr end = left ? n.b : n.a, one = ir_const(u, type, 1);
    bool less = n.op == (left ? IR_LT : IR_GT), most = n.op == (left ? IR_LE : IR_GE);
    bool greater = n.op == (left ? IR_GT : IR_LT), least = n.op == (left ? IR_GE : IR_LE);
    if (x->up ? !less && !most : !greater && !least) return 0;
    if (u->nodes[end].type != type || !is_same(x, end, &loads) || (loads && !may_load)) return 0;
    if (type == IR_U32 && !less) return 0; // the number beyond it may be none
    if (less || greater) return end;
    return ir_op2(u, most ? IR_ADD : IR_SUB, end, one, n.loc);
}

// ... that all of these comparisons make.
static ir_expr end_of_all(struct counting *x, ir_expr cond, bool may_load) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[cond];
    if (n.op != IR_LAND) return end_of(x, cond, may_load);
    ir_expr a = end_of_all(x, n.a, may_load), b = a ? end_of_all(x, n.b, false) : 0;
    return a && b ? ir_op2(u, x->up ? IR_MIN : IR_MAX, a, b, n.loc) : 0;
}

// The variable's value in front of the loop: what the statement before sets it to, or what it is.
static ir_expr first_of(const struct counting *x, ir_stmt done, base_loc loc) {
    struct ir_unit *u = x->u;
    ir_stmt last = done;
    while (last && u->stmts[last].next)
        last = u->stmts[last].next;
    const struct ir_stmt_node *n = &u->stmts[last];
    bool loads;
    if (last && n->kind == IR_ASSIGN && n->assign.var == x->var && is_same(x, n->assign.value, &loads) && !loads)
        return n->assign.value;
    return ir_var_read(u, x->var, loc);
}

static ir_stmt count_by_one(struct counting *x, ir_stmt body, ir_expr first, ir_expr end, int32_t step, base_loc loc) {
    struct ir_unit *u = x->u;
    ir_var now = ir_add_var(u, u->vars[x->var].name, (enum ir_type)u->vars[x->var].type, u->vars[x->var].klass, loc);
    pass_substitute(u, body, x->var, ir_var_read(u, now, loc));
    return ir_for(u, now, first, end, step, body, loc);
}

// Steps that are no constants: passes are numbered. 0: they might overflow.
static ir_stmt count_by(struct counting *x, ir_stmt body, ir_expr first, ir_expr end, base_loc loc) {
    enum { MOST = 1 << 29 };
    struct ir_unit *u = x->u;
    bool loads;
    if (!x->in_iteration || !x->up || u->vars[x->var].type != IR_I32 || !is_same(x, x->by, &loads) || loads) return 0;
    struct pass_range by = pass_range_of(&x->sc, x->by);
    if (!is_below(by, MOST) || by.lo < 1 || !is_below(pass_range_of(&x->sc, first), MOST) ||
        !is_below(pass_range_of(&x->sc, end), MOST))
        return 0;
    ir_var pass = ir_add_var(u, "pass", IR_I32, u->vars[x->var].klass, loc),
           now = ir_add_var(u, u->vars[x->var].name, IR_I32, u->vars[x->var].klass, loc);
    ir_expr up =
        ir_op2(u, IR_SUB, ir_op2(u, IR_ADD, ir_op2(u, IR_SUB, end, first, loc), x->by, loc), ir_const_i32(u, 1), loc);
    ir_expr at = ir_op2(u, IR_ADD, first, ir_op2(u, IR_MUL, ir_var_read(u, pass, loc), x->by, loc), loc);
    pass_substitute(u, body, x->var, ir_var_read(u, now, loc));
    ir_stmt all = ir_assign(u, now, at, loc);
    ir_append(u, &all, body);
    return ir_for(u, pass, ir_const_i32(u, 0), ir_op2(u, IR_DIV, up, x->by, loc), 1, all, loc);
}

static ir_stmt make(struct counting *x, ir_stmt s, ir_stmt done, ir_stmt body, bool wanted, bool jumps) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    enum ir_type type = (enum ir_type)u->vars[x->var].type;
    uint32_t bits = 0;
    bool constant = ir_is_const(u, x->by, &bits) && bits && bits < INT32_MAX, by_one = constant && bits == 1;
    if (type != IR_I32 && !(type == IR_U32 && by_one && x->up)) return 0;
    ir_expr end = end_of_all(x, n.loop.cond, true), first = first_of(x, done, n.loc);
    if (!end || (wanted && (!by_one || jumps))) return 0;
    ir_stmt head = 0, tail = 0;
    if (wanted) { // behind the loop what the end is made of may be another
        ir_var last = ir_add_var(u, "end", type, u->vars[x->var].klass, n.loc);
        head = ir_assign(u, last, end, n.loc);
        end = ir_var_read(u, last, n.loc);
        ir_expr from = ir_var_read(u, x->var, n.loc);
        tail = ir_assign(u, x->var, ir_op2(u, x->up ? IR_MAX : IR_MIN, from, end, n.loc), n.loc);
    }
    ir_stmt loop = constant ? count_by_one(x, body, first, end, x->up ? (int32_t)bits : -(int32_t)bits, n.loc)
                            : count_by(x, body, first, end, n.loc);
    if (!loop) return 0;
    ir_append(u, &head, loop);
    ir_append(u, &head, tail);
    return head;
}

static void count_reads(const struct counting *x, ir_stmt block, uint32_t *out) {
    memset(out, 0, x->cap * sizeof *out);
    pass_count_reads(x->u, block, out);
}

static ir_stmt count(void *user, ir_stmt done, ir_stmt s) {
    struct counting *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt body = n.loop.body, step = n.loop.continuing, before = 0;
    if (n.kind != IR_LOOP || !n.loop.cond || pass_has_parallel(u, body)) return s;
    bool jumps = pass_leaves_loop(u, body);
    if (!step) // the body's last statement makes it
        for (step = body; step && u->stmts[step].next; step = u->stmts[step].next)
            before = step;
    if ((!n.loop.continuing && jumps) || !read_step(x, step) || x->var >= x->vars) return s;
    count_reads(x, s, x->inside);
    bool wanted = x->reads[x->var] != x->inside[x->var];
    if (before) u->stmts[before].next = 0;
    if (step == body) body = 0;
    x->fx = ir_effects_of(u, body);
    bool once = !ir_bit(x->fx.vars_written, x->var);
    x->fx.vars_written[x->var / 32] |= 1u << x->var % 32;
    ir_stmt out = once ? make(x, s, done, body, wanted, jumps) : 0;
    if (!out) {
        if (before) u->stmts[before].next = step;
        return s;
    }
    for (ir_var v = 1; v < x->vars; v++)
        x->reads[v] -= x->inside[v];
    count_reads(x, out, x->inside);
    for (ir_var v = 1; v < x->vars; v++)
        x->reads[v] += x->inside[v];
    x->changed = true;
    return out;
}

static bool on_loop(void *user, ir_stmt s) {
    struct counting *x = user;
    x->loops += x->u->stmts[s].kind == IR_LOOP;
    return true;
}

void pass_count(struct pass_cx *p) {
    struct counting x = {.u = p->u, .vars = p->u->var_count};
    ir_walk_stmts(p->u, p->u->root, on_loop, &x);
    if (!x.loops) return;
    x.cap = x.vars + x.loops * NEW_VARS;
    x.reads = base_alloc_array(p->u->cx, x.cap, sizeof *x.reads);
    x.inside = base_alloc_array(p->u->cx, x.cap, sizeof *x.inside);
    pass_count_reads(p->u, p->u->root, x.reads);
    x.in_iteration = true;
    pass_rewrite_iterations(&(struct pass_rewriter){.u = p->u, .sc = &x.sc, .user = &x, .replace = count});
    x.in_iteration = false;
    pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .replace = count});
    if (x.changed) pass_remove_dead(p->u);
}
