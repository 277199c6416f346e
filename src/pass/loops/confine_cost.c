// Whether a loop around parallel loops takes less time as one iteration, for confine.c.
//
// The law: a wait of the grid takes as long as some hundreds of operations of a workgroup's lanes, which bounds what
// parallel loops may have that lanes are to make in turn. Loads from elsewhere than workgroup memory, places in arrays
// of several dimensions, meetings and combined values are counted as so many operations.
#include "pass/loops/confine.h"

#include <math.h>

#include "pass/cost.h"

struct coster {
    struct ir_unit *u;
    struct pass_scope *sc;
    const bool *near;
    uint32_t arrays; // that `near` knows
    ir_stmt loop;    // that is weighed
    bool longest;    // loops that data end make all passes that they may
    double sum;      // of an expression
};

static bool on_operation(void *user, ir_expr e) {
    struct coster *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->sum += ir_cost(n);
    if (n->op == IR_LOAD && n->n > 1) x->sum += PASS_CONFINE_PLACE * (n->n - 1);
    if (n->op == IR_LOAD && ir_in_buffer(x->u, n->a) && !(n->a < x->arrays && x->near[n->a]))
        x->sum += PASS_CONFINE_FAR;
    return true;
}

// Of a statement of the block, in front of which the scope is.
static double passes_of(const struct coster *x, ir_stmt block, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t trips, most;
    if (n->kind != IR_FOR && n->kind != IR_LOOP) return 1;
    if (ir_const_trips(x->u, s, &trips)) return (double)trips;
    if (!x->longest || s == x->loop) return PASS_UNKNOWN_PASSES;
    if (n->kind == IR_LOOP) {
        most = pass_until_passes(x->sc, block, s);
    } else {
        uint32_t indexed = pass_most_indexed(x->u, n->counted.body, n->counted.var);
        most = pass_most_trips(x->sc, n->counted.lo, n->counted.hi, n->counted.step);
        if (indexed && indexed < most) most = indexed;
    }
    return most < PASS_CONFINE_LONGEST ? (double)most : PASS_CONFINE_LONGEST;
}

static double operations_of(struct coster *x, ir_stmt block);

// Of a lane that runs the statement; both ways of a branch, as some lanes take either.
static double operations_of_one(struct coster *x, ir_stmt block, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    bool loops = n->kind == IR_FOR || n->kind == IR_LOOP;
    ir_stmt inner[2];
    uint32_t blocks = ir_blocks_of(n, inner), mark = pass_scope_enter(x->sc);
    double inside = loops ? IR_COST_LOAD : 0, trips = passes_of(x, block, s);
    if (loops) pass_scope_loop(x->sc, s);
    for (uint32_t k = 0; k < blocks; k++)
        inside += operations_of(x, inner[k]);
    pass_scope_leave(x->sc, mark);
    x->sum = n->kind == IR_STORE ? IR_COST_LOAD : 0;
    if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_operation, x);
    if (n->kind == IR_STORE) ir_walk_expr(u, n->store.value, on_operation, x);
    if (n->kind == IR_IF) ir_walk_expr(u, n->branch.cond, on_operation, x);
    return x->sum + inside * trips;
}

static double operations_of(struct coster *x, ir_stmt block) {
    double sum = 0;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        sum += operations_of_one(x, block, s);
        if (x->u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, mark);
    return sum;
}

// The grid makes all iterations at once, as far as it has room, and then waits. Lanes make them in turn, and find out
// which one is theirs.
static struct pass_confine_cost cost_of_parallel(struct coster *x, ir_stmt parfor) {
    const struct ir_stmt_node *n = &x->u->stmts[parfor];
    uint64_t known;
    uint32_t mark = pass_scope_enter(x->sc);
    double most = (double)pass_most_iterations(x->sc, parfor);
    bool reduces = n->parfor.reduction_count != 0;
    pass_scope_parfor(x->sc, parfor);
    double each = operations_of(x, n->parfor.body);
    pass_scope_leave(x->sc, mark);
    if (!pass_iterations(x->sc, parfor, &known)) most /= 2; // as in a triangle
    double passes = ceil(most / PASS_WORKGROUP),
           place = PASS_CONFINE_PLACE * PASS_CONFINE_PLACES * (n->parfor.dim_count - 1);
    // Longer iterations lanes of the grid may share, too.
    double once = each < PASS_CONFINE_WAIT ? each : PASS_CONFINE_WAIT;
    return (struct pass_confine_cost){.waits = PASS_CONFINE_WAIT + (reduces ? PASS_CONFINE_REDUCTION : 0) + once,
                                      .shared = passes * (each + place) + PASS_CONFINE_MEET +
                                                (reduces ? PASS_CONFINE_COMBINE : 0)};
}

static bool stores_any(struct ir_unit *u, ir_stmt s) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    return ir_writes_arrays(&fx);
}

static void add_cost(struct pass_confine_cost *io, struct pass_confine_cost more, double times) {
    io->waits += more.waits * times;
    io->shared += more.shared * times;
    io->alone += more.alone * times;
}

// Of code around parallel loops. Others wait for what it stores between them, too.
static struct pass_confine_cost cost_of(struct coster *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    struct pass_confine_cost sum = {0};
    bool stored = false; // since the last parallel loop
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), around = pass_scope_enter(x->sc);
        bool parallel = n->kind == IR_PARFOR;
        for (uint32_t k = 0; k < blocks; k++)
            parallel |= pass_has_parallel(u, inner[k]);
        double trips = passes_of(x, block, s);
        if (parallel && (n->kind == IR_FOR || n->kind == IR_LOOP)) pass_scope_loop(x->sc, s);
        if (!parallel)
            sum.alone += operations_of_one(x, block, s);
        else if (n->kind == IR_PARFOR)
            add_cost(&sum, cost_of_parallel(x, s), 1);
        for (uint32_t k = 0; k < blocks && parallel && n->kind != IR_PARFOR; k++)
            add_cost(&sum, cost_of(x, inner[k]), trips);
        sum.waits += parallel && stored ? PASS_CONFINE_WAIT : 0;
        stored = !parallel && (stored || stores_any(u, s));
        pass_scope_leave(x->sc, around);
        if (n->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
    }
    pass_scope_leave(x->sc, mark);
    sum.waits += stored ? PASS_CONFINE_WAIT : 0;
    return sum;
}

struct pass_confine_cost pass_confine_weigh(struct ir_unit *u, ir_stmt loop, const bool *near, uint32_t arrays) {
    struct pass_scope sc;
    struct coster x = {.u = u, .sc = &sc, .near = near, .arrays = arrays, .loop = loop};
    pass_scope_init(&sc, u);
    struct pass_confine_cost cost = cost_of(&x, loop);
    x.longest = true;
    struct pass_confine_cost longest = cost_of(&x, loop);
    cost.longest = longest.shared + longest.alone;
    return cost;
}
