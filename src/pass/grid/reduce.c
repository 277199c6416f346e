// A reduction over a parallel loop becomes: a parallel loop over blocks, each of which folds its share of the
// iterations into one partial; then COMBINE, which folds the partials in a fixed tree. How they are shared out depends
// on the loop, its iteration count and the target alone, and so do the bits.
//
// Two shapes. *Rows*: a block is a contiguous range that the lanes of a workgroup walk side by side, 256 iterations at
// a time; what they found is folded in the workgroup's memory. So neighbouring lanes read neighbouring words, and
// COMBINE has few partials. *Columns*: a block is one invocation, which takes every count-th iteration; for iterations
// that are long (a lane can stop inside such a one), for few of them, and for what lanes cannot do together.
//
// Many iterations with loops that lanes share (`omp simd`: the rows of a matrix) are two loops instead: each iteration
// leaves its value in an array, so that lanes may have it, and what is in the array is reduced as above.
#include "pass/cost.h"
#include "pass/passes.h"

enum {
    ROW = IR_COMBINE_WIDTH, // iterations side by side
    MOST_ROW_SUMS = IR_LANES_BYTES / (4 * ROW),
};

struct reducer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc; // of the loops around
    uint32_t count;
    bool *sums;        // by array: reduced as a whole
    const bool *likes; // by statement: have_likes
    uint32_t stmt_cap; // of these
};

// ---- shapes ---------------------------------------------------------------------------------------------------------

struct shape {
    bool rows;
    uint32_t count; // blocks, at most
    ir_expr there;  // of these, the ones that have iterations, if the scalars of the run tell; else 0: all run
    ir_expr each;   // rows: iterations of a block,
    bool full;      // and all blocks have so many
    ir_expr total;
    bool alone;    // columns: a block has one iteration,
    bool one;      // or one at most;
    bool apart;    // there are so many that their values are reduced by another loop
    bool has_room; // a counter may go past `total` by a block
};

// Lanes of a workgroup may share the iterations out: these are short, and none waits for another's update.
static bool fits_rows(const struct ir_unit *u, const struct ir_stmt_node *n) {
    if (pass_has_updates(u, n->parfor.body) || (n->flags & (IR_FLAG_LONG | IR_FLAG_LANES)) ||
        n->parfor.reduction_count > MOST_ROW_SUMS)
        return false;
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
        if (u->vars[u->reductions[n->parfor.reductions + k].var].type == IR_BOOL) return false;
    return true;
}

static ir_expr times(struct ir_unit *u, ir_expr e, uint32_t factor) {
    return ir_op2(u, IR_MUL, e, ir_const_i32(u, (int32_t)factor), 0);
}
static uint64_t over(uint64_t a, uint64_t b) { return (a + b - 1) / b; }
// a >= 0, and a + b - 1 may be more than an int holds. The host computes it, too: it knows no selection.
static ir_expr over_const(struct ir_unit *u, ir_expr a, uint32_t b) {
    ir_expr by = ir_const_i32(u, (int32_t)b), rest = ir_op2(u, IR_REM, a, by, 0);
    return ir_op2(u, IR_ADD, ir_op2(u, IR_DIV, a, by, 0), ir_op2(u, IR_MIN, rest, ir_const_i32(u, 1), 0), 0);
}

struct rows {
    const struct ir_unit *u;
    bool found;
};
// An `omp simd` loop that is long enough for lanes, or of unknown length.
static bool on_row(void *user, ir_stmt s) {
    struct rows *x = user;
    uint64_t trips;
    x->found |= x->u->stmts[s].kind == IR_FOR && (x->u->stmts[s].flags & IR_FLAG_SIMD) &&
                (!ir_const_trips(x->u, s, &trips) || trips >= PASS_LANES_LEAST_PASSES);
    return true;
}
static bool has_rows(const struct ir_unit *u, ir_stmt block) {
    struct rows rows = {u, false};
    ir_walk_stmts(u, block, on_row, &rows);
    return rows.found;
}

