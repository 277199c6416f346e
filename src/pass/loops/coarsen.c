// Neighbouring parallel loops that need each other only within a row, as where one is over rows and the next one over
// their elements:
//
//   parallel for (i) { sum x[i][...] }  parallel for (i, j) { x[i][j] /= sum }
//
// The dimensions behind those that they share become sequential loops of an iteration. Then both are loops over the
// same space, which is one without a barrier in it; and interchange may move the time loop inside. The passes of the
// new loops are independent, so that lanes share them: those of the last dimension, which becomes the outermost loop,
// so that neighbouring lanes touch neighbours still.
//
// Whether lanes do so, and how many there are, is tried on a copy of the program.
#include "pass/cost.h"
#include "pass/passes.h"

struct coarsener {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    bool changed;
};

// Only the first dimensions of the PARFOR stay.
static void coarsen(struct ir_unit *u, ir_stmt s, uint32_t keep) {
    const struct ir_stmt_node n = u->stmts[s];
    ir_stmt body = n.parfor.body;
    for (uint32_t k = keep; k < n.parfor.dim_count; k++) {
        const struct ir_dim d = u->dims[n.parfor.dims + k];
        u->vars[d.var].klass = IR_VAR_LOCAL;
        body = ir_for(u, d.var, d.lo, d.hi, d.step, body, n.loc);
    }
    u->stmts[s].parfor.body = body;
    u->stmts[s].parfor.dim_count = keep;
}

static void restore(struct ir_unit *u, ir_stmt s, const struct ir_stmt_node *was) {
    u->stmts[s] = *was;
    for (uint32_t k = 0; k < was->parfor.dim_count; k++)
        u->vars[u->dims[was->parfor.dims + k].var].klass = IR_VAR_DIM;
}

// Passes that the dimensions from `first` up to `end` make; 0: it is not known, or too many.
static uint64_t passes_of(const struct coarsener *x, const struct ir_stmt_node *n, uint32_t first, uint32_t end) {
    uint64_t all = 1, trips;
    for (uint32_t k = first; k < end; k++) {
        const struct ir_dim *d = &x->u->dims[n->parfor.dims + k];
        if (!pass_trip_count(x->sc, d->lo, d->hi, d->step, &trips) || trips > PASS_MOST_LANED / all) return 0;
        all *= trips;
    }
    return all;
}

// The loop's last dimension is nowhere an index but the last one.
static bool is_along_rows(struct coarsener *x, ir_stmt s) {
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_var last = x->u->dims[n->parfor.dims + n->parfor.dim_count - 1].var;
    struct pass_accesses list = {0};
    pass_collect_inside(x->sc, s, &list);
    for (uint32_t k = 0; k < list.count; k++)
        for (uint32_t d = 0; d + 1 < list.items[k].n; d++)
            if (pass_affine_coef(&list.items[k].sub[d], last)) return false;
    return true;
}

// Passes that a lane makes of an iteration; a loop of unknown length is one of PASS_UNKNOWN_TRIPS.
static uint64_t passes_of_lane(const struct ir_unit *u, ir_stmt parfor, uint32_t lanes) {
    uint64_t *taken = base_alloc_array(u->cx, u->stmt_count, sizeof *taken);
    for (ir_stmt s = 0; s < u->stmt_count; s++)
        taken[s] = PASS_UNKNOWN_TRIPS;
    return pass_passes_of_lane(u, u->stmts[parfor].parfor.body, lanes, taken);
}

