// What a grid kernel loads again of shared arrays: more than once each element a phase. Such loads go past the nearest
// cache (docs/memory-model.md), which in a dispatch of its own would answer most of them. `auto` weighs it against what
// the dispatches cost (run/auto/choice.h).
//
// Counted as the loads of neighbouring iterations, or lanes, meet the cache: neighbouring words together, one word for
// all once for so many, those a step apart by as much of whole sectors. Where the data say which row or element it is,
// no cache would have it, and it is not counted. An element that nobody knows is taken for a neighbour.
#include "compile/build.h"
#include "pass/cost.h"

enum {
    WORD = 4,          // bytes
    SECTOR = 32,       // bytes that a cache answers with, at least
    NEIGHBOURS = 32,   // invocations that load together
    DEPTH = 12,        // of expressions that are looked into
    UNKNOWN_TRIPS = 4, // guess: of a loop whose passes nobody knows
};

struct counter {
    const struct ir_unit *u;
    ir_expr *definition;     // by variable, as of ir_step
    ir_var neighbour;        // tells neighbours apart; 0: they load the same
    double times;            // that the statement is run in an iteration
    double *bytes;           // by array: of the phase's loads
    double again, phases;    // of all of them
    double weight, per_iter; // times of the phase; its iterations
    double dispatched;       // times that parts would dispatch the phase: what a branch does not take, too
    bool data;               // an index is loaded
    bool row;                // the load is of a row, which is loaded at once
};

// As ir_step, nearly: what wraps at an edge or stays at it grows as it does elsewhere, and an element that is the same
// for neighbours does not grow.
static bool near_step(const struct counter *x, ir_expr e, uint32_t depth, int64_t *step) {
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    int64_t a, b;
    if (depth == 0) return false;
    switch (n->op) {
    case IR_REM:
    case IR_I2U:
    case IR_U2I: return near_step(x, n->a, depth - 1, step);
    case IR_MIN:
    case IR_MAX:
    case IR_SELECT:
        if (!near_step(x, n->op == IR_SELECT ? n->c : n->a, depth - 1, &a) || !near_step(x, n->b, depth - 1, &b))
            return false;
        *step = a ? a : b;
        return true;
    case IR_ADD:
    case IR_SUB:
        if (!near_step(x, n->a, depth - 1, &a) || !near_step(x, n->b, depth - 1, &b)) return false;
        *step = n->op == IR_ADD ? a + b : a - b;
        return true;
    case IR_LOAD:
        *step = 0;
        for (uint32_t d = 0; d < n->n; d++)
            if (!near_step(x, u->args[n->b + d], depth - 1, &a) || a != 0) return false;
        return true;
    case IR_VAR:
        if (n->a != x->neighbour && u->vars[n->a].klass == IR_VAR_LOCAL)
            return x->definition[n->a] && near_step(x, x->definition[n->a], depth - 1, step);
        break;
    default: break;
    }
    return ir_step(u, e, x->neighbour, x->definition, step);
}

static bool on_index(void *user, ir_expr e) {
    struct counter *x = user;
    x->data |= x->u->nodes[e].op == IR_LOAD;
    return true;
}
static bool has_load(const struct ir_unit *u, ir_expr e) {
    struct counter x = {.u = u};
    ir_walk_expr(u, e, on_index, &x);
    return x.data;
}

static bool on_load(void *user, ir_expr e) {
    struct counter *x = user;
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a) || !u->arrays[n->a].shared) return true;
    double bytes = (double)WORD / NEIGHBOURS;
    for (uint32_t d = 0; d < n->n; d++) {
        int64_t step = 0;
        bool known = near_step(x, u->args[n->b + d], DEPTH, &step), last = d + 1 == n->n;
        if (!known && (!last || has_load(u, u->args[n->b + d]))) return true;
        if (known && step == 0) continue;
        double apart = known && !x->row ? WORD * (double)(step < 0 ? -step : step) : WORD;
        bytes = !last || apart > SECTOR ? SECTOR : apart > bytes ? apart : bytes;
    }
    x->bytes[n->a] += bytes * x->times * x->per_iter;
    return true;
}