static struct shape shape_of(const struct reducer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t known = 0;
    bool constant = pass_iterations(&x->sc, s, &known) && known <= INT32_MAX;
    uint64_t most = constant ? known : pass_most_iterations(&x->sc, s);
    uint32_t columns = ir_reduce_blocks(most, n->flags);
    uint32_t sums = pass_sums_blocks(u, s, most);
    if (sums && sums < columns) columns = sums;
    struct shape out = {.count = columns ? columns : 1, .has_room = most <= INT32_MAX / 2};
    out.total = constant ? ir_const_i32(u, (int32_t)known) : ir_const_i32(u, 1);
    for (uint32_t k = 0; k < n->parfor.dim_count && !constant; k++)
        out.total = ir_op2(u, IR_MUL, out.total, pass_block_trips(&x->sc, &u->dims[n->parfor.dims + k]), n->loc);
    out.apart = !sums && constant && known > ir_reduce_blocks(known, 0) && known <= PASS_MOST_LANED &&
                has_rows(u, n->parfor.body) && x->p->target->busy_invocations >= PASS_GPU_INVOCATIONS;
    if (out.apart) out.count = (uint32_t)known;
    out.alone = constant && known == out.count;
    out.one = !out.alone && most <= out.count;
    out.rows = most > out.count && x->p->target->busy_invocations >= PASS_GPU_INVOCATIONS && fits_rows(u, n);
    bool told = !constant && pass_is_of_run(u, out.total);
    if (told) out.there = ir_op2(u, IR_MIN, out.total, ir_const_i32(u, (int32_t)out.count), 0);
    if (!out.rows) return out;
    uint64_t rows = over(most, ROW), some = over(rows, PASS_REDUCE_MOST_ROWS);
    out.count = (uint32_t)over(rows, some);
    out.each = ir_const_i32(u, (int32_t)some * ROW);
    out.full = constant && known % (some * ROW) == 0;
    if (constant) return out;
    if (rows > PASS_REDUCE_MOST_ROWS) out.count = PASS_REDUCE_MOST_ROWS; // as few rows a block as the iterations allow
    ir_expr all = over_const(u, out.total, ROW), one = ir_const_i32(u, 1),
            each = ir_op2(u, IR_MAX, over_const(u, all, PASS_REDUCE_MOST_ROWS), one, 0);
    out.each = times(u, each, ROW);
    if (told) out.there = ir_op2(u, IR_DIV, ir_op2(u, IR_ADD, all, ir_op2(u, IR_SUB, each, one, 0), 0), each, 0);
    return out;
}

// ---- the loop as blocks ---------------------------------------------------------------------------------------------

