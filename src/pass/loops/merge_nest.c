// Two short loops, one in the other, as one loop that lanes share:
//
//   for (i < 12) for (j < 12) c[i][j] = ...;      becomes      for (p < 144) { j = p % 12; i = p / 12; c[i][j] = ...; }
//
// Lanes that shared the outer loop would be more than it has passes, or it would be too short for any.
//
// The law: each loop runs from one constant to another, and the inner one is all that stands in the outer one, but for
// what each of its passes may set again in front of it; so the passes keep their order. That they do not need each
// other is the caller's to know: neither those of the outer loop, nor those of the inner one.
#include "pass/cost.h"
#include "pass/loops/nest.h"

static bool is_plain(const struct ir_unit *u, ir_stmt s, uint64_t *trips) {
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    return n->kind == IR_FOR && !(n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES)) &&
           u->vars[n->counted.var].type == IR_I32 && ir_is_const(u, n->counted.lo, &lo) &&
           ir_const_trips(u, s, trips) && *trips && *trips <= PASS_MOST_INDEXED;
}

// Each pass of the inner loop may make it again.
static bool is_head(struct ir_unit *u, ir_stmt s, const struct ir_effects *inner) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    return u->stmts[s].kind == IR_ASSIGN && !u->stmts[s].flags && !ir_reads_written(&fx, &fx) &&
           !ir_reads_written(&fx, inner) && !ir_sets_meet(fx.vars_written, inner->vars_written, fx.var_words);
}

static bool find(struct pass_nest *x, struct ir_unit *u, ir_stmt loop) {
    *x = (struct pass_nest){.u = u, .depth = 2};
    if (!is_plain(u, loop, &x->trips[0]) || x->trips[0] > PASS_MERGE_MOST) return false;
    ir_stmt first = u->stmts[loop].counted.body, inner = first;
    while (inner && u->stmts[inner].next)
        inner = u->stmts[inner].next;
    x->loops[0] = loop;
    x->loops[1] = inner;
    if (!inner || !is_plain(u, inner, &x->trips[1])) return false;
    struct ir_effects fx = ir_effects_of(u, inner);
    for (ir_stmt s = first; s != inner; s = u->stmts[s].next)
        if (!is_head(u, s, &fx)) return false;
    return x->trips[0] * x->trips[1] <= PASS_MOST_INDEXED;
}

ir_stmt pass_merge_inner(struct ir_unit *u, ir_stmt loop, uint64_t *out_passes) {
    struct pass_nest x;
    if (!find(&x, u, loop)) return 0;
    *out_passes = x.trips[0] * x.trips[1];
    return x.loops[1];
}

void pass_merge(struct ir_unit *u, ir_stmt loop) {
    struct pass_nest x;
    if (!find(&x, u, loop)) return;
    base_loc loc = u->stmts[loop].loc;
    ir_var pass = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, loc);
    for (uint32_t d = 0; d < x.depth; d++)
        x.counters[d] = u->stmts[x.loops[d]].counted.var;
    ir_stmt body = pass_nest_count(&x, ir_var_read(u, pass, loc), 0, x.counters);
    for (ir_stmt s = u->stmts[loop].counted.body; s != x.loops[1]; s = u->stmts[s].next)
        ir_append(u, &body, pass_clone_one(u, s));
    ir_append(u, &body, u->stmts[x.loops[1]].counted.body);
    ir_expr zero = ir_const_i32(u, 0), end = ir_const_i32(u, (int32_t)(x.trips[0] * x.trips[1]));
    struct ir_stmt_node *n = &u->stmts[loop];
    n->counted.var = pass;
    n->counted.lo = zero;
    n->counted.hi = end;
    n->counted.step = 1;
    n->counted.body = body;
}
