// Loops that count to a bound which stays, as counted ones, however they are written:
//
//   e = start[v]; while (e < start[v + 1]) { body; e++; }      becomes
//   end = start[v + 1]; for (k = start[v]; k < end; k++) body with k
//
// Of several bounds the nearest ends it; where the step is a variable, its passes are numbered. What else the test asks
// for, and what stays true once it is, is asked for once:
//
//   while (x >= 0 && x < w && on) { body; x++; }      becomes      if (x >= 0 && on) for (; x < w; x++) body
//
// Rows whose ends the program itself has computed, threads that share out a range by hand: where a bound is an element
// of memory, the front end cannot know that nobody changes it. How often such a loop is passed is known when it begins,
// which whoever shares it out, makes several of its passes at once or has loads of later passes made early asks for.
//
// The law: the variable is set by the step alone, which ends each pass; the bound is made of variables that the loop
// does not write, and of elements of arrays that no iteration of the parallel loop around writes (of local ones, and
// outside of parallel loops: that the loop does not write). So the test asks for the same bound in each pass, and the
// variable reaches it before it could wrap: signed ones do not (C), others take steps of one. Behind a test for `!=`
// nothing else ends the loop, which could have begun beyond its bound.
#include "pass/passes.h"

struct counter {
    struct ir_unit *u;
    struct pass_scope *sc;    // NULL: outside of parallel loops
    struct ir_effects around; // of the parallel loop
    uint32_t *reads, vars;    // of the whole unit as it was, by variable
    bool *wanted;             // by LOOP of it: its variable is read elsewhere
    uint32_t stmts, count;
};

// A loop as one that counts.
struct counts {
    ir_var var;
    int32_t step; // 0: `by`
    ir_expr by;   // added in each pass
    ir_expr lo, hi;
    ir_expr once; // is asked for once, of the variable as it begins; 0: nothing
    bool wanted;  // what the variable holds when the loop is over
};

// `v = v + c`, or minus.
static bool read_step(const struct ir_unit *u, ir_stmt s, struct counts *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (!s || n->kind != IR_ASSIGN || n->next || n->flags) return false;
    const struct ir_node *e = &u->nodes[n->assign.value];
    ir_var v = n->assign.var;
    uint32_t c;
    bool swapped = e->op == IR_ADD && pass_is_var(u, e->b, v);
    if ((e->op != IR_ADD && e->op != IR_SUB) || !pass_is_var(u, swapped ? e->b : e->a, v)) return false;
    if (!ir_is_const(u, swapped ? e->a : e->b, &c)) {
        *out = (struct counts){.var = v, .by = swapped ? e->a : e->b};
        return e->op == IR_ADD && u->vars[v].type == IR_I32 && !pass_is_var(u, out->by, v);
    }
    if (!c || c == (uint32_t)INT32_MIN) return false;
    out->var = v;
    out->by = 0;
    out->step = e->op == IR_SUB ? -(int32_t)c : (int32_t)c;
    return u->vars[v].type == IR_I32 || (u->vars[v].type == IR_U32 && (out->step == 1 || out->step == -1));
}

struct same {
    const struct counter *x;
    const struct ir_effects *inside; // of the loop
    bool is;
};
static bool on_node(void *user, ir_expr e) {
    struct same *q = user;
    const struct ir_unit *u = q->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_VAR) q->is &= !ir_bit(q->inside->vars_written, n->a);
    if (n->op == IR_LOAD) {
        bool others = q->x->sc && u->arrays[n->a].klass != IR_ARRAY_LOCAL;
        q->is &= !ir_bit((others ? &q->x->around : q->inside)->arrays_written, n->a);
    }
    return q->is;
}

