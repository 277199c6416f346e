// Passes of a serial loop side by side, inside of one iteration: "unroll and jam" (jam.c) of a loop that stands around
// loops whose passes lanes share. What these load alike for all of them is loaded, and decoded, once:
//
//   for (b < n) { s = 0; for (j) s += w[i][j] * x[b][j]; y[b][i] = s; }                 becomes, with n up to 4,
//   s0 = s1 = s2 = s3 = 0;
//   for (j) { v = w[i][j]; s0 += v * x[0][j]; s1 += v * x[1][j]; s2 += v * x[2][j]; s3 += v * x[3][j]; }
//   y[0][i] = s0; if (1 < n) y[1][i] = s1; if (2 < n) y[2][i] = s2; if (3 < n) y[3][i] = s3;
//
// What stands at the end is for lanes to share where there are some, and it is more than to choose among the passes'
// values, one pass each: for (b < n) { v = choice of s; y[b][i] = f(v); }
//
// The law: no pass of the outer loop needs what another one does, so that they may run statement by statement. Where
// only the run knows how many there are, as many are made as its arrays have room for (walks.c), or as many at a time
// as divide that; those that are too many only compute, from elements that exist, and store nothing. For one pass alone
// the loop as written runs.
#include "pass/cost.h"
#include "pass/passes.h"

struct abreast {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    uint32_t *reads, vars; // of the unit, by variable, before the pass made any
    uint64_t iterations;   // of the PARFOR around
    // of the loop under way
    ir_stmt loop, last; // the last statement of its body that stays one loop
    ir_var counter;
    bool *own;      // by variable: each pass has one of its own
    uint32_t trips; // at most
    bool exact;     // that many are made
    bool lanes;     // there will be one for each pass
    uint32_t own_vars;
    uint32_t loads, alike; // of the loops that stay one: all, and those that are alike for all passes
    uint32_t work;         // operations of what stands behind them
    // of what is made of it
    uint32_t count; // passes side by side
    ir_var block;   // which of the blocks of so many passes, 0: there is one
    ir_var *names;  // by pass and variable (own_vars)
};

