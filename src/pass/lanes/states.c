// States of an iteration that it carries from step to step:
//
//   parallel for (c) { float h[N]; for (t) { for (n < N) { h[n] = a[c][n] * h[n] + in[t][n]; y += out[n] * h[n]; } } }
//
// Where iterations are few, one lane each leaves most of a device idle, and makes all of N states one after the other.
// Passes of such loops have elements of their own in all of the loops that touch the array, so lanes of a subgroup may
// have them in registers (spread.c). Nobody need have written `omp simd`: what it promises is shown, as share.c does,
// and marked so. It comes before expand, which would put the arrays into memory.
//
// The law: passes are independent but for sums, which are others in another order (keep_order). It is done where
// pass_spread, tried on a copy, takes the loops, has the arrays in registers, and spares much of the time, more than
// other ways to share loops.
#include "pass/cost.h"
#include "pass/lanes/spread.h"
#include "pass/lanes/weigh.h"

struct states {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    uint32_t *reads; // of the parallel loop's body, by variable
    ir_stmt *marked;
    uint32_t count, cap;
};

// Its passes are independent, but for sums that may be made in any order.
static bool is_independent(const struct states *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    struct pass_lane_sums sums;
    uint64_t trips;
    if (!ir_const_trips(u, s, &trips) || trips < PASS_SPREAD_LEAST_PASSES ||
        pass_leaves_loop(u, u->stmts[s].counted.body) || !pass_sums_of_lanes(x->sc, s, x->reads, &sums) ||
        sums.search_count)
        return false;
    for (uint32_t k = 0; k < sums.count; k++)
        if (x->p->target->keep_order && u->vars[sums.list[k].var].type == IR_F32) return false;
    return pass_runs_are_apart(x->sc, s, NULL, NULL);
}

// The outermost such loops of the block.
static void mark(struct states *x, ir_stmt block) {
    uint32_t outside = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), around = pass_scope_enter(x->sc);
        if (n->kind == IR_FOR && is_independent(x, s)) {
            BASE_RESERVE(x->u->cx, x->marked, x->count, x->cap);
            x->u->stmts[x->marked[x->count++] = s].flags |= IR_FLAG_SIMD;
            blocks = 0;
        }
        if (n->kind == IR_FOR || n->kind == IR_LOOP) pass_scope_loop(x->sc, s);
        for (uint32_t i = 0; i < blocks; i++)
            mark(x, inner[i]);
        pass_scope_leave(x->sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, outside);
}

// Takes the marks back, but those of loops that lanes share in `copy` (NULL: all).
static void unmark(const struct states *x, const struct ir_unit *copy) {
    for (uint32_t i = 0; i < x->count; i++) {
        const struct ir_stmt_node *tried = copy ? &copy->stmts[x->marked[i]] : NULL;
        if (!tried || (tried->kind == IR_FOR && tried->flags & IR_FLAG_SIMD))
            x->u->stmts[x->marked[i]].flags &= (uint16_t)~IR_FLAG_SIMD;
    }
}

// Of the iteration's time, what other ways to share its loops leave.
static double part_of_sharing(const struct states *x, ir_stmt parfor, uint64_t iterations) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx copy = pass_copy(x->p);
    double alone = pass_time_on_lanes(x->p, x->u->stmts[parfor].parfor.body, iterations, 1, NULL),
           least = pass_weigh_sharing(&copy, parfor, 0).least_time;
    base_scratch_end(x->u->cx, &scratch);
    return least / alone;
}

// Nothing is left of local arrays once a lane's loops are unrolled.
static bool are_registers(const struct pass_cx *spread, ir_stmt parfor) {
    struct pass_cx copy = pass_copy(spread);
    pass_unroll(&copy);
    pass_scalarise(&copy);
    return pass_local_words(copy.u, parfor) == 0;
}

static void keep_what_pays(struct states *x, ir_stmt parfor, double others) {
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    struct pass_cx copy = pass_copy(x->p);
    double part = pass_weigh_spreading(&copy, parfor);
    bool keeps = part <= PASS_STATES_PERCENT / 100.0 && part < others && are_registers(&copy, parfor);
    unmark(x, keeps ? copy.u : NULL);
    base_scratch_end(x->u->cx, &scratch);
}

static void mark_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    uint64_t iterations;
    if (n.flags & IR_FLAG_LANES || pass_has_simd(u, n.parfor.body) || !pass_iterations(sc, parfor, &iterations) ||
        iterations > p->target->busy_invocations / 2 || pass_local_words(u, parfor) < PASS_SPREAD_LEAST_PASSES)
        return;
    struct states x = {.p = p, .u = u, .sc = sc};
    x.reads = base_alloc_array(u->cx, u->var_count, sizeof *x.reads);
    pass_count_reads(u, n.parfor.body, x.reads);
    uint32_t outside = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    double others = part_of_sharing(&x, parfor, iterations);
    mark(&x, n.parfor.body);
    pass_scope_leave(sc, outside);
    if (x.count) keep_what_pays(&x, parfor, others);
}

void pass_states(struct pass_cx *p) {
    struct pass_scope sc;
    if (p->target->subgroup_lanes < 2) return;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, mark_parfor, p);
}