// The value in front of which the loop ends where it goes on as long as it has not passed `e`; 0: it may not be there.
// ends: nothing else ends the loop. So `e` is not the last value of a signed type: the step would leave it (C).
static ir_expr one_more(const struct counter *x, ir_expr e, bool up, bool ends, base_loc loc) {
    struct ir_unit *u = x->u;
    enum ir_type type = (enum ir_type)u->nodes[e].type;
    uint32_t c;
    struct pass_range r = {0};
    if (x->sc) r = pass_range_of(x->sc, e);
    if (ir_is_const(u, e, &c))
        r = (struct pass_range){type == IR_I32 ? (int32_t)c : (int64_t)c, type == IR_I32 ? (int32_t)c : (int64_t)c,
                                true};
    bool is_open = !r.known && ends && type == IR_I32;
    if (!is_open && (!r.known || (up ? r.hi >= (type == IR_I32 ? INT32_MAX : UINT32_MAX)
                                     : r.lo <= (type == IR_I32 ? INT32_MIN : 0))))
        return 0;
    return ir_op2(u, up ? IR_ADD : IR_SUB, e, ir_const(u, type, 1), loc);
}

// The test, with the variable on the left; CONST: it is none of the variable and something that stays.
static enum ir_op test_of(const struct counter *x, const struct ir_node *test, const struct ir_effects *inside,
                          ir_var var, ir_expr *other) {
    const struct ir_unit *u = x->u;
    bool left = ir_ops[test->op].arity == 2 && pass_is_var(u, test->a, var);
    if (ir_ops[test->op].arity != 2 || (!left && !pass_is_var(u, test->b, var))) return IR_CONST;
    *other = left ? test->b : test->a;
    struct same same = {x, inside, true};
    ir_walk_expr(u, *other, on_node, &same);
    if (!same.is) return IR_CONST;
    if (left) return (enum ir_op)test->op;
    switch (test->op) {
    case IR_LT: return IR_GT;
    case IR_LE: return IR_GE;
    case IR_GT: return IR_LT;
    case IR_GE: return IR_LE;
    default: return (enum ir_op)test->op;
    }
}

// The loop goes on as long as this holds: the bound as what ends it; 0: it is none. first: it is always asked for.
static ir_expr bound_of(const struct counter *x, ir_stmt s, ir_expr cond, const struct ir_effects *inside,
                        const struct counts *c, bool first) {
    struct ir_unit *u = x->u;
    const struct ir_node test = u->nodes[cond];
    bool up = c->step >= 0;
    ir_expr hi;
    enum ir_op op = test_of(x, &test, inside, c->var, &hi);
    if (op == IR_CONST || (!first && pass_has_load(u, hi))) return 0;
    if (op == (up ? IR_LE : IR_GE))
        return one_more(x, hi, up, first && !pass_leaves_loop(u, u->stmts[s].loop.body), test.loc);
    if (op == IR_NE)
        return first && u->nodes[u->stmts[s].loop.cond].op == IR_NE && u->vars[c->var].type == IR_I32 &&
                       (c->step == 1 || c->step == -1)
                   ? hi
                   : 0;
    return op == (up ? IR_LT : IR_GT) ? hi : 0;
}

// It holds in all passes if it holds in the first one: it is not about the variable, or about an end that this leaves.
static bool stays(const struct counter *x, ir_expr cond, const struct ir_effects *inside, const struct counts *c) {
    const struct ir_node *test = &x->u->nodes[cond];
    struct same same = {x, inside, true};
    ir_expr end;
    if (pass_has_load(x->u, cond)) return false; // it may be asked for only behind another test
    ir_walk_expr(x->u, cond, on_node, &same);
    if (!pass_uses_in(x->u, cond, c->var)) return same.is;
    enum ir_op op = test_of(x, test, inside, c->var, &end);
    bool up = c->step >= 0;
    return x->u->nodes[test->a].type == IR_I32 && (op == (up ? IR_GE : IR_LE) || op == (up ? IR_GT : IR_LT));
}

// Values of the ranges that are known decide.
static bool is_certain(const struct counter *x, ir_expr cond) {
    const struct ir_node *n = &x->u->nodes[cond];
    if (!x->sc || ir_ops[n->op].arity != 2) return false;
    struct pass_range a = pass_range_of(x->sc, n->a), b = pass_range_of(x->sc, n->b);
    if (!a.known || !b.known) return false;
    switch (n->op) {
    case IR_LT: return a.hi < b.lo;
    case IR_LE: return a.hi <= b.lo;
    case IR_GT: return a.lo > b.hi;
    case IR_GE: return a.lo >= b.hi;
    default: return false;
    }
}

