// Long sums of few iterations: a device has more invocations than there are iterations, so each sum is made in blocks,
// side by side, and a second parallel loop adds up what they left ("rfactor": P. Suriana, A. Adams, S. Kamil, "Parallel
// associative reductions in Halide", CGO 2017; "split-K" where matrices are multiplied).
//
//   parallel for (i, j) { s = 0; for (k < n) s += a[k][i] * b[k][j]; c[i][j] = s; }
//
// becomes
//
//   parallel for (block, i, j) { t = 0; for (k of the block) t += a[k][i] * b[k][j]; partial[block][i][j] = t; }
//   parallel for (i, j) { s = 0; for (block) s += partial[block][i][j]; c[i][j] = s; }
//
// Lanes of a workgroup can share such a loop, too (share.c), at the price of no barrier across the grid. What they
// cannot: be more than a workgroup has, share what neighbouring iterations load, as pass_jam and pass_panel make them
// do where enough iterations are left, and load neighbours where the sums are those of columns. It is done for one of
// these three reasons.
//
// The law: the loop stores nothing and only sums up (analysis/simd.c), so its passes may be made in any order; what
// stands in front of it stores nothing either, and may be made again. Sums of floats become others (share.c says more).
#include "pass/cost.h"
#include "pass/passes.h"

struct factor {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    uint32_t count;
    // of the parallel loop under way
    ir_stmt parfor, loop;             // the loop stands in the body of the other
    uint32_t head;                    // statements in front of it
    int64_t first;                    // of its counter
    uint64_t trips, work, iterations; // its passes, those that one of them makes with the loops inside
    uint32_t blocks;
    struct ir_reduction sums[PASS_SIMD_REDUCTIONS];
    uint32_t sum_count;
};

// ---- which loops? ---------------------------------------------------------------------------------------------------

static bool stores_nothing(const struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    return !ir_writes_arrays(&fx);
}

// The first loop of the body, with nothing but assignments in front of it and no other that is long.
static bool find_loop(struct factor *x, ir_stmt body) {
    const struct ir_unit *u = x->u;
    x->loop = 0;
    x->head = 0;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        uint8_t kind = u->stmts[s].kind;
        if (kind == IR_FOR && !x->loop) x->loop = s;
        if (!x->loop && kind != IR_ASSIGN) return false;
        x->head += !x->loop;
    }
    if (!x->loop || !ir_const_trips(u, x->loop, &x->trips) || x->trips > INT32_MAX) return false;
    uint64_t all = pass_passes_of(u, body), inside = pass_passes_of(u, u->stmts[x->loop].counted.body);
    x->work = inside == UINT64_MAX ? 1 : inside + 1;
    return all == UINT64_MAX || all - x->trips * x->work <= all / PASS_RFACTOR_REST;
}

// What may be put in twice: blocks begin with what the sum begins with, since nothing else is sure to change nothing.
static bool is_idempotent(uint8_t op) {
    return op == IR_MIN || op == IR_MAX || op == IR_FMIN || op == IR_FMAX || op == IR_AND || op == IR_OR;
}

static bool may_split(const struct factor *x, const struct ir_reduction *sum) {
    if (x->u->vars[sum->var].type == IR_F32 && x->p->target->keep_order) return false;
    return is_idempotent(sum->op) || sum->op == IR_ADD || sum->op == IR_MUL || sum->op == IR_XOR;
}

static bool sums_alone(struct factor *x, ir_stmt passes, ir_stmt body) {
    struct ir_unit *u = x->u;
    if (!stores_nothing(u, passes) || pass_is_atomic(u, body) || pass_leaves_loop(u, passes)) return false;
    uint32_t *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads);
    pass_count_reads(u, body, reads);
    if (!pass_simd_reductions(u, passes, reads, x->sums, &x->sum_count) || x->sum_count == 0 ||
        x->sum_count > PASS_RFACTOR_SUMS)
        return false;
    for (uint32_t k = 0; k < x->sum_count; k++)
        if (!may_split(x, &x->sums[k])) return false;
    return true;
}

static bool fits(struct factor *x, const struct ir_stmt_node *n) {
    struct ir_unit *u = x->u;
    uint32_t lo;
    if ((n->flags & ~IR_FLAG_NOWAIT) || n->parfor.reduction_count || !pass_has_plain_dims(u, n) ||
        !pass_iterations(&x->sc, x->parfor, &x->iterations) || !x->iterations || !find_loop(x, n->parfor.body))
        return false;
    const struct ir_stmt_node *loop = &u->stmts[x->loop];
    if (loop->flags & (IR_FLAG_SIMD | IR_FLAG_LANES) || loop->counted.step != 1 ||
        u->vars[loop->counted.var].type != IR_I32 || !ir_is_const(u, loop->counted.lo, &lo))
        return false;
    x->first = (int32_t)lo;
    return x->head <= PASS_RFACTOR_HEAD && sums_alone(x, loop->counted.body, n->parfor.body);
}

