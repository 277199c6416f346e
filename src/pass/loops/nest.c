// Nested loops whose passes hand something on become one loop, so that scan.c can make blocks of all their passes:
//
//   for (d < 256) { row[d] = sum; for (b < n) { c = count[d][b]; count[d][b] = sum; sum += c; } }      becomes
//   for (p < 256 * n) { b = p % n; d = p / n; if (b == 0) row[d] = sum; c = count[d][b]; ... }
//
// What stands in front of the inner loop is done by its first pass, what stands behind it by its last; what each pass
// may as well compute itself stands in front of all (flatten.c does this for sums that lanes share).
//
// The law: each loop runs from one constant to another and is left by nobody; none is without passes.
#include "pass/loops/nest.h"

static const struct ir_stmt_node *node_of(const struct pass_nest *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- which loops? ---------------------------------------------------------------------------------------------------

static bool is_plain(const struct ir_unit *u, ir_stmt s, uint64_t *trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    return n->kind == IR_FOR && !(n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES)) &&
           u->vars[n->counted.var].type == IR_I32 && ir_is_const(u, n->counted.lo, &lo) &&
           ir_const_trips(u, s, trips) && *trips && !pass_leaves_loop(u, n->counted.body);
}

// The only loop of the block, 0: there is none, or several.
static ir_stmt only_loop(const struct ir_unit *u, ir_stmt block) {
    ir_stmt found = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        if (kind == IR_LOOP || (kind == IR_FOR && found)) return 0;
        if (kind == IR_FOR) found = s;
    }
    return found;
}

// The loop only sums up, if it hands on anything: lanes may share it as it is.
static bool only_sums(const struct ir_unit *u, ir_stmt loop, const uint32_t *reads) {
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count;
    return pass_simd_reductions(u, u->stmts[loop].counted.body, reads, list, &count);
}

// What stands around the inner loop reads no counter of the loops in it.
static bool counts_alone(struct ir_unit *u, ir_stmt block, ir_stmt inner) {
    bool alone = true;
    for (ir_stmt s = block; s && alone; s = u->stmts[s].next) {
        struct ir_effects fx = ir_effects_of_one(u, s);
        for (ir_stmt loop = inner; loop && s != inner; loop = only_loop(u, u->stmts[loop].counted.body))
            alone &= !ir_bit(fx.vars_read, u->stmts[loop].counted.var);
    }
    return alone;
}

// sums: also loops inside that only sum up.
static bool find(struct pass_nest *x, struct ir_unit *u, ir_stmt loop, uint32_t depth, bool sums) {
    uint64_t all = 1;
    uint32_t *reads = NULL;
    *x = (struct pass_nest){.u = u};
    for (ir_stmt s = loop; s && x->depth < depth && x->depth < PASS_FLATTEN_DEPTH;) {
        if (!is_plain(u, s, &x->trips[x->depth]) || x->trips[x->depth] > PASS_MOST_INDEXED / all) break;
        all *= x->trips[x->depth];
        x->loops[x->depth++] = s;
        ir_stmt block = u->stmts[s].counted.body;
        s = only_loop(u, block);
        if (!s || !counts_alone(u, block, s)) break;
        if (!reads && !sums) {
            reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
            pass_count_reads(u, block, reads);
        }
        if (!sums && only_sums(u, s, reads)) break;
    }
    return x->depth > 1;
}

bool pass_nest_find(struct pass_nest *x, struct ir_unit *u, ir_stmt loop, uint32_t depth) {
    return find(x, u, loop, depth, false);
}

bool pass_nest_trips(struct ir_unit *u, ir_stmt loop, uint64_t *out) {
    struct pass_nest x;
    *out = 1;
    if (!find(&x, u, loop, PASS_FLATTEN_DEPTH, true)) return ir_const_trips(u, loop, out);
    for (uint32_t d = 0; d < x.depth; d++)
        *out *= x.trips[d];
    return true;
}

// ---- are passes apart? ----------------------------------------------------------------------------------------------

// Passes of `inner` touch nothing that what stands around it writes, and the other way round.
static bool is_apart_from_others(const struct pass_nest *x, struct pass_scope *sc, ir_stmt block, ir_stmt inner) {
    struct pass_accesses around = {.with_locals = true};
    ir_stmt in_front = pass_clone_until(x->u, block, inner),
            behind = pass_clone_until(x->u, node_of(x, inner)->next, 0);
    struct ir_effects a = ir_effects_of(x->u, in_front), b = ir_effects_of(x->u, behind);
    if (!pass_arrays_apart(&a, &b)) return false;
    ir_append(x->u, &in_front, behind);
    pass_collect(sc, in_front, &around);
    return pass_memory_is_apart(sc, inner, &around, NULL) && pass_loads_are_apart(sc, inner, &around);
}