// Parts the loop's test, of which each part says when the loop ends, or is asked for once.
static bool part(const struct counter *x, ir_stmt s, ir_expr cond, const struct ir_effects *inside, struct counts *c,
                 bool first) {
    struct ir_unit *u = x->u;
    const struct ir_node test = u->nodes[cond];
    if (test.op == IR_LAND) return part(x, s, test.a, inside, c, first) && part(x, s, test.b, inside, c, false);
    ir_expr hi = bound_of(x, s, cond, inside, c, first);
    if (hi) {
        c->hi = c->hi ? ir_op2(u, c->step >= 0 ? IR_MIN : IR_MAX, c->hi, hi, test.loc) : hi; // whichever comes first
        return true;
    }
    if (!stays(x, cond, inside, c)) return false;
    c->once = c->once ? ir_op2(u, IR_LAND, c->once, cond, test.loc) : cond;
    return true;
}

// What is asked for once, of the first value; 0: nothing, or it is certain.
static ir_expr asked_once(const struct counter *x, ir_expr once, const struct counts *c) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[once];
    if (n.op == IR_LAND) {
        ir_expr a = asked_once(x, n.a, c), b = asked_once(x, n.b, c);
        return a && b ? ir_op2(u, IR_LAND, a, b, n.loc) : a ? a : b;
    }
    ir_expr begun = pass_exchanged(u, once, ir_var_read(u, c->var, n.loc), c->lo);
    return is_certain(x, begun) ? 0 : begun;
}

// The assignment that gives the variable its first value: the last statement in front of the loop; 0: another one.
static ir_stmt first_set(const struct counter *x, ir_stmt done, ir_var v) {
    const struct ir_unit *u = x->u;
    while (done && u->stmts[done].next)
        done = u->stmts[done].next;
    return done && u->stmts[done].kind == IR_ASSIGN && u->stmts[done].assign.var == v && !u->stmts[done].flags ? done
                                                                                                               : 0;
}

static bool is_below(struct pass_range r, int64_t most) { return r.known && r.lo >= 0 && r.hi <= most; }

// Passes of a step that is no constant may be numbered: it is the same in all of them, and nothing overflows.
static bool is_numbered(const struct counter *x, const struct counts *c, const struct ir_effects *inside) {
    enum { MOST = 1 << 29 };
    struct same same = {x, inside, true};
    if (!x->sc || pass_has_load(x->u, c->by) || pass_has_load(x->u, c->lo)) return false;
    ir_walk_expr(x->u, c->by, on_node, &same);
    ir_walk_expr(x->u, c->lo, on_node, &same);
    struct pass_range by = pass_range_of(x->sc, c->by);
    return same.is && is_below(by, MOST) && by.lo > 0 && is_below(pass_range_of(x->sc, c->lo), MOST) &&
           is_below(pass_range_of(x->sc, c->hi), MOST);
}

// for (q = 0; q < (end - lo + by - 1) / by; q++) { k = lo + q * by; body with k }
static ir_stmt make_numbered(struct counter *x, const struct counts *c, ir_expr end, ir_stmt body, base_loc loc) {
    struct ir_unit *u = x->u;
    const struct ir_var_info info = u->vars[c->var];
    ir_var q = ir_add_var(u, "pass", IR_I32, (enum ir_var_class)info.klass, loc),
           k = ir_add_var(u, info.name, IR_I32, (enum ir_var_class)info.klass, info.loc);
    ir_expr span = ir_op2(u, IR_ADD, ir_op2(u, IR_SUB, end, c->lo, loc), c->by, loc);
    ir_expr passes = ir_op2(u, IR_DIV, ir_op2(u, IR_SUB, span, ir_const_i32(u, 1), loc), c->by, loc);
    ir_expr at = ir_op2(u, IR_ADD, c->lo, ir_op2(u, IR_MUL, ir_var_read(u, q, loc), c->by, loc), loc);
    pass_substitute(u, body, c->var, ir_var_read(u, k, loc));
    ir_stmt all = ir_assign(u, k, at, loc);
    ir_append(u, &all, body);
    return ir_for(u, q, ir_const_i32(u, 0), passes, 1, all, loc);
}