static struct ir_stmt_node *node_of(const struct abreast *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- what each pass has for itself ----------------------------------------------------------------------------------

struct question {
    const struct abreast *x;
    bool own, loads;
};
static bool ask_node(void *user, ir_expr e) {
    struct question *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    q->own |= n->op == IR_VAR && n->a < q->x->own_vars && q->x->own[n->a];
    q->loads |= n->op == IR_LOAD && ir_in_buffer(q->x->u, n->a);
    return true;
}
static struct question ask(const struct abreast *x, ir_expr e) {
    struct question q = {x, false, false};
    ir_walk_expr(x->u, e, ask_node, &q);
    return q;
}

// It stays one loop for all passes: nothing but assignments, and bounds that are the same.
static bool stays_one(const struct abreast *x, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(x, s);
    if (n->kind != IR_FOR || !(n->flags & IR_FLAG_SIMD) || n->flags & IR_FLAG_LANES) return false;
    for (ir_stmt t = n->counted.body; t; t = node_of(x, t)->next)
        if (node_of(x, t)->kind != IR_ASSIGN || node_of(x, t)->flags) return false;
    return !ask(x, n->counted.lo).own && !ask(x, n->counted.hi).own;
}

// Of a loop that stays one, what depends on the pass.
static bool spread_own(struct abreast *x, ir_stmt loop) {
    bool found = false;
    for (ir_stmt s = node_of(x, loop)->counted.body; s; s = node_of(x, s)->next) {
        ir_var v = node_of(x, s)->assign.var;
        if (x->own[v] || !ask(x, node_of(x, s)->assign.value).own) continue;
        x->own[v] = found = true;
    }
    return found;
}

// At first: the counter, and all that is assigned outside of the inner loops, or lives on from one of their passes to
// the next.
static void find_own(struct abreast *x, ir_stmt body) {
    struct ir_unit *u = x->u;
    x->own_vars = u->var_count;
    x->own = base_alloc_array(u->cx, x->own_vars, sizeof *x->own);
    x->own[x->counter] = true;
    for (ir_stmt s = body; s; s = node_of(x, s)->next) {
        bool one = stays_one(x, s);
        struct ir_effects fx = ir_effects_of_one(u, s);
        uint32_t *exposed = one ? pass_exposed(u, node_of(x, s)->counted.body) : NULL;
        for (ir_var v = 1; v < u->var_count; v++)
            x->own[v] |= ir_bit(fx.vars_written, v) && (!one || ir_bit(exposed, v));
        if (one) x->own[node_of(x, s)->counted.var] = false;
    }
    for (bool found = true; found;) {
        found = false;
        for (ir_stmt s = body; s; s = node_of(x, s)->next)
            if (stays_one(x, s)) found |= spread_own(x, s);
    }
}

// ---- may it be done? ------------------------------------------------------------------------------------------------

// Every variable that a pass assigns is assigned before it is read there, and read nowhere else.
static bool vars_are_apart(const struct abreast *x, ir_stmt body) {
    struct ir_effects fx = ir_effects_of(x->u, body);
    struct pass_privates own = pass_privates_of(x->u, body, x->reads, x->vars);
    uint32_t written = 0;
    for (ir_var v = 1; v < x->u->var_count; v++)
        written += ir_bit(fx.vars_written, v);
    return written == own.count;
}

struct glance {
    const struct ir_unit *u;
    bool plain;
    uint32_t shared; // loops that lanes share
};
// No jumps and no atomics.
static bool glance_at(void *user, ir_stmt s) {
    struct glance *g = user;
    const struct ir_stmt_node *n = &g->u->stmts[s];
    g->shared += n->kind == IR_FOR && n->flags & IR_FLAG_SIMD;
    g->plain &= n->kind == IR_FOR || n->kind == IR_IF || n->kind == IR_NOP ||
                ((n->kind == IR_ASSIGN || n->kind == IR_STORE) && !n->flags);
    return g->plain;
}

// What stands up to the last loop that stays one is made for passes that are too many, too.
static bool may_be_too_many(struct abreast *x, ir_stmt body) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    enum ir_type type = (enum ir_type)u->vars[x->counter].type;
    base_loc loc = node_of(x, x->loop)->loc;
    pass_scope_loop(x->sc, ir_for(u, x->counter, ir_const(u, type, 0), ir_const(u, type, x->trips), 1, 0, loc));
    bool safe = true, behind = false;
    for (ir_stmt s = body; s && !behind && safe; s = node_of(x, s)->next) {
        uint32_t inner = pass_scope_enter(x->sc);
        bool one = stays_one(x, s);
        if (one) pass_scope_loop(x->sc, s);
        safe &= one || (node_of(x, s)->kind == IR_ASSIGN && pass_is_safe_anywhere(x->sc, node_of(x, s)->assign.value));
        for (ir_stmt t = one ? node_of(x, s)->counted.body : 0; t && safe; t = node_of(x, t)->next) {
            safe &= pass_is_safe_anywhere(x->sc, node_of(x, t)->assign.value);
            pass_scope_assign(x->sc, t);
        }
        pass_scope_leave(x->sc, inner);
        if (!one && safe) pass_scope_assign(x->sc, s);
        behind = s == x->last;
    }
    pass_scope_leave(x->sc, mark);
    return safe;
}

// ---- does it pay? ---------------------------------------------------------------------------------------------------

// The part of the expression that is made once for all passes, if it is evaluated in each.
static bool lifts(const struct abreast *x, ir_expr e) {
    struct question q = ask(x, e);
    return q.loads && !q.own;
}

static bool count_load(void *user, ir_expr e) {
    struct abreast *x = user;
    if (x->u->nodes[e].op != IR_LOAD) return true;
    x->loads++;
    x->alike += lifts(x, e);
    return false;
}

static bool pays(struct abreast *x, ir_stmt body) {
    uint32_t sums = 0;
    x->loads = x->alike = 0;
    for (ir_stmt s = body; s; s = node_of(x, s)->next) {
        if (!stays_one(x, s)) continue;
        ir_stmt inner = node_of(x, s)->counted.body;
        ir_walk_nodes(x->u, inner, count_load, x);
        for (ir_stmt t = inner; t; t = node_of(x, t)->next)
            sums += x->own[node_of(x, t)->assign.var];
    }
    uint32_t size = pass_size(x->u, body), room = x->p->target->register_budget / PASS_ABREAST_REGISTERS;
    room = room < PASS_SIMD_REDUCTIONS ? room : PASS_SIMD_REDUCTIONS;
    x->count = PASS_ABREAST_MOST;
    while (x->count > 1 && (x->trips % x->count || sums * x->count > room || size * x->count > PASS_ABREAST_STATEMENTS))
        x->count--;
    return x->count > 1 && x->alike * PASS_ABREAST_ALIKE >= x->loads && x->alike;
}