// The iterations of a block. Where all blocks have equally many, or the counter of a loop with a large step could pass
// the end of an int, the loop counts its own passes; elsewhere it counts the index, whose range then is plain to see.
static ir_stmt walk(const struct reducer *x, const struct shape *shape, const struct ir_stmt_node *n, ir_var block,
                    ir_var index, ir_stmt body, const struct ir_reduction *own) {
    struct ir_unit *u = x->u;
    base_loc loc = n->loc;
    ir_expr number = ir_var_read(u, block, loc), zero = ir_const_i32(u, 0);
    if (shape->alone || shape->one) {
        ir_stmt out = ir_assign(u, index, number, loc);
        ir_append(u, &out, body);
        return shape->alone || shape->there ? out : ir_if(u, ir_op2(u, IR_LT, number, shape->total, loc), out, 0, loc);
    }
    ir_var counter = index;
    bool counts = !shape->has_room || (shape->rows && shape->full);
    if (counts) {
        counter = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, loc);
        ir_expr pass = ir_var_read(u, counter, loc),
                at = shape->rows ? ir_op2(u, IR_ADD, ir_op2(u, IR_MUL, number, shape->each, loc), pass, loc)
                                 : ir_op2(u, IR_ADD, number, times(u, pass, shape->count), loc);
        ir_stmt all = ir_assign(u, index, at, loc);
        ir_append(u, &all, body);
        body = all;
    }
    if (!shape->rows && shape->has_room)
        return ir_for(u, index, number, shape->total, (int32_t)shape->count, body, loc);
    if (!shape->rows) {
        ir_expr count = ir_const_i32(u, (int32_t)shape->count), rest = ir_op2(u, IR_REM, shape->total, count, loc),
                passes = ir_op2(
                    u, IR_ADD, ir_op2(u, IR_DIV, shape->total, count, loc),
                    ir_op3(u, IR_SELECT, ir_op2(u, IR_LT, number, rest, loc), ir_const_i32(u, 1), zero, loc), loc);
        return ir_for(u, counter, zero, passes, 1, body, loc);
    }
    ir_expr first = ir_op2(u, IR_MUL, number, shape->each, loc), last = ir_op2(u, IR_ADD, first, shape->each, loc);
    if (!shape->full) last = ir_op2(u, IR_MIN, last, shape->total, loc);
    ir_expr length = ir_op2(u, IR_MIN, ir_op2(u, IR_SUB, shape->total, first, loc), shape->each, loc);
    if (shape->full) length = shape->each;
    ir_stmt out = counts ? ir_for(u, counter, zero, length, 1, body, loc) : ir_for(u, index, first, last, 1, body, loc);
    struct ir_effects fx = ir_effects_of(u, body);
    struct ir_reduction list[MOST_ROW_SUMS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
        if (ir_bit(fx.vars_written, own[k].var)) list[count++] = own[k]; // what nobody updates is a constant
    u->stmts[out].flags |= IR_FLAG_LANES;
    u->stmts[out].counted.reductions = ir_add_reductions(u, list, count);
    u->stmts[out].counted.reduction_count = count;
    return out;
}

// What the blocks leave of a reduction, and what is made of it.
struct partial {
    ir_array array;
    ir_var target; // a bool is combined as an integer and turned back
    enum ir_op op;
};

static struct partial partial_of(struct ir_unit *u, const struct ir_reduction *r, ir_expr count, base_loc loc) {
    enum ir_type type = u->vars[r->var].type;
    struct partial out = {.target = r->var, .op = (enum ir_op)r->op};
    out.array = ir_add_array(u, base_format(u->cx, "%s_partial", u->vars[r->var].name), ir_word_of(type),
                             IR_ARRAY_SCRATCH, 1, &count, loc);
    if (type == IR_BOOL) {
        out.target = ir_add_var(u, u->vars[r->var].name, IR_I32, IR_VAR_ENTRY, loc);
        out.op = r->op == IR_LAND ? IR_MIN : IR_MAX;
    }
    return out;
}

static ir_expr as_number(struct ir_unit *u, ir_expr e, base_loc loc) {
    return ir_op3(u, IR_SELECT, e, ir_const_i32(u, 1), ir_const_i32(u, 0), loc);
}

static ir_stmt combine_one(struct ir_unit *u, const struct partial *p, const struct shape *shape, base_loc loc) {
    ir_stmt c = ir_add_stmt(u, IR_COMBINE, loc);
    u->stmts[c].combine.var = p->target;
    u->stmts[c].combine.op = p->op;
    u->stmts[c].combine.array = p->array;
    u->stmts[c].combine.count = shape->count;
    u->stmts[c].combine.there = shape->there;
    return c;
}

static ir_stmt split(struct reducer *x, ir_stmt s);

