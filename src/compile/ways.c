// Iterations that go ways of their own: playouts, searches, parsers, queues. Invocations of a subgroup go on together:
// where loops end when each one's data say so, they wait for each other, pass by pass. Where iterations are so few that
// a subgroup each has room on the device, each is given one.
//
// What that costs is what neighbours have of each other while they stay together: a load of the same place of their
// local arrays (which lie side by side in memory), or of neighbouring words, is one for all of them. So the accesses of
// an iteration are counted, as often as loops make them: those that neighbours make together, and those of places that
// only data tell, in loops that data end, which no neighbours have together anyway. The latter have to be more.
// Branches alone, and loops of different lengths that count, part neighbours too little. Measured:
// bench/results/experiments-nvidia-h100-2026-11-28-ways.txt.
#include "compile/build.h"
#include "pass/cost.h"

enum {
    DEPTH = 16,  // of definitions in each other
    UNKNOWN = 1, // of ways.seen
    KNOWN = 2,
    SUBGROUP = 32, // guess: where its size is not known
};

struct ways {
    const struct ir_unit *u;
    ir_expr *definition; // by variable: of a LOCAL with one, of a counter where it begins; 0: several, or none
    bool *counts;        // by variable: a FOR counts it
    uint8_t *seen;       // by variable: whether its definition is known; 0: nobody asked yet
    ir_var neighbour;
    double times;
    bool parted;            // neighbours may be elsewhere: data end a loop around
    double together, apart; // accesses; `apart` where neighbours are parted
    bool knows;             // of the expression at hand: it is the same for all, or grows with the iteration's number
    uint32_t depth;
    bool shares; // all of a workgroup have a part in the iterations
};

static bool is_known(struct ways *x, ir_expr e);

static bool on_leaf(void *user, ir_expr e) {
    struct ways *x = user;
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) x->knows = false;
    if (x->knows && n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_LOCAL && !x->counts[n->a]) {
        if (!x->seen[n->a]) x->seen[n->a] = x->definition[n->a] && is_known(x, x->definition[n->a]) ? KNOWN : UNKNOWN;
        x->knows = x->seen[n->a] == KNOWN;
    }
    return x->knows;
}

// No data are in it: neighbours that stay together have the same value, or values side by side.
static bool is_known(struct ways *x, ir_expr e) {
    bool outer = x->knows;
    if (x->depth == DEPTH) return false;
    x->depth++, x->knows = true;
    ir_walk_expr(x->u, e, on_leaf, x);
    bool found = x->knows;
    x->depth--, x->knows = outer;
    return found;
}

static void count_access(struct ways *x, ir_array a, uint32_t first, uint32_t count) {
    const struct ir_unit *u = x->u;
    bool side_by_side = true;
    for (uint32_t d = 0; d < count; d++) {
        int64_t step = 0;
        if (!is_known(x, u->args[first + d])) {
            x->apart += x->parted ? x->times : 0;
            return;
        }
        bool steps = ir_step(u, u->args[first + d], x->neighbour, x->definition, &step);
        side_by_side &= steps && (step == 0 || (d + 1 == count && step >= -1 && step <= 1));
    }
    if (u->arrays[a].klass == IR_ARRAY_LOCAL || side_by_side) x->together += x->times;
}

static bool on_load(void *user, ir_expr e) {
    struct ways *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) count_access(x, n->a, n->b, n->n);
    return true;
}

static void look(struct ways *x, ir_expr e) {
    if (e) ir_walk_expr(x->u, e, on_load, x);
}

static void walk(struct ways *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool parted = x->parted;
        double times = x->times;
        uint64_t trips = PASS_UNKNOWN_TRIPS;
        ir_stmt inner[2];
        switch (n->kind) {
        case IR_ASSIGN: look(x, n->assign.value); break;
        case IR_STORE:
            count_access(x, n->store.array, n->store.indices, n->store.index_count);
            look(x, n->store.value);
            break;
        case IR_IF: look(x, n->branch.cond); break;
        case IR_FOR: ir_const_trips(u, s, &trips); break;
        case IR_LOOP:
            x->parted |= !is_known(x, n->loop.cond);
            x->times *= PASS_UNKNOWN_TRIPS;
            look(x, n->loop.cond);
            break;
        default: break;
        }
        if (n->kind == IR_FOR) x->times *= (double)trips;
        for (uint32_t i = ir_blocks_of(n, inner); i-- > 0;)
            walk(x, inner[i]);
        x->parted = parted, x->times = times;
    }
}

static bool on_counter(void *user, ir_stmt s) {
    struct ways *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR) x->counts[n->counted.var] = true;
    return true;
}

// Copies of what neighbours read, or of their rows, are made by all of a workgroup.
static bool on_team(void *user, ir_stmt s) {
    struct ways *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->shares |= n->kind == IR_STAGE || n->kind == IR_TURN || (n->kind == IR_FOR && n->flags & IR_FLAG_LANES);
    return !x->shares;
}

static bool go_apart(const struct ir_unit *u, ir_stmt parfor) {
    const struct ir_stmt_node *n = &u->stmts[parfor];
    struct ways x = {.u = u, .times = 1};
    ir_walk_stmts(u, n->parfor.body, on_team, &x);
    if (x.shares || n->parfor.tile_rows || ir_next_neighbour(u, n->parfor.body)) return false;
    x.definition = ir_definitions(u, n->parfor.body, true);
    x.counts = base_alloc_array(u->cx, u->var_count, sizeof *x.counts);
    x.seen = base_alloc_array(u->cx, u->var_count, sizeof *x.seen);
    x.neighbour = u->dims[n->parfor.dims + n->parfor.dim_count - 1].var;
    ir_walk_stmts(u, n->parfor.body, on_counter, &x);
    walk(&x, n->parfor.body);
    return x.apart > x.together;
}

uint32_t compile_ways(const struct ir_unit *u, ir_stmt parfor, uint64_t iterations, const struct plan_target *target) {
    uint32_t subgroup = target->subgroup_lanes > 1 ? target->subgroup_lanes : SUBGROUP, lanes = 1;
    uint32_t room = target->busy_invocations / subgroup;
    if (target->busy_invocations < PASS_GPU_INVOCATIONS || iterations == 0) return 0;
    while (lanes < subgroup && iterations > (uint64_t)room * lanes)
        lanes *= 2;
    return lanes < subgroup && go_apart(u, parfor) ? lanes : 0;
}
