// Iterations that may take very different times: some loops end when the data say so, others are as long as the
// iteration's number. A grid deals iterations out beforehand, so many apart, and an invocation gets those that begin as
// its first one does: where the distance is some rows of a plane, always the same column of it; of a triangle always
// the longer or the shorter rows. The slowest workgroup then decides.
//
// So every other round is dealt backwards: who had the first iteration of one round has the last one of the next. The
// law: how long an iteration takes changes little from one to its neighbour, so two that stand opposite each other
// make up for what lies between. What grows evenly with the number, as rows of a triangle do, comes out even.
//
// Owners (sync_conflicts.c) need iterations of one number in loops of one shape to run on one invocation, whichever
// that is. So all loops of a program are dealt in one way.
#include "pass/passes.h"

struct dealer {
    struct ir_unit *u;
    uint64_t busy; // invocations that keep the device busy
    bool uneven;   // loops of some iteration are longer than those of others
};

struct end {
    const struct ir_unit *u;
    ir_expr lo;
    bool has_lo, loads;
};
static bool on_end(void *user, ir_expr e) {
    struct end *x = user;
    x->has_lo |= ir_same_expr(x->u, e, x->lo);
    x->loads |= x->u->nodes[e].op == IR_LOAD;
    return true;
}

// All iterations make as many passes of the FOR, or nearly: its ends are the run's, or one is so far from the other.
static bool is_even(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    struct end end = {.u = u, .lo = n->counted.lo};
    if (pass_leaves_loop(u, n->counted.body)) return false;
    if (pass_is_of_run(u, n->counted.lo)) return pass_is_of_run(u, n->counted.hi);
    ir_walk_expr(u, n->counted.hi, on_end, &end);
    return end.has_lo && !end.loads;
}

static bool on_stmt(void *user, ir_stmt s) {
    struct dealer *x = user;
    uint8_t kind = x->u->stmts[s].kind;
    x->uneven |= kind == IR_LOOP || (kind == IR_FOR && !is_even(x->u, s));
    return !x->uneven;
}

static void look_at_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct dealer *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[parfor];
    uint64_t lanes = n->flags & IR_FLAG_LANES ? n->parfor.lanes : 1;
    // Else there is one round, or less.
    if (pass_most_iterations(sc, parfor) * lanes > x->busy) ir_walk_stmts(x->u, n->parfor.body, on_stmt, x);
}

static void deal(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct dealer *x = user;
    (void)sc;
    x->u->stmts[parfor].parfor.turns = true;
}

void pass_deal(struct pass_cx *p) {
    struct dealer x = {.u = p->u, .busy = p->target->busy_invocations};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, look_at_parfor, &x);
    if (!x.uneven) return;
    pass_each_parfor(&sc, deal, &x);
    base_text_format(p->explain, "deal: iterations are dealt out to and fro, as some take longer than others\n");
}
