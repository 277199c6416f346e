// Loops that end when data say so, as those that go on until something has settled or is found:
//
//   while (error > limit && round < 50) {         round = 0;  on = error > limit && round < 50;
//       for (k shared) ...                        while (on) {
//       if (found) break;                             for (k shared) ...
//       rest;                        becomes          if (found) on = false;
//       round++;                                      if (on) { rest;  round++; }
//   }                                                 if (on) on = error > limit && round < 50;
//                                                 }
//
// So nothing leaves the loop from inside, and lanes of iterations that are through can come by with those that are not
// (predicate.c). A CONTINUE leaves out the rest of its pass in the same way.
//
// The law: a statement is made under the conditions that it had. No lane can pause in such a loop, so that it is made
// only where a variable that moves by a constant in each pass ends it: then it makes no more passes than those between
// where the variable, or what grows with it, begins and where it ends.
#include "pass/lanes/until.h"

struct until {
    struct ir_unit *u;
    const struct pass_scope *sc; // in front of the loop
    ir_stmt block, loop;
    ir_stmt decided; // a block that a pass comes through if another one follows; 0: none is known
    ir_var on, over; // goes on; this pass is over (0: no CONTINUE)
};

// ---- how many passes? -----------------------------------------------------------------------------------------------

static bool is_continue(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_CONTINUE) return true;
        if (n->kind == IR_IF && (is_continue(u, n->branch.then_block) || is_continue(u, n->branch.else_block)))
            return true;
    }
    return false;
}

static bool ends_with_break(const struct ir_unit *u, ir_stmt block) {
    while (block && u->stmts[block].next)
        block = u->stmts[block].next;
    return block && u->stmts[block].kind == IR_BREAK;
}

// The block that a pass comes through behind the statement if another one follows, as the other way leaves the loop; 0:
// there is none, or the statement is no such IF. *out_held: the condition, then.
static ir_stmt way_on(const struct ir_unit *u, ir_stmt s, bool *out_leaves, bool *out_held) {
    const struct ir_stmt_node *n = &u->stmts[s];
    bool is_if = n->kind == IR_IF, yes = is_if && ends_with_break(u, n->branch.then_block),
         no = is_if && ends_with_break(u, n->branch.else_block);
    *out_leaves = yes || no;
    *out_held = no;
    return yes ? n->branch.else_block : no ? n->branch.then_block : 0;
}

static bool step_in(const struct ir_unit *u, ir_stmt block, ir_var v, int64_t *out) {
    bool leaves, held;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (step_in(u, way_on(u, s, &leaves, &held), v, out)) return true;
        if (n->kind != IR_ASSIGN || n->assign.var != v || n->flags) continue;
        const struct ir_node *e = &u->nodes[n->assign.value];
        uint32_t by;
        if ((e->op != IR_ADD && e->op != IR_SUB) || !pass_is_var(u, e->a, v) || !ir_is_const(u, e->b, &by))
            return false;
        *out = e->op == IR_ADD ? (int32_t)by : -(int64_t)(int32_t)by;
        return *out != 0;
    }
    return false;
}

// Statements of the block that write the variable, but for those after which the loop is left.
static uint32_t writes_going_on(struct ir_unit *u, ir_stmt block, ir_var v) {
    uint32_t count = 0;
    if (ends_with_break(u, block) && !is_continue(u, block)) return 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            count += writes_going_on(u, n.branch.then_block, v) + writes_going_on(u, n.branch.else_block, v);
            continue;
        }
        u->stmts[s].next = 0;
        count += pass_count_writes(u, s, v);
        u->stmts[s].next = n.next;
    }
    return count;
}

// By how much each pass that another one follows moves the variable; 0: not by a constant.
static int64_t step_of(const struct until *x, ir_var v) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->loop];
    int64_t step = 0;
    if (u->vars[v].type != IR_I32 ||
        writes_going_on(u, n->loop.body, v) + writes_going_on(u, n->loop.continuing, v) != 1)
        return 0;
    if (step_in(u, n->loop.continuing, v, &step) || step_in(u, x->decided, v, &step)) return step;
    return !is_continue(u, n->loop.body) && step_in(u, n->loop.body, v, &step) ? step : 0;
}

// What the variable holds in front of the loop, of what is there the same; 0: the block does not tell.
static ir_expr begin_of(const struct until *x, ir_var v) {
    struct ir_unit *u = x->u;
    ir_expr value = 0;
    for (ir_stmt s = x->block; s != x->loop; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        struct base_scratch scratch = base_scratch_begin(u->cx);
        struct ir_effects fx = ir_effects_of_one(u, s);
        bool sets = n.kind == IR_ASSIGN && n.assign.var == v;
        if (sets) value = n.assign.value;
        if (value && ((!sets && ir_bit(fx.vars_written, v)) || ir_mentions_any(u, value, fx.vars_written))) value = 0;
        base_scratch_end(u->cx, &scratch);
    }
    return value;
}