static bool fits(struct abreast *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, s);
    uint32_t lo;
    uint64_t trips;
    if (n.kind != IR_FOR || n.flags || n.counted.step != 1 || !ir_is_const(u, n.counted.lo, &lo) || lo != 0)
        return false;
    x->loop = s;
    x->counter = n.counted.var;
    x->last = 0;
    x->exact = ir_const_trips(u, s, &trips);
    x->trips = x->exact ? (uint32_t)(trips < INT32_MAX ? trips : 0) : pass_most_walked(u, s);
    if (x->trips < 2 || !pass_is_of_run(u, n.counted.hi)) return false;
    find_own(x, n.counted.body);
    struct glance g = {u, true, 0};
    ir_walk_stmts(u, n.counted.body, glance_at, &g);
    for (ir_stmt t = n.counted.body; t; t = node_of(x, t)->next)
        if (stays_one(x, t)) {
            x->last = t;
            g.shared--;
        }
    return x->last && g.plain && !g.shared && pays(x, n.counted.body) && vars_are_apart(x, n.counted.body) &&
           pass_memory_is_apart(x->sc, s, NULL, NULL) && (x->exact || may_be_too_many(x, n.counted.body));
}

// ---- the passes side by side ----------------------------------------------------------------------------------------

// Their variables are others than those of the loop as written, which may stay beside them.
static void name_vars(struct abreast *x, ir_stmt body) {
    struct ir_unit *u = x->u;
    struct ir_effects fx = ir_effects_of(u, body);
    x->names = base_alloc_array(u->cx, x->count * x->own_vars, sizeof *x->names);
    for (ir_var v = 1; v < x->own_vars; v++)
        for (uint32_t k = 0; k < x->count && ir_bit(fx.vars_written, v); k++) {
            const struct ir_var_info info = u->vars[v];
            ir_var *name = &x->names[k * x->own_vars + v];
            *name = k && !x->own[v] ? x->names[v]
                                    : ir_add_var(u, info.name, (enum ir_type)info.type, IR_VAR_LOCAL, info.loc);
        }
}

// The number of pass `k` of those side by side.
static ir_expr number_of(const struct abreast *x, uint32_t k) {
    struct ir_unit *u = x->u;
    enum ir_type type = (enum ir_type)u->vars[x->counter].type;
    base_loc loc = node_of(x, x->loop)->loc;
    if (!x->block) return ir_const(u, type, k);
    ir_expr at = ir_op2(u, IR_MUL, ir_var_read(u, x->block, loc), ir_const(u, type, x->count), loc);
    return k ? ir_op2(u, IR_ADD, at, ir_const(u, type, k), loc) : at;
}

// The block as pass `k` has it.
static ir_stmt copy_of(struct abreast *x, ir_stmt block, uint32_t k) {
    struct ir_unit *u = x->u;
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    for (ir_var v = 1; v < x->own_vars; v++)
        map[v] = x->names[k * x->own_vars + v];
    ir_stmt copy = ir_clone_block(u, block, map, NULL);
    pass_substitute(u, copy, x->counter, number_of(x, k));
    return copy;
}

// The variable that has the value, which is alike for all passes; assigned in *out.
static ir_expr name_of(struct abreast *x, ir_expr e, ir_stmt *out) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    ir_var v = ir_add_var(u, "alike", (enum ir_type)n.type, IR_VAR_LOCAL, n.loc);
    ir_append(u, out, copy_of(x, ir_assign(u, v, e, n.loc), 0));
    return ir_var_read(u, v, n.loc);
}

static uint32_t operands_of(const struct ir_node *n) {
    return n->op == IR_SELECT || n->op == IR_LAND || n->op == IR_LOR ? 1 : n->op == IR_LOAD ? 0 : ir_ops[n->op].arity;
}

// The expression with such variables in it. What a choice may not come to stays there.
static ir_expr lift(struct abreast *x, ir_expr e, ir_stmt *out) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    if (lifts(x, e)) return name_of(x, e, out);
    uint32_t operands[] = {n.a, n.b, n.c}, count = operands_of(&n);
    for (uint32_t i = 0; i < count; i++)
        operands[i] = lift(x, operands[i], out);
    enum ir_op op = (enum ir_op)n.op;
    return count == 0              ? e
           : ir_ops[op].arity == 1 ? ir_op1(u, op, operands[0], n.loc)
           : ir_ops[op].arity == 2 ? ir_op2(u, op, operands[0], operands[1], n.loc)
                                   : ir_op3(u, op, operands[0], operands[1], operands[2], n.loc);
}

