// Loops whose variable doubles or halves, as loops that count:
//
//   for (s = 1; s < 1000; s *= 2) body      becomes      for (t = 0; t < 10; t++) { body with 1 << t }      s = 1024;
//
// and inside of such a loop, where s is 1 << t,
//
//   for (r = s; r > 0; r /= 2) body         becomes      for (k = 0; k < t + 1; k++) { body with 1 << (t - k) }
//
// Doubling is how scans, sorts, transforms and sums by trees go on. How often such a loop is passed is known, which
// whoever unrolls it, runs several of its steps at once or budgets a dispatch asks for; and so is what s can be.
//
// The law: s begins with a constant, or a power of two whose exponent counters of loops say, each pass ends with s << k
// or s >> k, nothing else in the loop sets it, nothing leaves the loop, and it ends by a comparison of s with another
// such value before s overflows.
#include "pass/passes.h"

// A whole number, or the exponent of a power of two: what counters of loops make (0: nothing) and a constant together.
// It lies between lo and hi.
struct power {
    ir_expr moving;
    int64_t fixed, lo, hi;
};

struct counter {
    int64_t lo, hi; // values of a FOR's variable; lo > hi: not known
};

struct doubler {
    struct ir_unit *u;
    uint32_t *reads, vars; // of the whole unit, by variable
    struct counter *counters;
    bool changed;
};

struct doubling {
    ir_var var;
    bool up;
    uint32_t by;
    ir_expr trips, value; // `value`: of the variable in pass `t`
    ir_var t;
    ir_stmt set;  // where it gets its first value
    ir_expr last; // behind the loop; 0: it is not to be had
};

// The variable's step: what it is shifted by.
static bool read_step(const struct ir_unit *u, ir_stmt s, struct doubling *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (!s || n->kind != IR_ASSIGN || n->next || n->flags & IR_FLAG_ATOMIC) return false;
    const struct ir_node *e = &u->nodes[n->assign.value];
    ir_var v = n->assign.var;
    uint32_t c = 0;
    bool twice = e->op == IR_ADD && pass_is_var(u, e->a, v) && pass_is_var(u, e->b, v);
    bool swapped = e->op == IR_MUL && pass_is_var(u, e->b, v);
    if (!twice && !(swapped ? ir_is_const(u, e->a, &c)
                            : ir_ops[e->op].arity == 2 && pass_is_var(u, e->a, v) && ir_is_const(u, e->b, &c)))
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

// ---- constants ------------------------------------------------------------------------------------------------------

// The last assignment to the variable among the statements in front of `stop` (0: all of them); 0: it is not known
// which one that is.
static ir_stmt last_set(struct ir_unit *u, ir_stmt done, ir_stmt stop, ir_var v) {
    ir_stmt last = 0;
    for (ir_stmt s = done; s && s != stop; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN && u->stmts[s].assign.var == v)
            last = s;
        else if (ir_bit(ir_effects_of_one(u, s).vars_written, v))
            last = 0;
    return last;
}

// The comparison with the variable at its left; 0: it is none. *out_bound: what stands at the right.
static uint8_t compared(const struct ir_unit *u, ir_expr cond, ir_var v, ir_expr *out_bound) {
    const struct ir_node *n = &u->nodes[cond];
    bool left = ir_ops[n->op].arity == 2 && pass_is_var(u, n->a, v),
         right = ir_ops[n->op].arity == 2 && pass_is_var(u, n->b, v);
    *out_bound = left ? n->b : n->a;
    if (left == right) return 0;
    switch (n->op) {
    case IR_NE: return IR_NE;
    case IR_LT: return left ? IR_LT : IR_GT;
    case IR_LE: return left ? IR_LE : IR_GE;
    case IR_GT: return left ? IR_GT : IR_LT;
    case IR_GE: return left ? IR_GE : IR_LE;
    default: return 0;
    }
}

// The passes, made one by one.
static bool count_passes(struct ir_unit *u, ir_expr cond, ir_expr begins, struct doubling *d) {
    enum ir_type type = (enum ir_type)u->vars[d->var].type;
    int64_t most = type == IR_I32 ? INT32_MAX : UINT32_MAX;
    uint32_t from, passes = 0, more;
    if (!ir_is_const(u, begins, &from)) return false;
    int64_t at = type == IR_I32 ? (int32_t)from : (int64_t)from;
    for (;; passes++) {
        if (!pass_evaluate_at(u, cond, d->var, (uint32_t)at, &more)) return false;
        if (!more) break;
        if (passes == PASS_DOUBLING_PASSES || at < 0) return false;
        at = d->up ? at << d->by : at >> d->by;
        if (at > most) return false;
    }
    ir_expr shift = ir_op1(u, IR_I2U, ir_var_read(u, d->t, 0), 0);
    if (d->by > 1) shift = ir_op2(u, IR_MUL, shift, ir_const(u, IR_U32, d->by), 0);
    d->trips = ir_const_i32(u, (int32_t)passes);
    d->value = ir_op2(u, d->up ? IR_SHL : IR_SHR, ir_const(u, type, from), shift, 0);
    d->last = ir_const(u, type, (uint32_t)at);
    return passes > 0;
}

// ---- powers of two --------------------------------------------------------------------------------------------------

static struct power moved(struct ir_unit *u, struct power a, struct power b, bool minus) {
    struct power x = {a.moving, minus ? a.fixed - b.fixed : a.fixed + b.fixed, minus ? a.lo - b.hi : a.lo + b.lo,
                      minus ? a.hi - b.lo : a.hi + b.hi};
    if (minus && a.moving && ir_same_expr(u, a.moving, b.moving)) return (struct power){0, x.fixed, x.fixed, x.fixed};
    if (b.moving) x.moving = ir_op2(u, minus ? IR_SUB : IR_ADD, a.moving ? a.moving : ir_const_i32(u, 0), b.moving, 0);
    return x;
}

static struct power exactly(int64_t x) { return (struct power){0, x, x, x}; }

static ir_expr number_of(struct ir_unit *u, struct power x) {
    if (!x.moving || !x.fixed) return x.moving ? x.moving : ir_const_i32(u, (int32_t)x.fixed);
    ir_expr by = ir_const_i32(u, (int32_t)(x.fixed < 0 ? -x.fixed : x.fixed));
    return ir_op2(u, x.fixed < 0 ? IR_SUB : IR_ADD, x.moving, by, 0);
}

// A whole number of counters and constants.
static bool read_count(const struct doubler *x, ir_expr e, struct power *out) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    struct power a, b;
    switch (n.op) {
    case IR_CONST: *out = exactly((int32_t)n.a); return n.type == IR_I32 || n.type == IR_U32;
    case IR_VAR:
        if (n.a >= x->vars || n.type != IR_I32 || x->counters[n.a].lo > x->counters[n.a].hi) return false;
        *out = (struct power){e, 0, x->counters[n.a].lo, x->counters[n.a].hi};
        return true;
    case IR_I2U:
    case IR_U2I: return read_count(x, n.a, out) && out->lo >= 0;
    case IR_ADD:
    case IR_SUB:
        if (!read_count(x, n.a, &a) || !read_count(x, n.b, &b)) return false;
        *out = moved(u, a, b, n.op == IR_SUB);
        return out->lo >= 0 && out->hi <= INT32_MAX;
    default: return false;
    }
}