// The two as one, in which lanes make nearly all. `serial`: passes of the new loops, at most.
static bool pays(struct coarsener *x, ir_stmt first, ir_stmt second, uint64_t iterations, uint64_t serial) {
    const struct plan_target *target = x->p->target;
    struct pass_cx copy = pass_copy(x->p);
    pass_fuse_two(copy.u, first, second);
    uint64_t step = passes_of_lane(copy.u, first, 1);
    if (copy.one_kernel) pass_interchange(&copy); // the time loop may come inside
    pass_share(&copy);
    uint64_t all = passes_of_lane(copy.u, first, 1);
    pass_promote(&copy);
    pass_keep(&copy);
    pass_spread(&copy);
    pass_lanes(&copy);
    const struct ir_stmt_node n = copy.u->stmts[first];
    uint32_t lanes = n.flags & IR_FLAG_LANES ? n.parfor.lanes : 1;
    if (lanes == 1 && target->busy_invocations >= PASS_GPU_INVOCATIONS) return false;
    uint64_t each = passes_of_lane(copy.u, first, lanes);
    bool busy = iterations * lanes >= target->busy_invocations;
    // what two loops that keep all of the device busy would take, and a wait between them in each step
    double steps = step ? (double)all / (double)step : 1,
           apart = (double)all * (double)iterations / target->busy_invocations + PASS_COARSEN_WAIT * steps;
    return each <= all / lanes * PASS_COARSEN_MORE &&
           (busy || (serial / lanes <= PASS_COARSEN_PASSES && (double)each <= apart));
}

// Joins them over their first `keep` dimensions.
static bool try_join(struct coarsener *x, ir_stmt first, ir_stmt second, uint32_t keep) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    ir_array culprit;
    uint64_t iterations = passes_of(x, &a, 0, keep), one = passes_of(x, &a, keep, a.parfor.dim_count),
             other = passes_of(x, &b, keep, b.parfor.dim_count);
    if (!iterations || !one || !other) return false;
    coarsen(u, first, keep);
    coarsen(u, second, keep);
    if (!pass_may_fuse(x->sc, first, second, 0, &culprit) ||
        !pays(x, first, second, iterations, one > other ? one : other)) {
        restore(u, first, &a);
        restore(u, second, &b);
        return false;
    }
    pass_fuse_two(u, first, second);
    base_text_format(x->p->explain, "coarsen: the loops at lines %u and %u are one over their rows\n",
                     u->cx->locs[a.loc].line, u->cx->locs[b.loc].line);
    x->changed = true;
    return true;
}

// Tiles of a product spare more than the wait between it and a loop that is none. Where its iterations are few,
// pass_rfactor makes its sums in blocks, of which there are enough. Rows of two such products, which wait for nothing
// any more, are worth as much.
static bool has_tiles(const struct coarsener *x, ir_stmt first, ir_stmt second) {
    if (pass_jams(x->p, x->sc, first, 1) > 1 || pass_jams(x->p, x->sc, second, 1) > 1) return true;
    return (pass_jams(x->p, x->sc, first, PASS_RFACTOR_MOST_BLOCKS) > 1) !=
           (pass_jams(x->p, x->sc, second, PASS_RFACTOR_MOST_BLOCKS) > 1);
}

static bool try_pair(struct coarsener *x, ir_stmt first, ir_stmt second) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node a = u->stmts[first], b = u->stmts[second];
    uint32_t own = a.parfor.dim_count, other = b.parfor.dim_count, keep = pass_common_dims(u, &a, &b);
    if ((a.flags | b.flags) & IR_FLAG_LANES || a.parfor.reduction_count || b.parfor.reduction_count) return false;
    if (keep == own && keep == other) keep--; // as they are, they may not be one
    struct ir_effects one = ir_effects_of_one(u, first), two = ir_effects_of_one(u, second);
    if (!keep || pass_effects_apart(&one, &two) || has_tiles(x, first, second) ||
        (keep < own && !is_along_rows(x, first)) || (keep < other && !is_along_rows(x, second)))
        return false;
    while (keep && !try_join(x, first, second, keep))
        keep = keep > 1 && is_along_rows(x, first) && is_along_rows(x, second) ? keep - 1 : 0;
    return keep;
}

static void coarsen_parfor(void *user, struct pass_scope *sc, ir_stmt s) {
    struct coarsener *x = user;
    const struct ir_unit *u = x->u;
    x->sc = sc;
    for (ir_stmt next = u->stmts[s].next; next && u->stmts[next].kind == IR_PARFOR; next = u->stmts[s].next)
        if (!try_pair(x, s, next)) return;
}

void pass_coarsen(struct pass_cx *p) {
    struct pass_scope sc;
    struct coarsener x = {.p = p, .u = p->u};
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, coarsen_parfor, &x);
    if (x.changed) pass_fuse(p);
}
