// Parallel loops of the interpreter, one iteration after the other, and reductions in the one order that ir.h writes
// down.
#include <string.h>

#include "ir/eval.h"
#include "ir/interp.h"

uint32_t ir_interp_fold(uint8_t op, enum ir_type type, uint32_t a, uint32_t b) {
    uint32_t result = 0;
    (void)ir_eval_op((enum ir_op)op, type, a, b, 0, &result); // no reduction divides
    return result;
}

static uint32_t combine(uint8_t op, enum ir_type type, const uint32_t *items, uint64_t n) {
    uint32_t lanes[IR_COMBINE_WIDTH];
    for (uint64_t l = 0; l < IR_COMBINE_WIDTH; l++) {
        lanes[l] = ir_identity(op, type);
        for (uint64_t i = l; i < n; i += IR_COMBINE_WIDTH)
            lanes[l] = ir_interp_fold(op, type, lanes[l], items[i]);
    }
    for (uint32_t s = IR_COMBINE_WIDTH / 2; s > 0; s /= 2)
        for (uint32_t l = 0; l < s; l++)
            lanes[l] = ir_interp_fold(op, type, lanes[l], lanes[l + s]);
    return lanes[0];
}

// Room for the values that a reduction folds. PARFOR and COMBINE do not nest, so there is one.
static uint32_t *partials_of(struct interp *in, uint64_t count) {
    if (count > in->partial_cap || !in->partials) {
        base_heap_free(in->partials);
        in->partials = NULL;
        in->partial_cap = 0;
        in->partials = ir_interp_alloc(in, count, sizeof *in->partials);
        in->partial_cap = count;
    }
    return in->partials;
}

// var = var OP items. `old` is the value before the loop.
static void finish_reduction(struct interp *in, uint8_t op, ir_var var, uint32_t old, const uint32_t *items,
                             uint64_t n) {
    enum ir_type type = (enum ir_type)in->u->vars[var].type;
    ir_interp_set_var(in, var, ir_interp_fold(op, type, old, combine(op, type, items, n)));
}

// How many of its elements or values it combines.
static uint32_t combined_count(struct interp *in, const struct ir_stmt_node *stmt) {
    uint32_t there = stmt->combine.there ? ir_interp_eval(in, stmt->combine.there) : stmt->combine.count;
    return there < stmt->combine.count ? there : stmt->combine.count;
}

static void combine_values(struct interp *in, const struct ir_stmt_node *stmt) {
    uint32_t count = combined_count(in, stmt), *items = partials_of(in, count);
    for (uint32_t i = 0; i < count; i++) {
        ir_interp_set_var(in, stmt->combine.index, i);
        items[i] = ir_interp_eval(in, stmt->combine.value);
    }
    in->vars[stmt->combine.index].set_in = 0;
    finish_reduction(in, (uint8_t)stmt->combine.op, stmt->combine.var, ir_interp_var(in, stmt->combine.var, stmt->loc),
                     items, count);
}

void ir_interp_combine(struct interp *in, const struct ir_stmt_node *stmt) {
    if (!stmt->combine.array) {
        combine_values(in, stmt);
        return;
    }
    const struct memory *m = &in->arrays[stmt->combine.array];
    uint32_t first = stmt->combine.from ? ir_interp_eval(in, stmt->combine.from) : 0;
    if (first > m->count || stmt->combine.count > m->count - first)
        ir_interp_fail(in, WHORL_SOURCE, stmt->loc, "%u elements of %s.%u are combined, it has %llu",
                       stmt->combine.count, in->u->arrays[stmt->combine.array].name, stmt->combine.array,
                       (unsigned long long)m->count);
    uint32_t count = combined_count(in, stmt), *items = partials_of(in, count);
    for (uint32_t i = 0; i < count; i++) {
        ir_interp_tell(in, IR_EVENT_READ, in->at, stmt->combine.array, first + i);
        items[i] = ir_interp_load(m, first + i);
    }
    finish_reduction(in, (uint8_t)stmt->combine.op, stmt->combine.var, ir_interp_var(in, stmt->combine.var, stmt->loc),
                     items, count);
}

