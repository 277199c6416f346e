// Short reductions of a loop's passes, side by side: the loop around becomes the parallel one.
//
//   for (b) { s = 0; parallel for (i) s += x[b][i] * x[b][i]; scale[b] = 1 / sqrt(s); }      becomes
//   parallel for (b) { s = 0; for (i) s += x[b][i] * x[b][i]; scale[b] = 1 / sqrt(s); }
//
// As written, each pass waits for the one before: for its values, for combining them, for barriers or dispatches
// between. As iterations all of them wait once, and lanes share the loops inside (lanes.c). The interchange is the
// literature's (R. Allen, K. Kennedy, "Optimizing Compilers for Modern Architectures", 2001, chapter 5), here for the
// sake of fewer phases.
//
// The law: no pass touches an element that another one writes, and no variable goes from pass to pass or is read behind
// the loop. It pays where each reduction is too short to fill a device: few values of a few operations.
#include "pass/cost.h"
#include "pass/passes.h"

struct mover {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    bool *own; // by statement: a loop whose variables are its passes' own
};

static struct ir_stmt_node *node_of(const struct mover *m, ir_stmt s) { return &m->u->stmts[s]; }

// ---- which loops? ---------------------------------------------------------------------------------------------------

// A short parallel loop that does nothing but reduce. inside: reads in the body of the loop around.
static bool is_short_sum(const struct mover *m, ir_stmt s, const uint32_t *inside) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node *n = node_of(m, s);
    const struct ir_dim *dim = &u->dims[n->parfor.dims];
    struct ir_reduction found[PASS_SIMD_REDUCTIONS];
    uint64_t trips;
    uint32_t count = 0, work = 0;
    if (n->parfor.dim_count != 1 || !n->parfor.reduction_count ||
        !pass_trip_count(m->sc, dim->lo, dim->hi, dim->step, &trips) || trips < PASS_LANES_LEAST_PASSES ||
        trips > PASS_RECOMPUTE_VALUES)
        return false;
    for (ir_stmt inner = n->parfor.body; inner; inner = node_of(m, inner)->next) {
        if (node_of(m, inner)->kind != IR_ASSIGN || node_of(m, inner)->flags & IR_FLAG_ATOMIC) return false;
        struct pass_weight value = pass_weight_of(u, node_of(m, inner)->assign.value);
        if (value.nodes > PASS_RECOMPUTE_NODES) return false;
        work += value.work;
    }
    return work <= PASS_OUTWARD_WORK && pass_simd_reductions(u, n->parfor.body, inside, found, &count) &&
           count == n->parfor.reduction_count;
}

static bool is_plain(const struct mover *m, const struct ir_stmt_node *n) {
    if (n->kind == IR_ASSIGN) return !(n->flags & IR_FLAG_ATOMIC);
    return n->kind == IR_STORE && n->store.array != m->u->log && !(n->flags & IR_FLAG_ATOMIC);
}

static bool is_of_sums(const struct mover *m, ir_stmt body, const uint32_t *inside) {
    bool sums = false;
    for (ir_stmt s = body; s; s = node_of(m, s)->next) {
        bool sum = node_of(m, s)->kind == IR_PARFOR && is_short_sum(m, s, inside);
        if (!sum && !is_plain(m, node_of(m, s))) return false;
        sums |= sum;
    }
    return sums;
}

// What is read before it is assigned in what may run after the loop: what follows it, and statements around it again.
struct level {
    const struct level *outer; // NULL: this one is of the entry's own block
    ir_stmt s;                 // the statement there that the loop stands in
};
static bool is_read_later(const struct mover *m, ir_stmt loop, const struct level *around, const uint32_t *written) {
    const struct ir_unit *u = m->u;
    const uint32_t *later = pass_exposed(u, node_of(m, loop)->next);
    for (;; around = around->outer) {
        for (ir_var v = 1; v < u->var_count; v++)
            if (ir_bit(written, v) && ir_bit(later, v)) return true;
        if (!around) return false;
        later = pass_exposed(u, around->s);
    }
}

// What the body assigns, nobody reads but the pass that did.
static bool has_own_variables(struct mover *m, ir_stmt loop, const struct level *around) {
    ir_stmt body = node_of(m, loop)->counted.body;
    struct ir_effects fx = ir_effects_of(m->u, body);
    const uint32_t *before = pass_exposed(m->u, body);
    for (ir_var v = 1; v < m->u->var_count; v++)
        if (ir_bit(fx.vars_written, v) && ir_bit(before, v)) return false;
    node_of(m, loop)->counted.body = 0;
    bool own = !is_read_later(m, loop, around, fx.vars_written);
    node_of(m, loop)->counted.body = body;
    return own;
}

