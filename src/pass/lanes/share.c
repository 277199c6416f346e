// Loops of few iterations: inner loops whose passes are independent are marked as `omp simd` would mark them, so that
// spread and lanes may share them out. Nobody need have said so: it is shown (analysis/apart.c, analysis/simd.c). What
// such a loop reduces must be integers, whose sums are the same in any order. Where the program says `simd` itself, it
// has said what lanes are for, and nothing is added.
#include "pass/cost.h"
#include "pass/passes.h"

struct sharer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    uint32_t *reads; // of the parallel loop's body, by variable
    uint32_t count;
};

static bool only_integers(const struct ir_unit *u, const struct ir_reduction *list, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        if (u->vars[list[k].var].type != IR_I32 && u->vars[list[k].var].type != IR_U32) return false;
    return true;
}

static bool is_free(struct sharer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint64_t trips;
    uint32_t count;
    if (!ir_const_trips(u, s, &trips) || trips > PASS_SHARE_MOST_PASSES) return false;
    uint64_t inside = pass_passes_of(u, n->counted.body);
    return inside < PASS_SHARE_MOST_PASSES && trips * (inside + 1) <= PASS_SHARE_MOST_PASSES &&
           trips >= PASS_SHARE_LEAST_PASSES && !pass_leaves_loop(u, n->counted.body) &&
           pass_simd_reductions(u, n->counted.body, x->reads, list, &count) && only_integers(u, list, count) &&
           pass_memory_is_apart(x->sc, s, NULL);
}

// The outermost such loops of the block.
static void share_block(struct sharer *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (n.kind == IR_IF) {
            share_block(x, n.branch.then_block);
            share_block(x, n.branch.else_block);
        }
        if (n.kind == IR_LOOP) share_block(x, n.loop.body);
        if (n.kind != IR_FOR || n.flags & IR_FLAG_SIMD) continue;
        if (is_free(x, s)) {
            u->stmts[s].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
            x->count++;
            continue;
        }
        uint32_t inner = pass_scope_enter(x->sc);
        pass_scope_loop(x->sc, s);
        share_block(x, n.counted.body);
        pass_scope_leave(x->sc, inner);
    }
    pass_scope_leave(x->sc, mark);
}

static void share_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct sharer *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    uint64_t all;
    if (!pass_iterations(sc, parfor, &all)) return;
    if (pass_has_simd(u, n.parfor.body) || all > x->p->target->busy_invocations / 2 || n.flags & IR_FLAG_LANES) return;
    x->sc = sc;
    x->reads = base_alloc_array(u->cx, u->var_count, sizeof *x->reads);
    pass_count_reads(u, n.parfor.body, x->reads);
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    share_block(x, n.parfor.body);
    pass_scope_leave(sc, mark);
}

void pass_share(struct pass_cx *p) {
    struct sharer x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, share_parfor, &x);
    if (x.count) base_text_format(p->explain, "share: %u loop%s that lanes may share out\n", x.count, base_s(x.count));
}