struct mover {
    const struct ir_unit *u;
    struct ir_effects fx; // of the loop
    ir_var v;             // that it sets
    bool one;             // there is no other, and nothing is loaded
};
static bool on_mover(void *user, ir_expr e) {
    struct mover *m = user;
    const struct ir_node *n = &m->u->nodes[e];
    bool moves = n->op == IR_VAR && ir_bit(m->fx.vars_written, n->a);
    m->one &= n->op != IR_LOAD && (!moves || !m->v || m->v == n->a);
    if (moves) m->v = n->a;
    return m->one;
}

// The one variable of the two expressions that the loop sets; 0: there are none, or several, or something is loaded.
static ir_var mover_of(const struct until *x, ir_expr low, ir_expr high) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx); // there may be many loops
    struct mover m = {.u = x->u, .fx = ir_effects_of_one(x->u, x->loop), .one = true};
    ir_walk_expr(x->u, low, on_mover, &m);
    ir_walk_expr(x->u, high, on_mover, &m);
    base_scratch_end(x->u->cx, &scratch);
    return m.one ? m.v : 0;
}

// By how much the expression grows with the variable; false: not steadily.
static bool growth(const struct ir_unit *u, ir_expr e, ir_var v, int64_t *out) {
    const struct ir_node *n = &u->nodes[e];
    int64_t a, b;
    uint32_t factor;
    switch (n->op) {
    case IR_CONST: *out = 0; return true;
    case IR_VAR: *out = n->a == v; return true;
    case IR_NEG: return growth(u, n->a, v, &a) && !__builtin_sub_overflow(0, a, out);
    case IR_ADD: return growth(u, n->a, v, &a) && growth(u, n->b, v, &b) && !__builtin_add_overflow(a, b, out);
    case IR_SUB: return growth(u, n->a, v, &a) && growth(u, n->b, v, &b) && !__builtin_sub_overflow(a, b, out);
    case IR_MUL:
        if (ir_is_const(u, n->b, &factor))
            return growth(u, n->a, v, &a) && !__builtin_mul_overflow(a, (int32_t)factor, out);
        if (ir_is_const(u, n->a, &factor))
            return growth(u, n->b, v, &b) && !__builtin_mul_overflow(b, (int32_t)factor, out);
        break;
    default: break;
    }
    *out = 0;
    return !ir_mentions(u, e, v);
}

// It goes on while `low` is below (or at) `high`, of which one variable, which each pass moves by a constant, brings
// them together: passes at most; UINT64_MAX: not known.
static uint64_t passes_between(struct until *x, ir_expr low, ir_expr high) {
    struct ir_unit *u = x->u;
    ir_var v = mover_of(x, low, high);
    int64_t up, down, each;
    if (!v || u->nodes[low].type != IR_I32 || !growth(u, low, v, &up) || !growth(u, high, v, &down) ||
        __builtin_sub_overflow(up, down, &each) || __builtin_mul_overflow(each, step_of(x, v), &each) || each <= 0)
        return UINT64_MAX;
    ir_expr begin = begin_of(x, v), now = ir_var_read(u, v, 0);
    if (!begin) return UINT64_MAX;
    struct pass_range from = pass_range_of(x->sc, pass_exchanged(u, low, now, begin)),
                      to = pass_range_of(x->sc, pass_exchanged(u, high, now, begin));
    if (!from.known || !to.known) return UINT64_MAX;
    int64_t way = to.hi - from.lo;
    return way < 0 ? 1 : (uint64_t)(way / each) + 2; // the end itself may be one; the test may stand behind the pass
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// The assignment of the block in front of `end` (0: all of the block), not of those inside; 0: none.
static ir_stmt set_in(const struct ir_unit *u, ir_stmt block, ir_stmt end, ir_var v) {
    while (block != end && (u->stmts[block].kind != IR_ASSIGN || u->stmts[block].assign.var != v))
        block = u->stmts[block].next;
    return block == end ? 0 : block;
}

static uint64_t passes_while(struct until *x, ir_stmt block, ir_stmt end, ir_expr cond, bool held);

// The loop goes on if the variable holds, which the block sets in front of `end`: to a condition, or, where the C has
// one with effects in it (a call that stores, v++), to false and then in a branch:
//
//   both = false;  if (a) { v++;  both = v < to; }
//
// Then `a` held, too, and the pass came through the branch.
static uint64_t passes_by(struct until *x, ir_stmt block, ir_stmt end, ir_var v) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->loop];
    uint32_t writes = pass_count_writes(u, n->loop.body, v) + pass_count_writes(u, n->loop.continuing, v), no;
    ir_stmt first = set_in(u, block, end, v), branch = 0;
    if (!first) return UINT64_MAX;
    ir_expr value = u->stmts[first].assign.value;
    if (writes == 1) return passes_while(x, block, first, value, true);
    if (!ir_is_const(u, value, &no) || no) return UINT64_MAX;
    for (ir_stmt t = u->stmts[first].next; t != end && !branch; t = u->stmts[t].next)
        if (u->stmts[t].kind == IR_IF && pass_count_writes(u, u->stmts[t].branch.then_block, v) == writes - 1)
            branch = t;
    if (!branch) return UINT64_MAX;
    ir_stmt around = x->decided, inside = u->stmts[branch].branch.then_block, second = set_in(u, inside, 0, v);
    x->decided = inside;
    uint64_t most = passes_while(x, block, branch, u->stmts[branch].branch.cond, true);
    if (second && writes == 2) most = least(most, passes_while(x, inside, second, u->stmts[second].assign.value, true));
    x->decided = around;
    return most;
}

