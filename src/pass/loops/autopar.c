// Sequential loops whose passes do not need each other, as parallel ones, though nobody said so:
//
//   for (i = k; i < n; i++) { list[i] = -1; left += weight[i]; }      becomes
//   parallel for (i = k; i < n; i++) reduction(+ : left) ...
//
// A program is written for threads, and leaves to one of them what seems little beside the rest: a search for the
// largest, a sum, a copy. One invocation of a GPU takes longer for that than all of them together for all else. From
// here on it is a parallel loop like those that the program names.
//
// What is only updated by one operator on whole numbers, as the counters of a histogram, is then updated atomically;
// small arrays that floats are added to, as the members of clusters, get sums of blocks (grid/reduce_arrays.c), as with
// a `reduction` of the array.
//
// A loop that needs its passes in order, around nothing but such a loop, goes inside of it (interchange.c): columns of
// running sums are iterations, not rows of them phases.
//
// Short ones are worth a phase of their own where they only sum up, in one dispatch, between the phases of a loop
// around: there each pass waits for memory that other workgroups wrote, and every workgroup can combine the values
// itself (grid/recompute.c).
//
// The law: but for such updates no pass touches an element that another one writes; no variable goes from pass to pass
// but those that are summed up (analysis/simd.c), nor out of the loop. Sums of floats become others
// (-fno-associative-math forbids it).
#include "pass/cost.h"
#include "pass/passes.h"

struct finder {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    uint32_t *reads, vars; // of the whole unit, by variable
    bool *between;         // by statement: stands beside parallel loops in the body of a loop
    // of the loop under way
    struct ir_reduction sums[PASS_SIMD_REDUCTIONS];
    uint32_t sum_count;
    uint8_t *updates; // by array: the operator of all that the loop does to it (updates.c); NULL: passes share nothing
};

struct look {
    const struct ir_unit *u;
    bool fits;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct look *x = user;
    x->fits &= pass_is_plain(x->u, s);
    return x->fits;
}

static void mark_between(struct finder *x, ir_stmt block, bool in_loop) {
    const struct ir_unit *u = x->u;
    bool phases = in_loop && pass_has_parallel(u, block);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        x->between[s] = phases;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            mark_between(x, inner[i], in_loop || n->kind != IR_IF);
    }
}

static bool is_long(const struct finder *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    uint64_t most = pass_most_trips(&x->sc, n->counted.lo, n->counted.hi, n->counted.step);
    uint64_t inner = pass_passes_of(x->u, n->counted.body);
    uint32_t indexed = pass_most_indexed(x->u, n->counted.body, n->counted.var);
    if (indexed && indexed < most) most = indexed;
    if (most == UINT64_MAX || most < PASS_AUTOPAR_LEAST_TRIPS) return false;
    if (inner == UINT64_MAX || most * (inner + 1) >= PASS_AUTOPAR_LEAST_PASSES) return true;
    struct ir_effects fx = ir_effects_of(x->u, n->counted.body);
    return x->p->one_kernel && x->between[s] && most >= PASS_AUTOPAR_LEAST_SUMMED && !ir_writes_arrays(&fx);
}

// ---- what passes share ----------------------------------------------------------------------------------------------

// Small arrays of floats alone, of which blocks have sums of their own.
static bool may_update(const struct finder *x, ir_array a) {
    return x->u->arrays[a].elem != WHORL_F32 ||
           (!x->p->target->keep_order && pass_elements(x->u, a, 0, PASS_AUTOPAR_SUMS) <= PASS_AUTOPAR_SUMS);
}

static bool passes_are_apart(struct finder *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    if (pass_memory_is_apart(&x->sc, s, NULL, NULL)) {
        x->updates = NULL; // needless
        return true;
    }
    x->updates = pass_find_updates(u, u->stmts[s].counted.body);
    if (!x->updates) return false;
    for (ir_array a = 1; a < u->array_count; a++)
        if (!may_update(x, a)) x->updates[a] = IR_CONST;
    return pass_memory_is_apart(&x->sc, s, NULL, x->updates);
}

// ---- the loops ------------------------------------------------------------------------------------------------------