static double size_of(const struct ir_unit *u, ir_array a) {
    double bytes = WORD;
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
        uint32_t length;
        if (!ir_is_const(u, u->arrays[a].dims[d], &length)) return 0;
        bytes *= length;
    }
    return bytes;
}

static double trips_of(const struct ir_unit *u, ir_stmt s) {
    uint64_t trips;
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_LOOP && n->loop.taken) return n->loop.taken;
    return ir_const_trips(u, s, &trips) ? (double)trips : UNKNOWN_TRIPS;
}

static void count_block(struct counter *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block, next; s; s = next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        double times = x->times;
        ir_var neighbour = x->neighbour;
        next = n->next;
        x->row = n->kind == IR_ASSIGN && n->flags & IR_FLAG_ROW;
        if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_load, x);
        if (n->kind == IR_IF) ir_walk_expr(u, n->branch.cond, on_load, x);
        if (n->kind == IR_STORE) ir_walk_expr(u, n->store.value, on_load, x);
        if (n->kind == IR_STAGE && u->arrays[n->stage.from].shared) // the lanes of the team have a word each
            x->bytes[n->stage.from] += size_of(u, n->stage.to) * x->times * x->per_iter / PASS_WORKGROUP;
        if (n->kind == IR_TURN && u->arrays[n->turn.from].shared)
            x->bytes[n->turn.from] += size_of(u, n->turn.to) * x->times * x->per_iter / PASS_WORKGROUP;
        if (n->kind == IR_FOR || n->kind == IR_LOOP) x->times *= trips_of(u, s);
        if (n->kind == IR_IF && n->branch.then_block && n->branch.else_block) x->times /= 2; // one side or the other
        if (n->kind == IR_FOR && n->flags & IR_FLAG_LANES) x->neighbour = n->counted.var;
        for (uint32_t i = 0; i < blocks; i++)
            count_block(x, inner[i]);
        x->times = times;
        x->neighbour = neighbour;
    }
}

// Tiles are in workgroup memory: what they hold is loaded once.
static void count_phase(struct counter *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t iterations;
    double weight = x->weight * compile_phase_chance(u, s);
    x->phases += x->dispatched;
    if (n->parfor.tile_rows || ir_next_neighbour(u, n->parfor.body) || !ir_const_iterations(u, s, &iterations)) return;
    for (ir_array a = 1; a < u->array_count; a++)
        x->bytes[a] = 0;
    bool lanes = n->flags & IR_FLAG_LANES;
    x->per_iter = (double)iterations;
    if (lanes && n->parfor.lane_var) x->per_iter *= n->parfor.lanes; // all of them run all of it
    x->neighbour = lanes ? n->parfor.lane_var : u->dims[n->parfor.dims + n->parfor.dim_count - 1].var;
    x->times = 1;
    count_block(x, n->parfor.body);
    for (ir_array a = 1; a < u->array_count; a++)
        if (x->bytes[a] > size_of(u, a)) x->again += weight * (x->bytes[a] - size_of(u, a));
}

static void count_entry(struct counter *x, ir_stmt block) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        double weight = x->weight, dispatched = x->dispatched;
        if (n->kind == IR_PARFOR) {
            count_phase(x, s);
            continue;
        }
        uint32_t blocks = ir_blocks_of(n, inner);
        double trips = n->kind == IR_FOR || n->kind == IR_LOOP ? trips_of(u, s) : 1;
        x->dispatched *= trips;
        for (uint32_t i = 0; i < blocks; i++) {
            double share = compile_block_share(u, s, i);
            x->weight = weight * trips * share;
            if (share > 0) count_entry(x, inner[i]);
        }
        x->weight = weight, x->dispatched = dispatched;
    }
}

uint64_t compile_bytes_again(struct base_cx *cx, const struct ir_unit *grid) {
    struct counter x = {.u = grid, .weight = 1, .dispatched = 1};
    x.definition = ir_definitions(grid, grid->root, false);
    x.bytes = base_alloc_array(cx, grid->array_count, sizeof *x.bytes);
    count_entry(&x, grid->root);
    double each = x.phases > 0 ? x.again / x.phases : 0;
    return each < 1e15 ? (uint64_t)each : (uint64_t)1e15;
}