// The loop that reduces what is in the arrays, already in blocks.
static ir_stmt reduce_arrays(struct reducer *x, const struct partial *list, uint32_t count, uint32_t values,
                             base_loc loc) {
    struct ir_unit *u = x->u;
    ir_var index = ir_add_var(u, "index", IR_I32, IR_VAR_DIM, loc);
    ir_expr at = ir_var_read(u, index, loc);
    struct ir_dim dim = {.var = index, .lo = ir_const_i32(u, 0), .hi = ir_const_i32(u, (int32_t)values), .step = 1};
    struct ir_reduction *own = base_alloc_array(u->cx, count, sizeof *own);
    ir_stmt loop = ir_add_stmt(u, IR_PARFOR, loc), body = 0;
    for (uint32_t k = 0; k < count; k++) {
        ir_expr so_far = ir_var_read(u, list[k].target, loc), value = ir_load(u, list[k].array, &at, 1, loc);
        ir_append(u, &body, ir_assign(u, list[k].target, ir_op2(u, list[k].op, so_far, value, loc), loc));
        own[k] = (struct ir_reduction){(uint8_t)list[k].op, list[k].target};
    }
    uint32_t dims = ir_add_dims(u, &dim, 1), reductions = ir_add_reductions(u, own, count);
    struct ir_stmt_node *n = &u->stmts[loop];
    n->parfor.dims = dims;
    n->parfor.dim_count = 1;
    n->parfor.reductions = reductions;
    n->parfor.reduction_count = count;
    n->parfor.body = body;
    return split(x, loop);
}

// What follows the blocks: their partials become the variables' values.
static ir_stmt combine(struct reducer *x, const struct ir_stmt_node *n, const struct partial *list,
                       const struct shape *shape) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, behind = 0;
    for (uint32_t k = 0; k < n->parfor.reduction_count; k++) {
        ir_var var = u->reductions[n->parfor.reductions + k].var;
        bool is_bool = u->vars[var].type == IR_BOOL;
        if (is_bool)
            ir_append(u, &out, ir_assign(u, list[k].target, as_number(u, ir_var_read(u, var, n->loc), n->loc), n->loc));
        if (!shape->apart) ir_append(u, &out, combine_one(u, &list[k], shape, n->loc));
        ir_expr number = ir_var_read(u, list[k].target, n->loc);
        if (is_bool)
            ir_append(u, &behind, ir_assign(u, var, ir_op2(u, IR_NE, number, ir_const_i32(u, 0), n->loc), n->loc));
    }
    if (shape->apart) ir_append(u, &out, reduce_arrays(x, list, n->parfor.reduction_count, shape->count, n->loc));
    ir_append(u, &out, behind);
    return out;
}

// The number of an iteration of these dimensions, which begin at constants and go up by one, so many in all.
static ir_expr number_of(struct ir_unit *u, const struct ir_stmt_node *n) {
    ir_expr number = 0;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim dim = u->dims[n->parfor.dims + d];
        ir_expr at = ir_var_read(u, dim.var, n->loc);
        if (u->nodes[at].type == IR_U32) at = ir_op1(u, IR_U2I, at, n->loc);
        uint32_t lo = 0, hi = 0;
        (void)ir_is_const(u, dim.lo, &lo);
        (void)ir_is_const(u, dim.hi, &hi);
        if (lo) at = ir_op2(u, IR_SUB, at, ir_const_i32(u, (int32_t)lo), n->loc);
        number = number ? ir_op2(u, IR_ADD, times(u, number, hi - lo), at, n->loc) : at;
    }
    return number;
}

// ---- loops alike ----------------------------------------------------------------------------------------------------