// Drops the stores to arrays of which each element is of one pass of the innermost loop alone, and that what stands
// around it does not touch.
struct dropping {
    struct ir_unit *u;
    bool *owned; // by array
};
static bool drop_store(void *user, ir_stmt s) {
    const struct dropping *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE && x->owned[n->store.array])
        *n = (struct ir_stmt_node){.kind = IR_NOP, .loc = n->loc, .next = n->next};
    return true;
}
static void drop_owned(const struct pass_nest *x, struct pass_scope *sc, ir_stmt outer) {
    struct ir_unit *u = x->u;
    struct pass_accesses list = {.with_locals = true};
    struct pass_space space = {.n = x->depth};
    struct ir_effects all = ir_effects_of_one(u, outer), around = ir_effects_empty(u);
    struct dropping drop = {u, base_alloc_array(u->cx, u->array_count, sizeof *drop.owned)};
    uint32_t mark = pass_scope_enter(sc);
    ir_stmt loop = outer;
    for (uint32_t d = 0; d < x->depth; d++) {
        const struct ir_stmt_node n = *node_of(x, loop);
        space.vars[d] = n.counted.var;
        space.extents[d] = x->trips[d];
        space.steps[d] = n.counted.step;
        pass_scope_loop(sc, loop);
        if (d + 1 == x->depth) pass_collect(sc, n.counted.body, &list);
        loop = d + 1 < x->depth ? only_loop(u, n.counted.body) : 0;
        for (ir_stmt s = n.counted.body; s && loop; s = node_of(x, s)->next) {
            if (node_of(x, s)->kind == IR_ASSIGN) pass_scope_assign(sc, s);
            if (s != loop) ir_add_effects(u, pass_clone_one(u, s), &around);
        }
    }
    for (ir_array a = 1; a < u->array_count; a++) {
        bool touched = ir_bit(around.arrays_read, a) || ir_bit(around.arrays_written, a);
        drop.owned[a] = ir_bit(all.arrays_written, a) && !touched && pass_owned(sc, &list, a, &space);
    }
    pass_scope_leave(sc, mark);
    ir_walk_stmts(u, u->stmts[outer].counted.body, drop_store, &drop);
}

bool pass_nest_is_apart(const struct pass_nest *x, struct pass_scope *sc, ir_stmt loop) {
    drop_owned(x, sc, loop);
    bool apart = pass_memory_is_apart(sc, loop, NULL, NULL);
    uint32_t mark = pass_scope_enter(sc);
    for (uint32_t d = 1; d < x->depth && apart; d++) {
        ir_stmt block = node_of(x, loop)->counted.body, inner = only_loop(x->u, block);
        pass_scope_loop(sc, loop);
        for (ir_stmt s = block; s != inner; s = node_of(x, s)->next)
            if (node_of(x, s)->kind == IR_ASSIGN) pass_scope_assign(sc, s);
        apart = is_apart_from_others(x, sc, block, inner);
        loop = inner;
    }
    pass_scope_leave(sc, mark);
    return apart;
}

// ---- the one loop ---------------------------------------------------------------------------------------------------

static ir_expr read_of(const struct pass_nest *x, ir_var v) {
    return ir_var_read(x->u, v, node_of(x, x->loops[0])->loc);
}
static ir_expr number(const struct pass_nest *x, uint64_t value) { return ir_const_i32(x->u, (int32_t)value); }
static ir_expr two(const struct pass_nest *x, enum ir_op op, ir_expr a, ir_expr b) {
    return ir_op2(x->u, op, a, b, node_of(x, x->loops[0])->loc);
}
static ir_stmt set(const struct pass_nest *x, ir_var v, ir_expr value) {
    return ir_assign(x->u, v, value, node_of(x, x->loops[0])->loc);
}
static ir_var new_counter(const struct pass_nest *x, const char *name) {
    return ir_add_var(x->u, name, IR_I32, IR_VAR_LOCAL, node_of(x, x->loops[0])->loc);
}
static const char *name_of(const struct pass_nest *x, uint32_t d) {
    return x->u->vars[node_of(x, x->loops[d])->counted.var].name;
}
// The loop's counter in that pass of it.
static ir_expr counter_at(const struct pass_nest *x, uint32_t d, ir_expr pass) {
    const struct ir_stmt_node n = *node_of(x, x->loops[d]);
    if (n.counted.step != 1) pass = two(x, IR_MUL, pass, ir_const_i32(x->u, n.counted.step));
    return two(x, IR_ADD, pass, n.counted.lo);
}

ir_stmt pass_nest_count(const struct pass_nest *x, ir_expr pass, uint32_t inner, const ir_var *counters) {
    ir_stmt out = 0;
    for (uint32_t d = x->depth - inner; d-- > 0;) {
        ir_expr at = d ? two(x, IR_REM, pass, number(x, x->trips[d])) : pass;
        ir_append(x->u, &out, set(x, counters[d], counter_at(x, d, at)));
        if (!d) break;
        ir_var rest = new_counter(x, "rest");
        ir_append(x->u, &out, set(x, rest, two(x, IR_DIV, pass, number(x, x->trips[d]))));
        pass = read_of(x, rest);
    }
    return out;
}