static bool read_power(const struct doubler *x, ir_stmt done, ir_stmt stop, ir_expr e, struct power *out) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    struct power a, b;
    int64_t exponent = 0;
    switch (n.op) {
    case IR_CONST:
        while (exponent < 31 && 1u << exponent != n.a)
            exponent++;
        *out = exactly(exponent);
        return (n.type == IR_I32 || n.type == IR_U32) && exponent < 31;
    case IR_VAR: {
        ir_stmt set = last_set(u, done, stop, n.a);
        return set && read_power(x, done, set, u->stmts[set].assign.value, out);
    }
    case IR_MUL:
    case IR_DIV:
    case IR_SHL:
    case IR_SHR: {
        bool shifts = n.op == IR_SHL || n.op == IR_SHR;
        if (!read_power(x, done, stop, n.a, &a) ||
            !(shifts ? read_count(x, n.b, &b) : read_power(x, done, stop, n.b, &b)))
            return false;
        *out = moved(u, a, b, n.op == IR_DIV || n.op == IR_SHR);
        return out->lo >= 0 && out->hi <= 30;
    }
    default: return false;
    }
}

// The least exponent with which the comparison is another one than that with 1; so many pass or do not.
static bool read_bound(const struct doubler *x, ir_stmt done, uint8_t op, ir_expr bound, struct power *out) {
    struct ir_unit *u = x->u;
    uint32_t bits;
    if (ir_is_const(u, bound, &bits) && op != IR_NE) {
        int64_t c = (int32_t)bits, exponent = 0;
        bool up = op == IR_LT || op == IR_LE;
        if (c < !up) return false; // a halved value ends at 0
        while (exponent < 31 && holds(op, (int64_t)1 << exponent, c) == up)
            exponent++;
        *out = exactly(exponent);
        return exponent < 31;
    }
    if (!read_power(x, done, 0, bound, out)) return false;
    if (op == IR_LE || op == IR_GT) *out = moved(u, *out, exactly(1), false);
    return true;
}