struct likes {
    struct ir_unit *u;
    ir_stmt loop;
    struct ir_effects fx; // of the loop
    bool found;
    bool *out; // by statement: it is a reduction that has a loop alike
};
static bool on_like(void *user, ir_stmt s) {
    struct likes *x = user;
    const struct ir_stmt_node *m = &x->u->stmts[x->loop], *n = &x->u->stmts[s];
    if (n->kind != IR_PARFOR) return !x->found;
    bool like = s != x->loop && m->parfor.dim_count == n->parfor.dim_count;
    for (uint32_t d = 0; d < n->parfor.dim_count && like; d++) {
        const struct ir_dim *p = &x->u->dims[m->parfor.dims + d], *q = &x->u->dims[n->parfor.dims + d];
        like = p->step == q->step && ir_same_expr(x->u, p->lo, q->lo) && ir_same_expr(x->u, p->hi, q->hi);
    }
    if (!like) return false;
    struct base_scratch scratch = base_scratch_begin(x->u->cx); // there may be many loops
    struct ir_effects fx = ir_effects_of_one(x->u, s);
    x->found |= ir_sets_meet(fx.arrays_written, x->fx.arrays_read, fx.array_words);
    base_scratch_end(x->u->cx, &scratch);
    return false;
}
static bool on_reduction(void *user, ir_stmt s) {
    struct likes *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_PARFOR || !n->parfor.reduction_count || n->parfor.dim_count < 2) return n->kind != IR_PARFOR;
    struct base_scratch scratch = base_scratch_begin(x->u->cx);
    x->loop = s;
    x->fx = ir_effects_of_one(x->u, s);
    x->found = false;
    ir_walk_stmts(x->u, x->u->root, on_like, x);
    x->out[s] = x->found;
    base_scratch_end(x->u->cx, &scratch);
    return false;
}
// By statement: another loop over the same iterations writes what this one reads.
static const bool *have_likes(struct ir_unit *u) {
    struct likes x = {.u = u, .out = base_alloc_array(u->cx, u->stmt_count, sizeof *x.out)};
    ir_walk_stmts(u, u->root, on_reduction, &x);
    return x.out;
}

// ---- the reduction --------------------------------------------------------------------------------------------------

// Each iteration is a block: the loop is as it was, on the same invocations as others like it, which then own the same
// elements.
static bool keeps_dims(const struct reducer *x, ir_stmt s, const struct shape *shape) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    bool keeps = s < x->stmt_cap && x->likes[s] && shape->alone && !shape->apart && !pass_sums_blocks(u, s, 1);
    for (uint32_t d = 0; d < n->parfor.dim_count && keeps; d++) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
        uint32_t lo, hi;
        keeps = dim->step == 1 && ir_is_const(u, dim->lo, &lo) && ir_is_const(u, dim->hi, &hi);
    }
    return keeps;
}

// Returns the block that replaces the PARFOR.
static ir_stmt split(struct reducer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    const struct shape shape = shape_of(x, s);
    const bool keeps = keeps_dims(x, s, &shape);
    // Where the iteration count is not known at compile time, there are blocks for as many as it may be. The empty ones
    // behind the last used one are left out if the scalars of the run tell which that is; else the host would have to
    // wait for the device to say it.
    ir_expr blocks = ir_const_i32(u, (int32_t)shape.count);
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_DIM, n.loc),
           index = ir_add_var(u, "index", IR_I32, IR_VAR_LOCAL, n.loc);
    // The variables are renamed inside the body.
    ir_var *map = base_alloc_array(u->cx, u->var_count, sizeof *map);
    struct partial *partials = base_alloc_array(u->cx, n.parfor.reduction_count, sizeof *partials);
    struct ir_reduction own_list[MOST_ROW_SUMS];
    ir_stmt front = 0, back = 0;
    for (uint32_t k = 0; k < n.parfor.reduction_count; k++) {
        struct ir_reduction r = u->reductions[n.parfor.reductions + k];
        enum ir_type type = u->vars[r.var].type;
        ir_var own = ir_add_var(u, u->vars[r.var].name, type, IR_VAR_LOCAL, n.loc);
        map[r.var] = own;
        if (shape.rows) own_list[k] = (struct ir_reduction){r.op, own};
        ir_append(u, &front, ir_assign(u, own, ir_const(u, type, ir_identity(r.op, type)), n.loc));
        partials[k] = partial_of(u, &r, blocks, n.loc);
        ir_expr at = keeps ? number_of(u, &n) : ir_var_read(u, block, n.loc), value = ir_var_read(u, own, n.loc);
        if (type == IR_BOOL) value = as_number(u, value, n.loc);
        ir_append(u, &back, ir_store(u, partials[k].array, &at, 1, value, n.loc));
    }
    ir_stmt body = keeps ? 0 : pass_block_indices(&x->sc, &n, index);
    ir_append(u, &body, ir_clone_block(u, n.parfor.body, map, NULL));
    ir_append(u, &front, keeps ? body : walk(x, &shape, &n, block, index, body, own_list));
    ir_append(u, &front, back);
    struct ir_dim dim = {.var = block, .lo = ir_const_i32(u, 0), .hi = shape.there ? shape.there : blocks, .step = 1};
    uint32_t dims = keeps ? n.parfor.dims : ir_add_dims(u, &dim, 1);
    struct ir_stmt_node *m = &u->stmts[s];
    m->parfor.dim_count = keeps ? n.parfor.dim_count : 1;
    m->parfor.dims = dims;
    m->parfor.reductions = m->parfor.reduction_count = 0;
    m->parfor.body = front;
    if (shape.rows) {
        m->flags |= IR_FLAG_LANES;
        m->parfor.lanes = ROW;
    }
    m->next = 0;
    x->count++;
    ir_stmt out = s, sums = pass_sums_make(u, s, shape.count, x->sums);
    ir_append(u, &out, combine(x, &n, partials, &shape));
    ir_append(u, &out, sums);
    return out;
}