uint64_t ir_interp_trips(const struct ir_unit *u, ir_var var, uint32_t lo, uint32_t hi, int32_t step) {
    bool is_signed = u->vars[var].type == IR_I32;
    int64_t from = is_signed ? (int64_t)(int32_t)lo : (int64_t)lo, to = is_signed ? (int64_t)(int32_t)hi : (int64_t)hi;
    int64_t span = step > 0 ? to - from : from - to, stride = step > 0 ? step : -(int64_t)step;
    return span > 0 ? (uint64_t)((span + stride - 1) / stride) : 0;
}

struct space {
    uint64_t total, trips[IR_MAX_DIMS];
    uint32_t lo[IR_MAX_DIMS];
};

static struct space space_of(struct interp *in, const struct ir_stmt_node *stmt) {
    struct space space = {.total = 1};
    if (stmt->parfor.dim_count > IR_MAX_DIMS)
        ir_interp_fail(in, WHORL_INTERNAL, stmt->loc, "a parallel loop of %u dimensions",
                       (unsigned)stmt->parfor.dim_count);
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++) {
        const struct ir_dim *dim = &in->u->dims[stmt->parfor.dims + i];
        space.lo[i] = ir_interp_eval(in, dim->lo);
        space.trips[i] = ir_interp_trips(in->u, dim->var, space.lo[i], ir_interp_eval(in, dim->hi), dim->step);
        if (space.trips[i] && space.total > UINT64_MAX / space.trips[i])
            ir_interp_fail(in, WHORL_LIMIT, stmt->loc, "a parallel loop has more than 2^64 iterations");
        space.total *= space.trips[i];
    }
    return space;
}

// A team whose lanes know values of each other: all come to the same NEIGHBOUR, each with its own variables.
static void run_team(struct interp *in, const struct ir_stmt_node *stmt) {
    const struct ir_unit *u = in->u;
    uint32_t lanes = stmt->parfor.lanes, *values = partials_of(in, lanes);
    if (!in->team_vars) in->team_vars = ir_interp_alloc(in, (uint64_t)lanes * u->var_count, sizeof *in->team_vars);
    in->iteration = ++in->last_iteration;
    in->entry_vars = in->vars;
    for (uint32_t lane = 0; lane < lanes; lane++)
        memcpy(in->team_vars + (size_t)lane * u->var_count, in->entry_vars, u->var_count * sizeof *in->vars);
    for (ir_stmt from = stmt->parfor.body, to; from; from = to ? u->stmts[to].next : 0) {
        to = ir_next_neighbour(u, from);
        for (uint32_t lane = 0; lane < lanes; lane++) {
            in->vars = in->team_vars + (size_t)lane * u->var_count;
            ir_interp_set_var(in, stmt->parfor.lane_var, lane);
            ir_interp_block(in, from); // up to `to`
            if (to) values[lane] = ir_interp_eval(in, u->stmts[to].neighbour.value);
        }
        for (uint32_t lane = 0; to && lane < lanes; lane++) {
            int64_t other = (int64_t)lane + u->stmts[to].neighbour.by;
            in->vars = in->team_vars + (size_t)lane * u->var_count;
            ir_interp_set_var(in, u->stmts[to].neighbour.var,
                              values[other < 0        ? 0
                                     : other >= lanes ? (int64_t)lanes - 1
                                                      : other]);
        }
    }
    in->vars = in->entry_vars;
}