// ---- does it pay? ---------------------------------------------------------------------------------------------------

static bool sums_columns(struct factor *x) {
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_parfor(&x->sc, x->parfor);
    bool found = pass_walks_columns(&x->sc, x->parfor, &x->loop, 1);
    pass_scope_leave(&x->sc, mark);
    return found;
}

// The least number of blocks that leaves each iteration, or `together` of them that become one, in so many blocks that
// `wanted` run at once; else the most, up to `limit`. 0: there is none. Blocks divide the passes, so that all are as
// long.
static uint32_t blocks_for(const struct factor *x, uint64_t together, uint64_t wanted, uint64_t least_block,
                           uint32_t limit) {
    uint32_t most = 0;
    for (uint32_t blocks = 2; blocks <= limit; blocks++) {
        if (x->trips % blocks || x->trips / blocks < least_block ||
            x->iterations * blocks * x->sum_count > PASS_SUMS_WORDS)
            continue;
        most = blocks;
        if (x->iterations * blocks / together >= wanted) break;
    }
    return most;
}

// With blocks of them, neighbouring iterations are made side by side.
static bool pays_as_product(struct factor *x) {
    uint64_t together = pass_jams(x->p, &x->sc, x->parfor, PASS_RFACTOR_MOST_BLOCKS);
    if (together == 1 || pass_jams(x->p, &x->sc, x->parfor, 1) > 1) return false;
    x->blocks = blocks_for(x, together, x->p->target->busy_invocations / PASS_RFACTOR_BUSY, PASS_RFACTOR_LEAST_BLOCK,
                           PASS_RFACTOR_MOST_BLOCKS);
    return x->blocks && pass_jams(x->p, &x->sc, x->parfor, x->blocks) > 1;
}

static bool pays(struct factor *x) {
    uint64_t busy = x->p->target->busy_invocations, group = PASS_WORKGROUP;
    uint64_t running = x->iterations * group < busy ? x->iterations * group : busy;
    bool is_long = x->iterations * x->trips / running * x->work >= PASS_RFACTOR_LEAST_PASSES;
    bool few = x->iterations * group < busy / 2; // even a workgroup for each would leave most of the device idle
    if (busy < PASS_GPU_INVOCATIONS) return false;
    if (is_long && !few && pays_as_product(x)) return true;
    if (x->iterations < busy / 2 && x->iterations * x->trips >= PASS_RFACTOR_COLUMN_WORDS && sums_columns(x) &&
        pass_jams(x->p, &x->sc, x->parfor, 1) == 1) {
        x->blocks = blocks_for(x, 1, busy, PASS_RFACTOR_LEAST_BLOCK, PASS_RFACTOR_MOST_COLUMN);
        return x->blocks != 0;
    }
    if (!is_long || !few) return false;
    uint64_t each = x->work < PASS_LANES_PASSES_EACH ? PASS_LANES_PASSES_EACH / x->work : 1;
    x->blocks = blocks_for(x, 1, busy / group, group * each, PASS_RFACTOR_MOST_BLOCKS);
    return x->blocks != 0;
}

// ---- the two loops --------------------------------------------------------------------------------------------------

// The loop of a copy of the body, as that of one block; what follows it is left out.
static void cut_to_block(const struct factor *x, ir_stmt loop, ir_var block) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[loop];
    uint64_t each = x->trips / x->blocks;
    ir_var pass = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    ir_expr at = ir_op2(u, IR_MUL, ir_var_read(u, block, n.loc), ir_const_i32(u, (int32_t)each), n.loc);
    if (x->first) at = ir_op2(u, IR_ADD, at, ir_const_i32(u, (int32_t)x->first), n.loc);
    pass_substitute(u, n.counted.body, n.counted.var, ir_op2(u, IR_ADD, at, ir_var_read(u, pass, n.loc), n.loc));
    ir_expr zero = ir_const_i32(u, 0), end = ir_const_i32(u, (int32_t)each);
    u->stmts[loop].counted.var = pass;
    u->stmts[loop].counted.lo = zero;
    u->stmts[loop].counted.hi = end;
    u->stmts[loop].next = 0;
}