static ir_stmt reduce_statement(void *user, ir_stmt done, ir_stmt s) {
    struct reducer *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    (void)done;
    return n->kind == IR_PARFOR && (n->parfor.reduction_count || pass_sums_blocks(x->u, s, 1)) ? split(x, s) : s;
}

// The statement may break or continue the loop around.
static bool leaves_loop(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_IF) return pass_leaves_loop(u, n->branch.then_block) || pass_leaves_loop(u, n->branch.else_block);
    return n->kind == IR_BREAK || n->kind == IR_CONTINUE;
}

// Sequential statements move behind a parallel loop that does not need them: `sum = 0` in front of a reduction then
// joins the stretch that combines the partials, instead of being a dispatch of its own.
static ir_stmt delay_block(struct ir_unit *u, ir_stmt block) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        count++;
    ir_stmt *list = base_alloc_array(u->cx, count + 1, sizeof *list);
    count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        list[count++] = s;
    for (uint32_t i = 0; i < count; i++) {
        struct ir_stmt_node *n = &u->stmts[list[i]];
        if (n->kind == IR_IF) {
            n->branch.then_block = delay_block(u, n->branch.then_block);
            n->branch.else_block = delay_block(u, n->branch.else_block);
        }
        if (n->kind == IR_FOR || n->kind == IR_LOOP) ir_set_body(n, delay_block(u, ir_body_of(n)));
        if (n->kind != IR_PARFOR) continue;
        // The loop bubbles up over what it is independent of.
        for (uint32_t at = i; at > 0; at--) {
            ir_stmt above = list[at - 1];
            if (u->stmts[above].kind == IR_PARFOR || leaves_loop(u, above) || !pass_independent(u, above, list[at]))
                break;
            list[at - 1] = list[at];
            list[at] = above;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        u->stmts[list[i]].next = list[i + 1];
    return count ? list[0] : 0;
}

void pass_reduce(struct pass_cx *p) {
    struct reducer x = {.p = p, .u = p->u, .likes = have_likes(p->u), .stmt_cap = p->u->stmt_count};
    uint32_t arrays = p->u->array_count;
    x.sums = base_alloc_array(p->u->cx, arrays, sizeof *x.sums);
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter reducing = {.u = p->u, .sc = &x.sc, .user = &x, .replace = reduce_statement};
    p->u->root = pass_rewrite_block(&reducing, p->u->root);
    if (!p->eager) p->u->root = delay_block(p->u, p->u->root);
    pass_sums_settle(p->u, x.sums, arrays);
    if (x.count) {
        base_text_format(p->explain, "reduce: %u parallel loop%s: one more dispatch%s to combine partial results\n",
                         x.count, base_s(x.count), x.count == 1 ? "" : " each");
        pass_fold(p);
    }
}