static void run_iteration(struct interp *in, const struct ir_stmt_node *stmt, const struct space *space,
                          uint64_t index) {
    const struct ir_unit *u = in->u;
    for (uint32_t i = stmt->parfor.dim_count; i-- > 0;) {
        const struct ir_dim *dim = &u->dims[stmt->parfor.dims + i];
        ir_interp_set_var(in, dim->var, space->lo[i] + (uint32_t)(index % space->trips[i]) * (uint32_t)dim->step);
        index /= space->trips[i];
    }
    const uint32_t *locals = in->local_lists + in->local_at[stmt - u->stmts];
    if (ir_next_neighbour(u, stmt->parfor.body)) {
        run_team(in, stmt);
        return;
    }
    // lanes of a team one after the other: nothing that one of them stores is read by another
    for (uint32_t lane = 0; lane < (stmt->flags & IR_FLAG_TEAM ? stmt->parfor.lanes : 1); lane++) {
        if (stmt->flags & IR_FLAG_TEAM) ir_interp_set_var(in, stmt->parfor.lane_var, lane);
        for (uint32_t i = 1; i <= locals[0]; i++) {
            struct memory *m = &in->arrays[locals[i]];
            memset(m->bytes, 0, (size_t)m->count * whorl_dtype_size((enum whorl_dtype)m->elem));
        }
        in->iteration = ++in->last_iteration;
        if (in->races) in->races->iterations++;
        ir_interp_block(in, stmt->parfor.body);
    }
}

static uint32_t identity_of(const struct ir_unit *u, const struct ir_reduction *reduction) {
    return ir_identity(reduction->op, (enum ir_type)u->vars[reduction->var].type);
}

// The partials of one reduction stand together, after the values that the variables had: old[c], then
// partials[c][blocks].
void ir_interp_parfor(struct interp *in, ir_stmt s) {
    const struct ir_unit *u = in->u;
    const struct ir_stmt_node *stmt = &u->stmts[s];
    const struct ir_reduction *reductions = &u->reductions[stmt->parfor.reductions];
    struct space space = space_of(in, stmt);
    uint64_t entry_iteration = in->iteration;
    uint32_t blocks = stmt->parfor.reduction_count ? ir_reduce_blocks(space.total, stmt->flags) : space.total > 0;
    uint64_t q = blocks ? (space.total + blocks - 1) / blocks : 0;
    ir_interp_begin_parfor(in, s, space.lo, space.trips, space.total);
    uint32_t *old = partials_of(in, stmt->parfor.reduction_count + (uint64_t)stmt->parfor.reduction_count * blocks),
             *partials = old + stmt->parfor.reduction_count;
    for (uint32_t r = 0; r < stmt->parfor.reduction_count; r++)
        old[r] = ir_interp_var(in, reductions[r].var, stmt->loc);
    for (uint32_t b = 0; b < blocks; b++) {
        for (uint32_t r = 0; r < stmt->parfor.reduction_count; r++)
            ir_interp_set_var(in, reductions[r].var, identity_of(u, &reductions[r]));
        uint64_t first = b * q, end = first + q < space.total ? first + q : space.total;
        for (uint64_t i = first; i < end; i++) {
            uint64_t number = in->backwards ? first + end - 1 - i : i;
            in->at = s;
            ir_interp_step(in);
            ir_interp_tell(in, IR_EVENT_ITERATION, s, 0, number);
            run_iteration(in, stmt, &space, number);
        }
        for (uint32_t r = 0; r < stmt->parfor.reduction_count; r++)
            partials[(uint64_t)r * blocks + b] = in->vars[reductions[r].var].bits;
    }
    in->iteration = entry_iteration;
    ir_interp_end_parfor(in);
    ir_interp_tell(in, IR_EVENT_END, s, 0, 0);
    in->at = s;
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++)
        in->vars[u->dims[stmt->parfor.dims + i].var].set_in = 0;
    for (uint32_t r = 0; r < stmt->parfor.reduction_count; r++)
        finish_reduction(in, reductions[r].op, reductions[r].var, old[r], partials + (uint64_t)r * blocks, blocks);
    ir_interp_after_parfor(in);
}