static bool count_powers(const struct doubler *x, ir_stmt done, ir_expr cond, ir_expr begins, struct doubling *d) {
    struct ir_unit *u = x->u;
    enum ir_type type = (enum ir_type)u->vars[d->var].type;
    struct power first, end, count;
    uint32_t zero;
    ir_expr bound, t = ir_var_read(u, d->t, 0);
    uint8_t op = compared(u, cond, d->var, &bound);
    bool to_zero = !d->up && (op == IR_NE || op == IR_GT) && ir_is_const(u, bound, &zero) && !zero;
    if (d->by != 1 || !read_power(x, done, d->set, begins, &first)) return false;
    if (d->up ? op != IR_LT && op != IR_LE && op != IR_NE : op != IR_GT && op != IR_GE && !to_zero) return false;
    if (to_zero)
        end = exactly(0);
    else if (!read_bound(x, done, op, bound, &end) || (!d->up && op == IR_NE))
        return false;
    count = d->up ? moved(u, end, first, true) : moved(u, moved(u, first, end, true), exactly(1), false);
    if (count.lo < 0 || end.hi > 30) return false;
    struct power now = moved(u, first, (struct power){t, 0, 0, 0}, !d->up);
    d->trips = number_of(u, count);
    d->value = ir_op2(u, IR_SHL, ir_const(u, type, 1), ir_op1(u, IR_I2U, number_of(u, now), 0), 0);
    if (d->up)
        d->last = ir_op2(u, IR_SHL, ir_const(u, type, 1), ir_op1(u, IR_I2U, number_of(u, end), 0), 0);
    else if (end.lo == end.hi)
        d->last = ir_const(u, type, end.lo ? 1u << (end.lo - 1) : 0);
    return true;
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static ir_stmt counted(const struct doubler *x, const struct doubling *d, ir_stmt body, base_loc loc) {
    struct ir_unit *u = x->u;
    enum ir_type type = (enum ir_type)u->vars[d->var].type;
    ir_var now = ir_add_var(u, u->vars[d->var].name, type, u->vars[d->var].klass, loc);
    pass_substitute(u, body, d->var, ir_var_read(u, now, loc));
    ir_stmt all = ir_assign(u, now, d->value, loc);
    ir_append(u, &all, body);
    return ir_for(u, d->t, ir_const_i32(u, 0), d->trips, 1, all, loc);
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
    d.set = last_set(u, done, 0, d.var);
    if (!d.set) return s;
    ir_expr begins = u->stmts[d.set].assign.value;
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, s, inside);
    bool wanted = x->reads[d.var] != inside[d.var];
    if (before) u->stmts[before].next = 0;
    if (step == body) body = 0;
    d.t = ir_add_var(u, "doubling", IR_I32, u->vars[d.var].klass, n.loc);
    if (pass_count_writes(u, body, d.var) ||
        !(count_passes(u, n.loop.cond, begins, &d) || count_powers(x, done, n.loop.cond, begins, &d)) ||
        (wanted && !d.last)) {
        if (before) u->stmts[before].next = step;
        return s;
    }
    x->changed = true;
    ir_stmt out = counted(x, &d, body, n.loc);
    if (wanted) ir_append(u, &out, ir_assign(u, d.var, d.last, n.loc));
    return out;
}

static bool on_counter(void *user, ir_stmt s) {
    struct doubler *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint32_t lo, hi;
    if (n->kind != IR_FOR) return true;
    struct counter *c = &x->counters[n->counted.var];
    if (c->hi < c->lo && n->counted.step > 0 && ir_is_const(x->u, n->counted.lo, &lo) &&
        ir_is_const(x->u, n->counted.hi, &hi))
        *c = (struct counter){(int32_t)lo, (int64_t)(int32_t)hi - 1};
    else
        *c = (struct counter){INT32_MIN, INT32_MAX}; // of several loops
    return true;
}

// Outer loops first: inner ones may begin with their values.
void pass_doubling(struct pass_cx *p) {
    struct doubler x = {.u = p->u};
    bool any = false;
    do {
        x.changed = false;
        x.vars = p->u->var_count;
        x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
        x.counters = base_alloc_array(p->u->cx, x.vars, sizeof *x.counters);
        for (ir_var v = 0; v < x.vars; v++)
            x.counters[v] = (struct counter){0, -1};
        ir_walk_stmts(p->u, p->u->root, on_counter, &x);
        pass_count_reads(p->u, p->u->root, x.reads);
        pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .replace = count});
        any |= x.changed;
    } while (x.changed);
    if (any) pass_remove_dead(p->u);
}