static void note_block(struct mover *m, ir_stmt block, const struct level *around) {
    for (ir_stmt s = block; s; s = node_of(m, s)->next) {
        const struct ir_stmt_node n = *node_of(m, s);
        struct level level = {around, s};
        ir_stmt inner[2];
        uint32_t blocks = n.kind == IR_PARFOR ? 0 : ir_blocks_of(&n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            note_block(m, inner[i], &level);
        if (n.kind == IR_FOR && pass_has_parallel(m->u, n.counted.body)) m->own[s] = has_own_variables(m, s, around);
    }
}

// ---- the new loop ---------------------------------------------------------------------------------------------------

static void make_loops(struct mover *m, ir_stmt body) {
    for (ir_stmt s = body; s; s = node_of(m, s)->next) {
        const struct ir_stmt_node n = *node_of(m, s);
        if (n.kind != IR_PARFOR) continue;
        const struct ir_dim dim = m->u->dims[n.parfor.dims];
        ir_stmt loop = ir_for(m->u, dim.var, dim.lo, dim.hi, dim.step, n.parfor.body, n.loc), next = n.next;
        *node_of(m, s) = *node_of(m, loop);
        node_of(m, s)->next = next;
        node_of(m, s)->flags = IR_FLAG_SIMD;
        m->u->vars[dim.var].klass = IR_VAR_LOCAL;
    }
}

// No pass touches what another one writes.
static bool are_apart(const struct mover *m, ir_stmt parfor) {
    struct ir_unit *u = m->u;
    struct pass_accesses list = {0};
    struct pass_space space;
    struct ir_effects fx = ir_effects_of(u, node_of(m, parfor)->parfor.body);
    pass_collect_inside(m->sc, parfor, &list);
    bool apart = pass_space_of(m->sc, parfor, &space);
    for (ir_array a = 1; a < u->array_count && apart; a++)
        apart = !ir_bit(fx.arrays_written, a) || pass_owned(m->sc, &list, a, &space);
    return apart;
}

static ir_stmt move_loop(void *user, ir_stmt done, ir_stmt s) {
    struct mover *m = user;
    struct ir_unit *u = m->u;
    const struct ir_stmt_node n = *node_of(m, s);
    uint32_t *inside, var_count = u->var_count;
    (void)done;
    if (n.kind != IR_FOR || !n.counted.body || !pass_has_parallel(u, n.counted.body) || n.counted.step < 1 ||
        u->vars[n.counted.var].type != IR_I32 || u->vars[n.counted.var].klass != IR_VAR_ENTRY ||
        pass_most_trips(m->sc, n.counted.lo, n.counted.hi, n.counted.step) < 2)
        return s;
    inside = base_alloc_array(u->cx, var_count, sizeof *inside);
    pass_count_reads(u, n.counted.body, inside);
    if (!m->own[s] || !is_of_sums(m, n.counted.body, inside)) return s;
    struct ir_dim dim = {n.counted.var, n.counted.lo, n.counted.hi, n.counted.step};
    ir_stmt parfor = ir_parfor(u, &dim, 1, n.counted.body, n.loc);
    if (!are_apart(m, parfor)) return s;
    make_loops(m, n.counted.body);
    ir_stmt body = pass_clone_inside(u, n.counted.body);
    node_of(m, parfor)->parfor.body = body;
    u->vars[n.counted.var].klass = IR_VAR_DIM;
    base_text_format(m->p->explain,
                     "outward: the loop at line %u is parallel, its reductions are inside of iterations\n",
                     u->cx->locs[n.loc].line);
    return parfor;
}

void pass_outward(struct pass_cx *p) {
    struct pass_scope sc;
    struct mover m = {.p = p, .u = p->u, .sc = &sc};
    m.own = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *m.own);
    note_block(&m, p->u->root, NULL);
    pass_scope_init(&sc, p->u);
    struct pass_rewriter mover = {.u = p->u, .sc = &sc, .user = &m, .replace = move_loop};
    p->u->root = pass_rewrite_block(&mover, p->u->root);
}