// As long as the condition, which is asked in the block in front of `end`, is as it is `held`, the loop goes on: passes
// at most.
static uint64_t passes_while(struct until *x, ir_stmt block, ir_stmt end, ir_expr cond, bool held) {
    const struct ir_node *n = &x->u->nodes[cond];
    if (n->op == IR_VAR) return held ? passes_by(x, block, end, n->a) : UINT64_MAX;
    if (n->op == IR_NOT) return passes_while(x, block, end, n->a, !held);
    if (n->op == (held ? IR_LAND : IR_LOR))
        return least(passes_while(x, block, end, n->a, held), passes_while(x, block, end, n->b, held));
    if (n->op != IR_LT && n->op != IR_LE && n->op != IR_GT && n->op != IR_GE) return UINT64_MAX;
    bool below = (n->op == IR_LT || n->op == IR_LE) == held; // the left one, while it goes on
    return below ? passes_between(x, n->a, n->b) : passes_between(x, n->b, n->a);
}

// What the block's ways out of the loop tell.
static uint64_t passes_along(struct until *x, ir_stmt block) {
    uint64_t most = UINT64_MAX;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        bool leaves, held;
        ir_stmt on = way_on(x->u, s, &leaves, &held);
        if (leaves) most = least(most, passes_while(x, block, s, x->u->stmts[s].branch.cond, held));
        most = least(most, passes_along(x, on));
    }
    return most;
}

static uint64_t most_passes(struct until *x) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->loop];
    if (n->kind == IR_FOR) return pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    uint64_t most = UINT64_MAX;
    // Where a pass ends early, what the body sets may be of an earlier one.
    ir_stmt last = n->loop.continuing ? n->loop.continuing : is_continue(u, n->loop.body) ? 0 : n->loop.body;
    if (n->loop.cond) most = passes_while(x, last, 0, n->loop.cond, true);
    return is_continue(u, n->loop.body) ? most : least(most, passes_along(x, n->loop.body));
}

// ---- the loop without jumps -----------------------------------------------------------------------------------------

static ir_expr read_of(const struct until *x, ir_var v) { return ir_var_read(x->u, v, x->u->stmts[x->loop].loc); }

static ir_stmt set_to(const struct until *x, ir_var v, uint32_t value) {
    return ir_assign(x->u, v, ir_const(x->u, IR_BOOL, value), x->u->stmts[x->loop].loc);
}

// Neither has the loop been left in this pass nor is this pass over.
static ir_expr stays(const struct until *x) {
    if (!x->over) return read_of(x, x->on);
    ir_expr here = ir_op1(x->u, IR_NOT, read_of(x, x->over), x->u->stmts[x->loop].loc);
    return ir_op2(x->u, IR_LAND, read_of(x, x->on), here, x->u->stmts[x->loop].loc);
}

// A copy, in which the jumps of the loop are assignments.
static ir_stmt without_jumps(struct until *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_BREAK || n.kind == IR_CONTINUE) {
            ir_append(u, &out, n.kind == IR_BREAK ? set_to(x, x->on, 0) : set_to(x, x->over, 1));
            return out;
        }
        if (!pass_may_leave(u, s)) {
            ir_append(u, &out, pass_clone_one(u, s));
            continue;
        }
        ir_stmt yes = without_jumps(x, n.branch.then_block), no = without_jumps(x, n.branch.else_block),
                rest = without_jumps(x, n.next);
        ir_append(u, &out, ir_if(u, n.branch.cond, yes, no, n.loc));
        if (rest) ir_append(u, &out, ir_if(u, stays(x), rest, 0, n.loc));
        return out;
    }
    return out;
}