static bool may_be_parallel(struct finder *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct look look = {u, true};
    if (n.kind != IR_FOR || u->vars[n.counted.var].type != IR_I32 || pass_has_parallel(u, n.counted.body) ||
        !n.counted.body || pass_leaves_loop(u, n.counted.body) || pass_has_load(u, n.counted.lo) ||
        pass_has_load(u, n.counted.hi) || !is_long(x, s))
        return false;
    ir_walk_stmts(u, n.counted.body, on_stmt, &look);
    if (!look.fits || !pass_simd_reductions(u, n.counted.body, x->reads, x->sums, &x->sum_count)) return false;
    for (uint32_t k = 0; k < x->sum_count; k++)
        if (u->vars[x->sums[k].var].type == IR_F32 && x->p->target->keep_order && x->sums[k].op != IR_FMIN &&
            x->sums[k].op != IR_FMAX)
            return false;
    return passes_are_apart(x, s);
}

static ir_stmt make_parallel(struct finder *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    const struct ir_var_info counter = u->vars[n.counted.var];
    struct ir_effects fx = ir_effects_of(u, n.counted.body);
    uint32_t vars = u->var_count;
    ir_var *own = base_alloc_array(u->cx, vars, sizeof *own);
    for (ir_var v = 1; v < vars; v++) {
        bool sum = false;
        for (uint32_t k = 0; k < x->sum_count; k++)
            sum |= x->sums[k].var == v;
        if (ir_bit(fx.vars_written, v) && !sum && u->vars[v].klass == IR_VAR_ENTRY)
            own[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    }
    ir_stmt body = ir_clone_block(u, n.counted.body, own, NULL), out = ir_add_stmt(u, IR_PARFOR, n.loc);
    struct ir_dim dim = {0, n.counted.lo, n.counted.hi, n.counted.step};
    dim.var = ir_add_var(u, counter.name, IR_I32, IR_VAR_DIM, counter.loc);
    pass_substitute(u, body, n.counted.var, ir_var_read(u, dim.var, counter.loc));
    if (x->updates) pass_make_updates(u, body, x->updates, 0, IR_FLAG_FIXED);
    uint32_t dims = ir_add_dims(u, &dim, 1), sums = ir_add_reductions(u, x->sums, x->sum_count);
    u->stmts[out].parfor.dims = dims;
    u->stmts[out].parfor.dim_count = 1;
    u->stmts[out].parfor.reductions = sums;
    u->stmts[out].parfor.reduction_count = x->sum_count;
    u->stmts[out].parfor.body = body;
    if (x->sum_count && ir_is_long(u, body)) u->stmts[out].flags |= IR_FLAG_LONG;
    base_text_format(x->p->explain, "autopar: the loop at line %u is parallel, as its passes do not need each other\n",
                     u->cx->locs[n.loc].line);
    return out;
}

static bool enters(void *user, ir_stmt s) { return !may_be_parallel(user, s); }
// The loop around nothing but one that was made parallel here.
static bool is_around(const struct finder *x, ir_stmt s) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *inner = &u->stmts[u->stmts[s].counted.body];
    return inner->kind == IR_PARFOR && !inner->next && u->dims[inner->parfor.dims].var >= x->vars;
}
static ir_stmt replace(void *user, ir_stmt done, ir_stmt s) {
    struct finder *x = user;
    (void)done;
    return x->u->stmts[s].kind == IR_FOR && may_be_parallel(x, s) ? make_parallel(x, s) : s;
}
static ir_stmt move(void *user, ir_stmt done, ir_stmt s) {
    struct finder *x = user;
    ir_stmt inner = x->u->stmts[s].kind == IR_FOR ? x->u->stmts[s].counted.body : 0;
    (void)done;
    return inner && is_around(x, s) && pass_move_inside(x->p, &x->sc, s) ? inner : s;
}

void pass_autopar(struct pass_cx *p) {
    if (p->target->busy_invocations < PASS_GPU_INVOCATIONS) return;
    struct finder x = {.p = p, .u = p->u, .vars = p->u->var_count};
    x.reads = base_alloc_array(p->u->cx, x.vars, sizeof *x.reads);
    x.between = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *x.between);
    pass_count_reads(p->u, p->u->root, x.reads);
    mark_between(&x, p->u->root, false);
    pass_scope_init(&x.sc, p->u);
    struct pass_rewriter finding = {.u = p->u, .sc = &x.sc, .user = &x, .enters = enters, .replace = replace};
    p->u->root = pass_rewrite_block(&finding, p->u->root);
    if (p->u->var_count == x.vars) return;
    struct pass_rewriter moving = {.u = p->u, .sc = &x.sc, .user = &x, .replace = move};
    pass_scope_init(&x.sc, p->u); // with the variables that were made
    p->u->root = pass_rewrite_block(&moving, p->u->root);
}
