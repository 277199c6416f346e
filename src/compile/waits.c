// What a grid kernel waits for because it is one: loads of arrays that workgroups share go past the nearest cache
// (docs/memory-model.md), so each is a wait for memory that a dispatch of its own would mostly not have. `auto` weighs
// them against what the dispatches cost (run/auto/choice.h).
//
// Counted is what one invocation of a busy device waits for, one after the other, in a phase. The one hard idea: an
// expression has a time at which it is known, in waits. Loads that do not need each other wait together, one that needs
// another waits after it; the passes of a loop follow each other, and so do the rounds in which a device goes through
// more iterations than keep it busy. A load waits for what was stored into its array before, since invocations begin
// their work in order and nothing tells that it is another element. What is written once more in a pass or a branch is
// taken as it was first. Sequential code of the entry level is run by all invocations at once: it counts as it stands.
#include <math.h>

#include "compile/build.h"
#include "pass/cost.h"

struct waiter {
    const struct ir_unit *u;
    double busy;       // invocations that keep the device busy
    double *known;     // by variable: when its value is there
    double *mean;      // by variable: its value, on average; NaN: unknown
    double *stored;    // by array: when what was stored there last was known, in front of which no load of it is made
    double now;        // when control is where it is
    double latest;     // of all that was asked for
    double lanes;      // that share out a loop's passes
    double weight;     // of the entry level: times that it is run
    double dispatched; // ... and that parts would dispatch it: what a branch does not take, too
    double waits, phases;
    uint32_t steps; // left, in nodes looked at: parts of an expression may be the same
};

static double later(double a, double b) { return a > b ? a : b; }

// ---- expressions ----------------------------------------------------------------------------------------------------

static double known_at(struct waiter *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    double at = x->now, outer = x->now;
    if (e == 0 || !x->steps) return at;
    x->steps--;
    if (n->op == IR_VAR) return later(at, x->known[n->a]);
    if (n->op == IR_LOAD) {
        for (uint32_t d = 0; d < n->n; d++)
            at = later(at, known_at(x, x->u->args[n->b + d]));
        return ir_in_buffer(x->u, n->a) && x->u->arrays[n->a].shared ? later(at, x->stored[n->a]) + 1 : at;
    }
    if (n->op == IR_LAND || n->op == IR_LOR) { // the second operand waits for the first
        x->now = known_at(x, n->a);
        at = known_at(x, n->b);
        x->now = outer;
        return at;
    }
    const ir_expr operands[] = {n->a, n->b, n->c};
    for (uint32_t i = 0; i < ir_ops[n->op].arity; i++)
        at = later(at, known_at(x, operands[i]));
    return at;
}

static void ask(struct waiter *x, ir_expr e) { x->latest = later(x->latest, known_at(x, e)); }

static void ask_indices(struct waiter *x, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; i++)
        ask(x, x->u->args[i]);
}

// The arithmetic of bounds.
static double mean_of(struct waiter *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    if (!x->steps) return (double)NAN;
    x->steps--;
    if (n->op == IR_VAR) return x->mean[n->a];
    if (n->op == IR_I2U || n->op == IR_U2I) return mean_of(x, n->a);
    if (n->op == IR_CONST && n->type == IR_I32) return (double)(int32_t)n->a;
    if (n->op == IR_CONST && n->type == IR_U32) return (double)n->a;
    if (n->op == IR_SELECT) {
        double first = mean_of(x, n->a);
        return isnan(first) ? (double)NAN : mean_of(x, first != 0 ? n->b : n->c);
    }
    if (n->op == IR_LOAD || ir_ops[n->op].arity != 2) return (double)NAN;
    double a = mean_of(x, n->a), b = mean_of(x, n->b);
    if (isnan(a) || isnan(b)) return (double)NAN;
    switch (n->op) {
    case IR_LT: return a < b;
    case IR_LE: return a <= b;
    case IR_GT: return a > b;
    case IR_GE: return a >= b;
    case IR_ADD: return a + b;
    case IR_SUB: return a - b;
    case IR_MUL: return a * b;
    case IR_DIV: return b == 0 ? (double)NAN : trunc(a / b);
    case IR_REM: return b == 0 ? (double)NAN : fmod(a, b);
    case IR_MIN: return fmin(a, b);
    case IR_MAX: return fmax(a, b);
    default: return (double)NAN;
    }
}

static double middle(struct waiter *x, ir_expr lo, ir_expr hi) { return (mean_of(x, lo) + mean_of(x, hi)) / 2; }

static double trips_of(struct waiter *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_LOOP && n->loop.taken) return n->loop.taken;
    if (n->kind == IR_LOOP) return PASS_UNKNOWN_TRIPS;
    double passes = ceil((mean_of(x, n->counted.hi) - mean_of(x, n->counted.lo)) / n->counted.step);
    passes = isnan(passes) ? PASS_UNKNOWN_TRIPS : later(passes, 0);
    return n->flags & IR_FLAG_LANES ? ceil(passes / x->lanes) : passes;
}

// ---- statements -----------------------------------------------------------------------------------------------------

static void walk(struct waiter *x, ir_stmt block);

// What a pass asked for is there before the next one begins.
static void walk_loop(struct waiter *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    double trips = trips_of(x, s), outer = x->latest, from;
    if (n->kind == IR_FOR) {
        x->now = later(known_at(x, n->counted.lo), known_at(x, n->counted.hi));
        x->known[n->counted.var] = x->now;
        x->mean[n->counted.var] = middle(x, n->counted.lo, n->counted.hi);
        from = x->latest = x->now;
        walk(x, n->counted.body);
    } else {
        from = x->latest = x->now;
        x->now = known_at(x, n->loop.cond);
        walk(x, n->loop.body);
        walk(x, n->loop.continuing);
    }
    x->now = from + (x->latest - from) * trips;
    x->latest = later(outer, x->now);
}