// The counter takes its next value, or the loop is over.
static ir_stmt next_pass(const struct until *x, const struct ir_stmt_node *n, ir_expr end) {
    struct ir_unit *u = x->u;
    ir_var v = n->counted.var;
    bool up = n->counted.step > 0;
    ir_expr one = ir_const_i32(u, 1), last = ir_op2(u, up ? IR_SUB : IR_ADD, end, one, n->loc),
            next = ir_op2(u, up ? IR_ADD : IR_SUB, read_of(x, v), one, n->loc);
    return ir_if(u, ir_op2(u, up ? IR_LT : IR_GT, read_of(x, v), last, n->loc), ir_assign(u, v, next, n->loc),
                 set_to(x, x->on, 0), n->loc);
}

uint64_t pass_until_passes(struct pass_scope *sc, ir_stmt block, ir_stmt s) {
    struct until x = {.u = sc->u, .sc = sc, .block = block, .loop = s};
    return most_passes(&x);
}

// Of those inside of the block, in front of which the scope is.
static void note_passes(struct pass_scope *sc, ir_stmt block) {
    struct ir_unit *u = sc->u;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner), around = pass_scope_enter(sc);
        if (n.kind == IR_LOOP && !n.loop.taken) {
            uint64_t most = pass_until_passes(sc, block, s);
            if (most < UINT32_MAX) u->stmts[s].loop.taken = (uint32_t)most / 2 + 1;
        }
        if (n.kind == IR_FOR || n.kind == IR_LOOP) pass_scope_loop(sc, s);
        for (uint32_t i = 0; i < blocks; i++)
            note_passes(sc, inner[i]);
        pass_scope_leave(sc, around);
        if (n.kind == IR_ASSIGN) pass_scope_assign(sc, s);
    }
    pass_scope_leave(sc, mark);
}

static void note_in(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)user;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    note_passes(sc, sc->u->stmts[parfor].parfor.body);
    pass_scope_leave(sc, mark);
}

void pass_note_passes(struct ir_unit *u) {
    struct pass_scope sc;
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, note_in, NULL);
}

ir_stmt pass_until(struct pass_scope *sc, ir_stmt block, ir_stmt s, uint64_t *out_most) {
    struct ir_unit *u = sc->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct until x = {.u = u, .sc = sc, .block = block, .loop = s};
    bool counts = n.kind == IR_FOR;
    uint64_t trips;
    if (counts && ((n.counted.step != 1 && n.counted.step != -1) || u->vars[n.counted.var].type != IR_I32)) return 0;
    *out_most = most_passes(&x);
    if (*out_most == UINT64_MAX) return 0;
    x.on = ir_add_var(u, "going", IR_BOOL, IR_VAR_LOCAL, n.loc);
    ir_stmt body = 0, out = 0, rest;
    if (is_continue(u, ir_body_of(&n))) {
        x.over = ir_add_var(u, "over", IR_BOOL, IR_VAR_LOCAL, n.loc);
        body = set_to(&x, x.over, 0);
    }
    ir_append(u, &body, without_jumps(&x, ir_body_of(&n)));
    if (counts) {
        ir_var to = ir_add_var(u, "to", IR_I32, IR_VAR_LOCAL, n.loc);
        ir_append(u, &out, ir_assign(u, n.counted.var, n.counted.lo, n.loc));
        ir_append(u, &out, ir_assign(u, to, n.counted.hi, n.loc));
        ir_expr begins =
            ir_op2(u, n.counted.step > 0 ? IR_LT : IR_GT, read_of(&x, n.counted.var), read_of(&x, to), n.loc);
        ir_append(u, &out, ir_assign(u, x.on, begins, n.loc));
        rest = next_pass(&x, &n, read_of(&x, to));
    } else {
        ir_append(u, &out, n.loop.cond ? ir_assign(u, x.on, n.loop.cond, n.loc) : set_to(&x, x.on, 1));
        rest = ir_clone_block(u, n.loop.continuing, NULL, NULL);
        if (n.loop.cond) ir_append(u, &rest, ir_assign(u, x.on, n.loop.cond, n.loc));
    }
    if (rest) ir_append(u, &body, ir_if(u, read_of(&x, x.on), rest, 0, n.loc));
    ir_stmt loop = ir_loop(u, read_of(&x, x.on), body, 0, n.loc);
    u->stmts[loop].flags |= IR_FLAG_LONGEST;
    u->stmts[loop].loop.tick_passes = (uint32_t)least(*out_most, UINT32_MAX);
    if (counts && ir_const_trips(u, s, &trips)) u->stmts[loop].loop.taken = (uint32_t)least(trips, UINT32_MAX);
    ir_append(u, &out, loop);
    return out;
}