static ir_stmt make(struct counter *x, const struct counts *c, ir_stmt s, ir_stmt body) {
    struct ir_unit *u = x->u;
    const struct ir_var_info info = u->vars[c->var];
    enum ir_type type = (enum ir_type)info.type;
    base_loc loc = u->stmts[s].loc;
    ir_stmt out = 0;
    ir_expr end = c->hi;
    if (pass_has_load(u, end) || c->wanted) {
        ir_var bound = ir_add_var(u, "end", type, (enum ir_var_class)info.klass, loc);
        out = ir_assign(u, bound, end, loc);
        end = ir_var_read(u, bound, loc);
    }
    x->count++;
    if (!c->step) {
        ir_append(u, &out, make_numbered(x, c, end, body, loc));
        return out;
    }
    ir_var k = ir_add_var(u, info.name, type, (enum ir_var_class)info.klass, info.loc);
    pass_substitute(u, body, c->var, ir_var_read(u, k, loc));
    ir_append(u, &out, ir_for(u, k, c->lo, end, c->step, body, loc));
    if (c->wanted) {
        ir_expr last = ir_op2(u, c->step > 0 ? IR_MAX : IR_MIN, ir_var_read(u, c->var, loc), end, loc);
        ir_append(u, &out, ir_assign(u, c->var, last, loc));
    }
    return out;
}

// The step that ends each pass: what follows the body, or its last statement, behind *before (0: there is none). 0: a
// CONTINUE would not make it.
static ir_stmt step_of(const struct ir_unit *u, ir_stmt loop, ir_stmt *before) {
    ir_stmt body = u->stmts[loop].loop.body, step = u->stmts[loop].loop.continuing;
    *before = 0;
    if (step || pass_leaves_loop(u, body)) return step;
    for (step = body; step && u->stmts[step].next; step = u->stmts[step].next)
        *before = step;
    return step;
}

static bool note_wanted(void *user, ir_stmt s) {
    struct counter *x = user;
    ir_stmt before;
    struct counts c;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_LOOP || !read_step(x->u, step_of(x->u, s, &before), &c)) return true;
    struct base_scratch scratch = base_scratch_begin(x->u->cx); // there may be many loops
    uint32_t *inside = base_alloc_array(x->u->cx, x->vars, sizeof *inside);
    if (n->loop.cond) pass_count_expr_reads(x->u, n->loop.cond, inside);
    pass_count_reads(x->u, n->loop.body, inside);
    pass_count_reads(x->u, n->loop.continuing, inside);
    x->wanted[s] = x->reads[c.var] != inside[c.var];
    base_scratch_end(x->u->cx, &scratch);
    return true;
}

struct test {
    const struct counter *x;
    ir_stmt loop;
    ir_var counter;
    bool changes; // by the loop
};
static bool on_test(void *user, ir_expr e) {
    struct test *t = user;
    const struct ir_node *n = &t->x->u->nodes[e];
    t->changes |= n->op == IR_VAR && n->a != t->counter && pass_count_writes(t->x->u, t->loop, n->a);
    return !t->changes;
}

// What is asked first, as it takes no memory: there may be many loops.
static bool has_fixed_test(const struct counter *x, ir_stmt s, ir_var counter) {
    struct test t = {x, s, counter, false};
    ir_walk_expr(x->u, x->u->stmts[s].loop.cond, on_test, &t);
    return !t.changes;
}