static void walk_if(struct waiter *x, const struct ir_stmt_node *n) {
    double from = x->now = known_at(x, n->branch.cond);
    walk(x, n->branch.then_block);
    double end = x->now;
    x->now = from;
    walk(x, n->branch.else_block);
    x->now = later(x->now, end);
}

static void walk_one(struct waiter *x, ir_stmt s) {
    enum { FOLDED_AT_ONCE = 8 }; // law: loads that wgsl_combine makes together
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    switch (n->kind) {
    case IR_ASSIGN:
        x->known[n->assign.var] = known_at(x, n->assign.value);
        x->mean[n->assign.var] = mean_of(x, n->assign.value);
        break;
    case IR_STORE:
        ask_indices(x, n->store.indices, n->store.index_count);
        ask(x, n->store.value);
        x->stored[n->store.array] = later(x->stored[n->store.array], known_at(x, n->store.value));
        break;
    case IR_ATOMIC: // it goes to the same place in a dispatch of its own
        ask_indices(x, n->atomic.indices, n->atomic.index_count);
        ask(x, n->atomic.value);
        if (n->atomic.old) x->known[n->atomic.old] = x->latest;
        break;
    case IR_IF: walk_if(x, n); break;
    case IR_FOR:
    case IR_LOOP: walk_loop(x, s); break;
    case IR_STAGE: // all words of a copy are loaded together (print/emit_stage.c)
        if (u->arrays[n->stage.from].shared) x->now += 1;
        break;
    case IR_TURN:
        if (u->arrays[n->turn.from].shared) x->now += 1;
        break;
    case IR_COMBINE:
        if (n->combine.array)
            x->known[n->combine.var] = x->now + ceil((double)n->combine.count / IR_COMBINE_WIDTH / FOLDED_AT_ONCE);
        break;
    default: break;
    }
    ir_var v = ir_written_var(n);
    x->latest = later(x->latest, v ? later(x->known[v], x->now) : x->now);
}

static void walk(struct waiter *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next)
        walk_one(x, s);
}

// ---- the entry level ------------------------------------------------------------------------------------------------

static void walk_phase(struct waiter *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    double from = x->now, lanes = n->flags & IR_FLAG_LANES ? n->parfor.lanes : 1, rounds = 1;
    uint64_t iterations;
    x->phases += x->dispatched;
    if (n->parfor.tile_rows || ir_next_neighbour(x->u, n->parfor.body))
        return; // each word is copied into workgroup memory once
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        x->mean[dim->var] = middle(x, dim->lo, dim->hi);
    }
    if (ir_const_iterations(x->u, s, &iterations)) rounds = later((double)iterations * lanes / x->busy, 1);
    x->lanes = n->parfor.lane_var ? 1 : lanes; // there each lane's passes are its own already
    walk(x, n->parfor.body);
    x->lanes = 1;
    for (ir_array a = 1; a < x->u->array_count; a++)
        x->stored[a] = from;
    x->waits += x->weight * compile_phase_chance(x->u, s) * (x->latest - from) * rounds;
    x->now = x->latest = from;
}

static bool has_phases(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        ir_stmt inner[2];
        if (u->stmts[s].kind == IR_PARFOR) return true;
        for (uint32_t i = ir_blocks_of(&u->stmts[s], inner); i-- > 0;)
            if (has_phases(u, inner[i])) return true;
    }
    return false;
}

static void walk_entry(struct waiter *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        double weight = x->weight, dispatched = x->dispatched, from = x->now = x->latest;
        bool around = blocks && (has_phases(x->u, inner[0]) || (blocks > 1 && has_phases(x->u, inner[1])));
        if (n->kind == IR_PARFOR) {
            walk_phase(x, s);
        } else if (!around) {
            walk_one(x, s);
            x->waits += weight * (x->latest - from);
        } else {
            if (n->kind == IR_FOR) x->mean[n->counted.var] = middle(x, n->counted.lo, n->counted.hi);
            double trips = n->kind == IR_FOR || n->kind == IR_LOOP ? trips_of(x, s) : 1;
            x->dispatched *= trips;
            for (uint32_t i = 0; i < blocks; i++) {
                double share = compile_block_share(x->u, s, i);
                x->weight = weight * trips * share;
                if (share > 0) walk_entry(x, inner[i]);
            }
            x->weight = weight, x->dispatched = dispatched;
        }
    }
}

uint64_t compile_waits(struct base_cx *cx, const struct ir_unit *grid, uint32_t busy) {
    enum { STEPS = 1 << 20 }; // guess: milliseconds
    struct waiter x = {.u = grid, .busy = busy, .lanes = 1, .weight = 1, .dispatched = 1, .steps = STEPS};
    x.known = base_alloc_array(cx, grid->var_count, sizeof *x.known);
    x.mean = base_alloc_array(cx, grid->var_count, sizeof *x.mean);
    x.stored = base_alloc_array(cx, grid->array_count, sizeof *x.stored);
    for (ir_var v = 0; v < grid->var_count; v++)
        x.mean[v] = (double)NAN;
    walk_entry(&x, grid->root);
    double each = x.phases > 0 ? x.waits / x.phases : 0;
    return each < 1e15 ? (uint64_t)each : (uint64_t)1e15;
}