// One loop for all passes.
static ir_stmt one_loop(struct abreast *x, ir_stmt loop) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, loop);
    ir_stmt body = 0, out = ir_for(u, n.counted.var, n.counted.lo, n.counted.hi, n.counted.step, 0, n.loc);
    u->stmts[out].flags = n.flags;
    out = copy_of(x, out, 0);
    for (ir_stmt s = n.counted.body; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node a = *node_of(x, s);
        bool own = x->own[a.assign.var];
        ir_expr value = own ? lift(x, a.assign.value, &body) : a.assign.value;
        for (uint32_t k = 0; k < (own ? x->count : 1); k++)
            ir_append(u, &body, copy_of(x, ir_assign(u, a.assign.var, value, a.loc), k));
    }
    u->stmts[out].counted.body = body;
    return out;
}

// Copies of what stands between two statements of the body, pass by pass; behind the last loop that stays one only of
// passes that are there.
static void append_run(struct abreast *x, ir_stmt *out, ir_stmt run, bool guarded) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    for (uint32_t k = 0; k < x->count && run; k++) {
        ir_stmt copy = copy_of(x, run, k);
        if (guarded && k) copy = ir_if(u, ir_op2(u, IR_LT, number_of(x, k), n.counted.hi, n.loc), copy, 0, n.loc);
        ir_append(u, out, copy);
    }
}

// ---- what stands behind the last loop that stays one ----------------------------------------------------------------

// Its variables that each pass has from before.
static bool comes_in(const struct abreast *x, const struct ir_effects *fx, const uint32_t *exposed, ir_var v) {
    return x->names[v] && (ir_bit(fx->vars_written, v) ? ir_bit(exposed, v) : ir_bit(fx->vars_read, v));
}

static bool count_operation(void *user, ir_expr e) {
    struct ir_unit *u = ((struct abreast *)user)->u;
    ((struct abreast *)user)->work += u->nodes[e].op == IR_LOAD || operands_of(&u->nodes[e]) > 0;
    return true;
}

// One lane would make it for one pass after the other, while others wait; of lanes that share the passes each makes
// one, but first chooses what that has from before. Stores to local arrays, which each lane has of its own, they do not
// share.
static bool behind_pays(struct abreast *x, ir_stmt run) {
    if (!run) return false;
    struct ir_effects fx = ir_effects_of(x->u, run);
    for (ir_array a = 1; a < x->u->array_count; a++)
        if (ir_bit(fx.arrays_written, a) && !ir_in_buffer(x->u, a)) return false;
    uint32_t *exposed = pass_exposed(x->u, run), chosen = 0;
    for (ir_var v = 1; v < x->own_vars; v++)
        chosen += v != x->counter && comes_in(x, &fx, exposed, v);
    x->work = 0;
    ir_walk_nodes(x->u, run, count_operation, x);
    return x->work > chosen; // times the other passes
}

// The variable of the pass that the counter says.
static ir_expr chosen(const struct abreast *x, ir_var v, ir_var counter) {
    struct ir_unit *u = x->u;
    base_loc loc = node_of(x, x->loop)->loc;
    enum ir_type type = (enum ir_type)u->vars[counter].type;
    ir_expr value = ir_var_read(u, x->names[v], loc);
    for (uint32_t k = 1; k < x->count; k++) {
        ir_expr is = ir_op2(u, IR_EQ, ir_var_read(u, counter, loc), ir_const(u, type, k), loc);
        value = ir_op3(u, IR_SELECT, is, ir_var_read(u, x->names[k * x->own_vars + v], loc), value, loc);
    }
    return value;
}

