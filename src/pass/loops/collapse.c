// parallel for (i) { for (j) B }  ->  parallel for (i, j) B, where no pass of the inner loop needs what another one
// does: what `collapse(2)` would say, found where nobody said it. With few iterations most of a GPU would be idle, and
// its neighbouring lanes would read a row apart; now they are neighbours along the row.
//
// The law: between two passes of the same iteration no element is touched that one of them writes, and no variable goes
// from pass to pass but those that the parallel loop reduces anyway (analysis/apart.c, analysis/simd.c). Between
// iterations OpenMP promises it.
#include "pass/cost.h"
#include "pass/passes.h"

struct nest {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_stmt parfor, loop; // the FOR that ends the body
    uint32_t copied;
    bool fits;
};

// ---- bounds ---------------------------------------------------------------------------------------------------------

static bool on_bound(void *user, ir_expr e) {
    struct nest *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) x->fits = false;
    if (n->op != IR_VAR) return true;
    const struct ir_var_info *v = &x->u->vars[n->a];
    struct ir_effects body = ir_effects_of(x->u, x->u->stmts[x->parfor].parfor.body);
    x->fits &= v->klass == IR_VAR_PARAM || (v->klass == IR_VAR_ENTRY && !ir_bit(body.vars_written, n->a));
    return true;
}

// The same for all iterations, so that they are known before the parallel loop.
static bool uniform_bounds(struct nest *x) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    x->fits = true;
    ir_walk_expr(x->u, loop->counted.lo, on_bound, x);
    ir_walk_expr(x->u, loop->counted.hi, on_bound, x);
    return x->fits;
}

// Few iterations, and all passes together no more than a dispatch can number.
static bool pays(struct nest *x) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    uint64_t all = pass_most_iterations(x->sc, x->parfor),
             passes = pass_most_trips(x->sc, loop->counted.lo, loop->counted.hi, loop->counted.step);
    return all < INT32_MAX && all < x->p->target->busy_invocations && passes >= PASS_COLLAPSE_LEAST_PASSES &&
           passes <= INT32_MAX / (all ? all : 1);
}

// ---- what goes from pass to pass ------------------------------------------------------------------------------------

static bool variables_fit(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->parfor];
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count, *reads = base_alloc_array(u->cx, u->var_count, sizeof *reads),
                    *own = base_alloc_array(u->cx, u->var_count, sizeof *own);
    ir_stmt body = u->stmts[x->loop].counted.body;
    pass_count_reads(u, n.parfor.body, reads);
    pass_count_reads(u, body, own);
    if (!pass_simd_reductions(u, body, reads, list, &count)) return false;
    for (uint32_t k = 0; k < count; k++) {
        bool reduced = false;
        for (uint32_t i = 0; i < n.parfor.reduction_count; i++) {
            const struct ir_reduction *r = &u->reductions[n.parfor.reductions + i];
            reduced |= r->var == list[k].var && r->op == list[k].op;
        }
        if (!reduced || reads[list[k].var] != own[list[k].var]) return false;
    }
    return true;
}

// ---- the nest -------------------------------------------------------------------------------------------------------

static bool on_copied(void *user, ir_expr e) {
    (void)e;
    ((struct nest *)user)->copied++;
    return true;
}

// Finds x->loop: the last statement of the body, with nothing before it but what each pass may as well do itself.
static bool find_loop(struct nest *x) {
    struct ir_unit *u = x->u;
    x->copied = 0;
    for (ir_stmt s = u->stmts[x->parfor].parfor.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR && !n->next) {
            x->loop = s;
            return !(n->flags & IR_FLAG_SIMD) && x->copied <= PASS_COLLAPSE_MOST_COPIED &&
                   !pass_leaves_loop(u, n->counted.body);
        }
        if (n->kind != IR_ASSIGN || n->flags & IR_FLAG_ATOMIC || u->vars[n->assign.var].klass != IR_VAR_LOCAL)
            return false;
        ir_walk_expr(u, n->assign.value, on_copied, x);
    }
    return false;
}

static void merge(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node loop = u->stmts[x->loop];
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t count = u->stmts[x->parfor].parfor.dim_count;
    for (uint32_t k = 0; k < count; k++)
        dims[k] = u->dims[u->stmts[x->parfor].parfor.dims + k];
    dims[count] = (struct ir_dim){loop.counted.var, loop.counted.lo, loop.counted.hi, loop.counted.step};
    u->vars[loop.counted.var].klass = IR_VAR_DIM;
    uint32_t all = ir_add_dims(u, dims, count + 1);
    struct ir_stmt_node *n = &u->stmts[x->parfor];
    n->parfor.dims = all;
    n->parfor.dim_count = count + 1;
    if (n->parfor.body == x->loop) {
        n->parfor.body = loop.counted.body;
    } else {
        ir_stmt before = n->parfor.body;
        while (u->stmts[before].next != x->loop)
            before = u->stmts[before].next;
        u->stmts[before].next = loop.counted.body;
    }
    if (!ir_is_long(u, n->parfor.body)) n->flags &= (uint16_t)~IR_FLAG_LONG;
    base_text_format(x->p->explain, "collapse: the loop at line %u is a dimension of the parallel loop at line %u\n",
                     u->cx->locs[loop.loc].line, u->cx->locs[n->loc].line);
}

// What each pass will do itself, in the scope up to the loop.
static void collect_front(struct nest *x, struct pass_accesses *out) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = u->stmts[x->parfor].parfor.body; s != x->loop; s = u->stmts[s].next) {
        ir_stmt next = u->stmts[s].next;
        u->stmts[s].next = 0;
        pass_collect(x->sc, s, out);
        u->stmts[s].next = next;
        pass_scope_assign(x->sc, s);
    }
}

// An array of the iteration: its contents would be those of another pass.
static bool writes_local(const struct ir_unit *u, ir_stmt block) {
    struct ir_effects fx = ir_effects_of(u, block);
    for (ir_array a = 1; a < u->array_count; a++)
        if (u->arrays[a].klass == IR_ARRAY_LOCAL && ir_bit(fx.arrays_written, a)) return true;
    return false;
}

static bool collapse_once(struct nest *x) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->parfor];
    if (n->flags & IR_FLAG_LANES || n->parfor.dim_count == IR_MAX_DIMS || !find_loop(x)) return false;
    struct pass_accesses in_front = {0};
    uint32_t mark = pass_scope_enter(x->sc);
    bool fits = uniform_bounds(x) && pays(x) && variables_fit(x) && !writes_local(u, u->stmts[x->loop].counted.body);
    if (fits) {
        pass_scope_parfor(x->sc, x->parfor);
        collect_front(x, &in_front);
        fits = pass_memory_is_apart(x->sc, x->loop, &in_front);
    }
    pass_scope_leave(x->sc, mark);
    if (fits) merge(x);
    return fits;
}

static void collapse_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct nest *x = user;
    x->sc = sc;
    x->parfor = parfor;
    while (collapse_once(x))
        ;
}

void pass_collapse(struct pass_cx *p) {
    struct nest x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, collapse_parfor, &x);
}