static ir_stmt count_loop(struct counter *x, ir_stmt done, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct counts c = {0};
    ir_stmt before, step = step_of(u, s, &before);
    bool leaves = pass_leaves_loop(u, n.loop.body);
    if (!n.loop.cond || n.flags || s >= x->stmts || pass_has_parallel(u, n.loop.body) || !read_step(u, step, &c) ||
        c.var >= x->vars || pass_count_writes(u, s, c.var) != 1 || !has_fixed_test(x, s, c.var))
        return s;
    struct ir_effects inside = ir_effects_of_one(u, s);
    if (!part(x, s, n.loop.cond, &inside, &c, true) || !c.hi || (leaves && u->nodes[n.loop.cond].op == IR_NE)) return s;
    ir_stmt set = first_set(x, done, c.var);
    c.wanted = !set || x->wanted[s];
    if (c.wanted && (leaves || (c.step != 1 && c.step != -1))) return s;
    c.lo = set && !c.wanted ? u->stmts[set].assign.value : ir_var_read(u, c.var, n.loc);
    if (!c.step && !is_numbered(x, &c, &inside)) return s;
    if (c.once && pass_has_load(u, c.lo)) return s; // it would be loaded twice
    if (c.once) c.once = asked_once(x, c.once, &c);
    if (before) u->stmts[before].next = 0;
    ir_stmt made = make(x, &c, s, step == n.loop.body ? 0 : n.loop.body);
    return c.once ? ir_if(u, c.once, made, 0, n.loc) : made;
}

// The loop from a place that moves with the iteration, which makes always so many passes, counts these.
static ir_stmt count_from_zero(struct counter *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct ir_effects body = ir_effects_of(u, n.counted.body);
    struct same same = {x, &body, true};
    uint64_t trips;
    if (n.counted.step != 1 || u->vars[n.counted.var].type != IR_I32 || ir_is_const(u, n.counted.lo, NULL) ||
        pass_has_load(u, n.counted.lo) || !pass_exact_trips(x->sc, n.counted.lo, n.counted.hi, 1, &trips) || !trips ||
        trips > INT32_MAX)
        return s;
    ir_walk_expr(u, n.counted.lo, on_node, &same);
    if (!same.is) return s;
    const struct ir_var_info info = u->vars[n.counted.var];
    ir_var k = ir_add_var(u, info.name, IR_I32, (enum ir_var_class)info.klass, info.loc);
    ir_expr at = ir_op2(u, IR_ADD, n.counted.lo, ir_var_read(u, k, n.loc), n.loc);
    pass_substitute(u, n.counted.body, n.counted.var, at);
    u->stmts[s].counted.var = k;
    u->stmts[s].counted.lo = ir_const_i32(u, 0);
    u->stmts[s].counted.hi = ir_const_i32(u, (int32_t)trips);
    x->count++;
    return s;
}

static ir_stmt count_statement(void *user, ir_stmt done, ir_stmt s) {
    struct counter *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_PARFOR && x->sc) x->around = ir_effects_of(x->u, n->parfor.body);
    if (n->kind == IR_FOR && x->sc) return count_from_zero(x, s);
    ir_stmt out = n->kind == IR_LOOP ? count_loop(x, done, s) : s, loop = out;
    if (out != s && x->u->stmts[out].kind == IR_IF) loop = x->u->stmts[out].branch.then_block;
    while (loop && x->u->stmts[loop].kind != IR_FOR)
        loop = x->u->stmts[loop].next;
    if (loop && x->sc && n->kind == IR_LOOP) count_from_zero(x, loop);
    return out;
}

void pass_counted(struct pass_cx *p) {
    struct pass_scope sc;
    struct counter x = {.u = p->u, .sc = &sc, .vars = p->u->var_count, .stmts = p->u->stmt_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    x.wanted = base_alloc_array(p->u->cx, x.stmts, sizeof *x.wanted);
    pass_count_reads(p->u, p->u->root, x.reads);
    ir_walk_stmts(p->u, p->u->root, note_wanted, &x);
    pass_rewrite_iterations(&(struct pass_rewriter){.u = p->u, .sc = &sc, .user = &x, .replace = count_statement});
    x.sc = NULL;
    p->u->root =
        pass_rewrite_block(&(struct pass_rewriter){.u = p->u, .user = &x, .replace = count_statement}, p->u->root);
    if (x.count) pass_remove_dead(p->u);
}