// A loop over the passes, which lanes share.
static ir_stmt loop_behind(struct abreast *x, ir_stmt run) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    const struct ir_var_info info = u->vars[x->counter];
    enum ir_type type = (enum ir_type)info.type;
    ir_var counter = ir_add_var(u, info.name, type, IR_VAR_LOCAL, info.loc);
    uint32_t *exposed = pass_exposed(u, run);
    struct ir_effects fx = ir_effects_of(u, run);
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    ir_stmt body = 0;
    for (ir_var v = 1; v < x->own_vars; v++) {
        bool in = v != x->counter && comes_in(x, &fx, exposed, v);
        if (!in && !ir_bit(fx.vars_written, v)) continue;
        const struct ir_var_info own = u->vars[v];
        map[v] = ir_add_var(u, own.name, (enum ir_type)own.type, IR_VAR_LOCAL, own.loc);
        if (in) ir_append(u, &body, ir_assign(u, map[v], chosen(x, v, counter), n.loc));
    }
    ir_stmt copy = ir_clone_block(u, run, map, NULL);
    ir_expr number = ir_var_read(u, counter, n.loc), passes = ir_const(u, type, x->count), there = n.counted.hi;
    if (x->block) {
        ir_expr first = ir_op2(u, IR_MUL, ir_var_read(u, x->block, n.loc), passes, n.loc);
        number = ir_op2(u, IR_ADD, first, number, n.loc);
        there = ir_op2(u, IR_SUB, there, first, n.loc);
    }
    pass_substitute(u, copy, x->counter, number);
    ir_append(u, &body, copy);
    if (!x->exact) passes = ir_op2(u, IR_MIN, passes, there, n.loc);
    ir_stmt out = ir_for(u, counter, ir_const(u, type, 0), passes, 1, body, n.loc);
    u->stmts[out].flags |= IR_FLAG_SIMD | IR_FLAG_LONG; // short as it is
    return out;
}

static ir_stmt side_by_side(struct abreast *x, ir_stmt body) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, run = 0;
    name_vars(x, body);
    for (ir_stmt s = body, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (!stays_one(x, s)) {
            ir_append(u, &run, s);
            continue;
        }
        append_run(x, &out, run, false);
        run = 0;
        ir_append(u, &out, one_loop(x, s));
    }
    if (x->lanes && behind_pays(x, run))
        ir_append(u, &out, loop_behind(x, run));
    else
        append_run(x, &out, run, !x->exact);
    return out;
}

// The loop as written stays for one pass alone.
static ir_stmt rewrite(struct abreast *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, s);
    const struct ir_var_info info = u->vars[x->counter];
    enum ir_type type = (enum ir_type)info.type;
    ir_stmt written = x->exact ? n.counted.body : ir_clone_block(u, n.counted.body, NULL, NULL);
    x->block = 0;
    if (x->exact && x->trips == x->count) return side_by_side(x, written);
    ir_var block = ir_add_var(u, info.name, type, IR_VAR_LOCAL, info.loc);
    if (x->trips > x->count) x->block = block;
    ir_expr none = ir_const(u, type, 0), one = ir_const(u, type, 1), blocks = ir_const(u, type, x->trips / x->count);
    ir_stmt wide = side_by_side(x, written);
    if (x->exact) return ir_for(u, block, none, blocks, 1, wide, n.loc);
    if (x->block) {
        ir_expr most = ir_op2(u, IR_MIN, n.counted.hi, ir_const(u, type, x->trips), n.loc);
        ir_expr up = ir_op2(u, IR_ADD, most, ir_const(u, type, x->count - 1), n.loc);
        blocks = ir_op2(u, IR_DIV, up, ir_const(u, type, x->count), n.loc);
    }
    ir_expr several = ir_op2(u, IR_LT, one, n.counted.hi, n.loc);
    ir_stmt out = ir_for(u, block, none, ir_op3(u, IR_SELECT, several, blocks, none, n.loc), 1, wide, n.loc);
    ir_expr alone = ir_op3(u, IR_SELECT, several, none, n.counted.hi, n.loc);
    u->stmts[s].counted.hi = alone;
    ir_append(u, &out, s);
    return out;
}

static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct abreast *x = user;
    (void)done;
    if (node_of(x, s)->kind == IR_PARFOR) x->iterations = pass_most_iterations(x->sc, s);
    if (!fits(x, s)) return s;
    const struct ir_stmt_node *last = node_of(x, x->last);
    uint64_t passes = pass_most_trips(x->sc, last->counted.lo, last->counted.hi, last->counted.step);
    x->lanes = passes <= INT32_MAX && pass_least_lanes(x->p, x->last, passes, x->iterations) >= x->count;
    uint32_t line = x->u->cx->locs[node_of(x, s)->loc].line;
    ir_stmt out = rewrite(x, s);
    base_text_format(x->p->explain, "abreast: %u passes of the loop at line %u are made side by side\n", x->count,
                     line);
    return out;
}

void pass_abreast(struct pass_cx *p) {
    struct pass_scope sc;
    struct abreast x = {.p = p, .u = p->u, .sc = &sc, .vars = p->u->var_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    pass_count_reads(p->u, p->u->root, x.reads);
    struct pass_rewriter w = {.u = p->u, .sc = &sc, .user = &x, .replace = replace};
    pass_rewrite_iterations(&w);
}