// The parallel loop over blocks, which leaves their sums.
static ir_stmt make_blocks(struct factor *x, const struct ir_stmt_node *n, const ir_array *partials) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0, loop = 0;
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_DIM, n->loc);
    ir_expr number = ir_var_read(u, block, n->loc), at[IR_MAX_DIMS];
    for (ir_stmt s = ir_clone_block(u, n->parfor.body, NULL, NULL), next; s && !loop; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        if (u->stmts[s].kind == IR_FOR)
            loop = s;
        else
            ir_append(u, &out, s);
    }
    cut_to_block(x, loop, block);
    for (uint32_t k = 0; k < x->sum_count; k++) {
        enum ir_type type = (enum ir_type)u->vars[x->sums[k].var].type;
        ir_expr identity = ir_const(u, type, ir_identity(x->sums[k].op, type));
        if (!is_idempotent(x->sums[k].op)) ir_append(u, &out, ir_assign(u, x->sums[k].var, identity, n->loc));
    }
    ir_append(u, &out, loop);
    for (uint32_t k = 0; k < x->sum_count; k++) {
        uint32_t dims = pass_block_index(u, n, &number, 1, at);
        ir_append(u, &out, ir_store(u, partials[k], at, dims, ir_var_read(u, x->sums[k].var, n->loc), n->loc));
    }
    return pass_block_parfor(u, n, block, x->blocks, out);
}

// Few of them: all blocks of a sum are loaded before the first is added.
static ir_stmt add_up_few(const struct factor *x, const struct ir_stmt_node *n, const ir_array *partials) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (uint32_t k = 0; k < x->sum_count; k++) {
        ir_var sum = x->sums[k].var;
        ir_stmt adds = 0;
        for (uint32_t b = 0; b < x->blocks; b++) {
            ir_var part = ir_add_var(u, u->vars[sum].name, (enum ir_type)u->vars[sum].type, IR_VAR_LOCAL, n->loc);
            ir_expr at[IR_MAX_DIMS], number = ir_const_i32(u, (int32_t)b);
            uint32_t dims = pass_block_index(u, n, &number, 1, at);
            ir_expr load = ir_load(u, partials[k], at, dims, n->loc);
            ir_append(u, &out, ir_assign(u, part, load, n->loc));
            ir_expr so_far = ir_var_read(u, sum, n->loc), value = ir_var_read(u, part, n->loc);
            ir_append(u, &adds, ir_assign(u, sum, ir_op2(u, (enum ir_op)x->sums[k].op, so_far, value, n->loc), n->loc));
        }
        ir_append(u, &out, adds);
    }
    return out;
}

// What takes the loop's place in the parallel loop.
static ir_stmt add_up(const struct factor *x, const struct ir_stmt_node *n, const ir_array *partials) {
    struct ir_unit *u = x->u;
    ir_stmt adds = 0;
    if (x->blocks <= PASS_RFACTOR_MOST_BLOCKS) return add_up_few(x, n, partials);
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, n->loc);
    for (uint32_t k = 0; k < x->sum_count; k++) {
        ir_var sum = x->sums[k].var;
        ir_expr at[IR_MAX_DIMS], number = ir_var_read(u, block, n->loc);
        uint32_t dims = pass_block_index(u, n, &number, 1, at);
        ir_expr value = ir_load(u, partials[k], at, dims, n->loc), so_far = ir_var_read(u, sum, n->loc);
        ir_append(u, &adds, ir_assign(u, sum, ir_op2(u, (enum ir_op)x->sums[k].op, so_far, value, n->loc), n->loc));
    }
    return ir_for(u, block, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)x->blocks), 1, adds, n->loc);
}

static ir_stmt factor_statement(void *user, ir_stmt done, ir_stmt s) {
    struct factor *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    (void)done;
    x->parfor = s;
    if (n.kind != IR_PARFOR || !fits(x, &n) || !pays(x)) return s;
    ir_array partials[PASS_RFACTOR_SUMS];
    for (uint32_t k = 0; k < x->sum_count; k++)
        partials[k] = pass_block_array(u, &n, base_format(u->cx, "%s_partial", u->vars[x->sums[k].var].name),
                                       (enum ir_type)u->vars[x->sums[k].var].type, &x->blocks, 1);
    ir_stmt out = make_blocks(x, &n, partials), body = 0, sums = add_up(x, &n, partials);
    for (ir_stmt t = n.parfor.body, next; t; t = next) {
        next = u->stmts[t].next;
        u->stmts[t].next = 0;
        ir_append(u, &body, t == x->loop ? sums : t);
    }
    u->stmts[s].parfor.body = body;
    ir_append(u, &out, s);
    x->count++;
    base_text_format(x->p->explain,
                     "rfactor: the sums of the loop at line %u are made in %u blocks, and then added up\n",
                     u->cx->locs[n.loc].line, x->blocks);
    return out;
}

void pass_rfactor(struct pass_cx *p) {
    struct factor x = {.p = p, .u = p->u};
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter factoring = {.u = p->u, .sc = &x.sc, .user = &x, .replace = factor_statement};
    p->u->root = pass_rewrite_block(&factoring, p->u->root);
    if (x.count) pass_fold(p);
}