// All loops inside of this one are at their first pass, or at their last.
static ir_expr at_end(const struct pass_nest *x, uint32_t outer, bool last) {
    ir_expr out = 0;
    for (uint32_t d = outer + 1; d < x->depth; d++) {
        ir_expr end = counter_at(x, d, number(x, last ? x->trips[d] - 1 : 0));
        ir_expr is = two(x, IR_EQ, read_of(x, x->counters[d]), end);
        out = out ? two(x, IR_LAND, out, is) : is;
    }
    return out;
}

// Assigns the same in each pass of the loops inside: made of counters, and of what is not written in the nest. taken:
// by a pass of the outermost loop from the one before.
static bool is_steady(const struct pass_nest *x, ir_stmt s, const uint32_t *taken, struct ir_effects *changing) {
    const struct ir_stmt_node *n = node_of(x, s);
    if (n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC || ir_bit(taken, n->assign.var)) return false;
    struct ir_effects fx = ir_effects_of_one(x->u, s);
    bool steady = pass_count_writes(x->u, x->loops[0], n->assign.var) == 1 && !ir_reads_written(&fx, changing);
    if (steady) changing->vars_written[n->assign.var / 32] &= ~(1u << n->assign.var % 32);
    return steady;
}

ir_stmt pass_nest_make(struct pass_nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node outer = *node_of(x, x->loops[0]);
    uint64_t all = 1;
    ir_var pass = new_counter(x, "pass");
    for (uint32_t d = 0; d < x->depth; d++) {
        all *= x->trips[d];
        x->counters[d] = new_counter(x, name_of(x, d));
    }
    struct ir_effects changing = ir_effects_of(u, outer.counted.body);
    const uint32_t *taken = pass_exposed(u, outer.counted.body);
    for (uint32_t d = 0; d < x->depth; d++) {
        ir_var v = node_of(x, x->loops[d])->counted.var;
        changing.vars_written[v / 32] &= ~(1u << v % 32);
    }
    ir_stmt out = pass_nest_count(x, read_of(x, pass), 0, x->counters), behind = 0;
    for (uint32_t d = 0; d + 1 < x->depth; d++) {
        ir_stmt block = node_of(x, x->loops[d])->counted.body, inner = x->loops[d + 1], first = 0, heads = 0, last;
        for (ir_stmt s = block; s != inner; s = node_of(x, s)->next)
            ir_append(u, is_steady(x, s, taken, &changing) ? &heads : &first, pass_clone_one(u, s));
        last = pass_clone_until(u, node_of(x, inner)->next, 0);
        ir_append(u, &out, heads);
        if (first) ir_append(u, &out, ir_if(u, at_end(x, d, false), first, 0, outer.loc));
        if (last) last = ir_if(u, at_end(x, d, true), last, 0, outer.loc);
        ir_append(u, &last, behind);
        behind = last;
    }
    ir_append(u, &out, ir_clone_block(u, node_of(x, x->loops[x->depth - 1])->counted.body, NULL, NULL));
    ir_append(u, &out, behind);
    for (uint32_t d = 0; d < x->depth; d++)
        pass_substitute(u, out, node_of(x, x->loops[d])->counted.var, read_of(x, x->counters[d]));
    return ir_for(u, pass, number(x, 0), number(x, all), 1, out, outer.loc);
}

ir_stmt pass_nest_in_row(const struct pass_nest *x, ir_stmt body, ir_expr first, ir_var pass, ir_stmt *before) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    ir_var counters[PASS_FLATTEN_DEPTH], from = new_counter(x, "from");
    uint32_t in = x->depth - 1;
    for (uint32_t d = 0; d < in; d++) {
        counters[d] = new_counter(x, name_of(x, d));
    }
    ir_append(u, before, set(x, from, two(x, IR_REM, first, number(x, x->trips[in]))));
    ir_append(u, before, pass_nest_count(x, two(x, IR_DIV, first, number(x, x->trips[in])), 1, counters));
    for (ir_stmt s = body, next; s; s = next) {
        bool sets = false;
        next = node_of(x, s)->next;
        for (uint32_t d = 0; d < x->depth && node_of(x, s)->kind == IR_ASSIGN; d++)
            sets |= node_of(x, s)->assign.var == x->counters[d];
        u->stmts[s].next = 0;
        if (!sets) ir_append(u, &out, s);
    }
    for (uint32_t d = 0; d < in; d++)
        pass_substitute(u, out, x->counters[d], read_of(x, counters[d]));
    pass_substitute(u, out, x->counters[in], counter_at(x, in, two(x, IR_ADD, read_of(x, from), read_of(x, pass))));
    return out;
}
