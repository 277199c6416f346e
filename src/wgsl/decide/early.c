// Which loads of read-only arrays are asked for early: those that the shared loop of a phase on lanes begins its passes
// with. Nobody writes what they read, so the first pass's may be under way while the workgroups still wait at the
// barrier in front of the phase, and each later pass's while the one before it is computed: memory's answer takes
// longer than either.
//
// Their indices must not need what the barrier waits for: they are made of the iteration's number, the lane, scalars of
// the entry level that nothing between barrier and phase assigns, and of assignments in front of the loop that are made
// of such things.
#include "wgsl/decide/kernel.h"

enum { MOST_WORDS = 32, MOST_DEFS = 16 }; // guess: of registers; assignments that are made once more

static const struct ir_stmt_node *node_of(const struct wgsl_kernel *k, ir_stmt s) { return &k->u->stmts[s]; }

struct search {
    const struct wgsl_kernel *k;
    struct wgsl_early found;
    bool *needed;    // by variable: of the indices
    bool fits, rows; // rows: they differ between iterations
};

static void on_leaf(void *user, ir_expr leaf) {
    struct search *x = user;
    const struct ir_node *n = &x->k->u->nodes[leaf];
    x->fits &= n->op == IR_VAR;
    if (n->op != IR_VAR) return;
    x->needed[n->a] = true;
    x->rows |= x->k->u->vars[n->a].klass == IR_VAR_DIM;
}

// The loop, and what its passes begin with.
static bool find_loads(struct search *x, ir_stmt loop) {
    const struct wgsl_kernel *k = x->k;
    const struct ir_stmt_node *n = node_of(k, loop);
    uint32_t lo, hi, words = 0;
    ir_stmt first = n->counted.body;
    if (n->counted.step != 1 || !ir_is_const(k->u, n->counted.lo, &lo) || lo != 0 ||
        !ir_is_const(k->u, n->counted.hi, &hi) || hi == 0 || !first || k->vectors.batch[first] != first ||
        node_of(k, first)->kind != IR_ASSIGN)
        return false;
    x->found.loop = loop;
    x->found.trips = hi;
    for (ir_stmt s = first; s && k->vectors.batch[s] == first;) {
        struct wgsl_run r;
        if (!wgsl_run_at(k, s, &r) || !ir_in_buffer(k->u, r.array) ||
            k->in->bindings[k->in->places[r.array].slot].writable)
            return false;
        words += (r.count + r.size - 1) / r.size;
        for (uint32_t i = 0; i < r.n; i++)
            wgsl_visit_leaves(k, k->u->args[r.first + i], on_leaf, x);
        for (uint32_t i = 0; i < r.count; i++)
            s = node_of(k, s)->next;
    }
    x->needed[n->counted.var] = false;
    return words <= MOST_WORDS;
}

// Assignments in front of the loop that the indices need, in order. around: the loop that it stands in, 0: the body.
static bool find_defs(struct search *x, ir_stmt parfor, ir_stmt around) {
    const struct wgsl_kernel *k = x->k;
    ir_stmt before[256];
    uint32_t count = 0, kept = 0;
    for (ir_stmt s = node_of(k, parfor)->parfor.body; s != x->found.loop;) {
        if (count == sizeof before / sizeof *before) return false;
        if (s != around) before[count++] = s;
        s = s == around ? node_of(k, s)->counted.body : node_of(k, s)->next;
    }
    ir_stmt *defs = base_alloc_array(k->cx, MOST_DEFS, sizeof *defs);
    for (uint32_t i = count; i-- > 0;) {
        const struct ir_stmt_node *n = node_of(k, before[i]);
        if (n->kind != IR_ASSIGN || !x->needed[n->assign.var]) continue;
        if (k->uses.vars[n->assign.var].writes != 1 || kept == MOST_DEFS) return false;
        x->needed[n->assign.var] = false;
        defs[MOST_DEFS - ++kept] = before[i];
        wgsl_visit_leaves(k, n->assign.value, on_leaf, x);
    }
    x->found.defs = defs + MOST_DEFS - kept;
    x->found.def_count = kept;
    return x->fits;
}

// What is still needed stands at the entry level; `assigned` there after the barrier, by variable.
static bool is_known(const struct search *x, const bool *assigned) {
    const struct ir_unit *u = x->k->u;
    for (ir_var v = 1; v < u->var_count; v++)
        if (x->needed[v] && (u->vars[v].klass == IR_VAR_LOCAL || (assigned && assigned[v]))) return false;
    return true;
}

static bool has_const_ends(const struct wgsl_kernel *k, ir_stmt parfor, uint32_t *out_total) {
    const struct ir_stmt_node *n = node_of(k, parfor);
    uint64_t total;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++)
        if (k->u->dims[n->parfor.dims + d].step != 1) return false;
    if (!ir_const_iterations(k->u, parfor, &total) || total == 0 || total > INT32_MAX) return false;
    *out_total = (uint32_t)total;
    return true;
}

struct walk {
    const struct wgsl_kernel *k;
    const struct wgsl_early **of;
    uint8_t (*most)[WGSL_WIDEST + 1];
};

static void count_vectors(struct walk *w, const struct wgsl_early *x) {
    const struct wgsl_kernel *k = w->k;
    uint8_t here[5][WGSL_WIDEST + 1] = {{0}};
    ir_stmt first = node_of(k, x->loop)->counted.body;
    for (ir_stmt s = first; s && k->vectors.batch[s] == first;) {
        struct wgsl_run r;
        (void)wgsl_run_at(k, s, &r);
        enum ir_type type = ir_elem_type(k->vectors.forms[k->in->places[r.array].slot].elem);
        uint32_t words = wgsl_run_words(k, &r);
        here[type][words] += (uint8_t)(r.count / (words * r.size));
        if (here[type][words] > w->most[type][words]) w->most[type][words] = here[type][words];
        for (uint32_t i = 0; i < r.count; i++)
            s = node_of(k, s)->next;
    }
}

// It makes one pass, or none, in all iterations of the phase.
static bool is_once_for_all(const struct wgsl_kernel *k, ir_stmt s) {
    return ir_is_once(k->u, s) && wgsl_is_steady(k, node_of(k, s)->counted.hi, false);
}

static ir_stmt first_shared(const struct wgsl_kernel *k, ir_stmt block, ir_stmt *around) {
    for (ir_stmt s = block; s; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (n->kind == IR_FOR && n->flags & IR_FLAG_LANES) return s;
        ir_stmt inner, none = 0;
        if (*around || !is_once_for_all(k, s) || !(inner = first_shared(k, n->counted.body, &none)) || none) continue;
        *around = s;
        return inner;
    }
    return 0;
}

// barrier: the one in front, 0: other phases stand between; assigned: since that one.
static void note_phase(struct walk *w, ir_stmt parfor, ir_stmt barrier, const bool *assigned) {
    const struct wgsl_kernel *k = w->k;
    const struct ir_stmt_node *n = node_of(k, parfor);
    if (!(n->flags & IR_FLAG_LANES) || n->parfor.lane_var || k->phases.of[parfor]->tiling) return;
    struct search x = {.k = k, .needed = base_alloc_array(k->cx, k->u->var_count, sizeof *x.needed), .fits = true};
    ir_stmt around = 0, loop = first_shared(k, n->parfor.body, &around);
    if (!loop || !has_const_ends(k, parfor, &x.found.total) || !find_loads(&x, loop) ||
        !find_defs(&x, parfor, around) || !x.rows || !is_known(&x, NULL))
        return;
    struct wgsl_early *early = base_alloc(k->cx, sizeof *early);
    *early = x.found;
    early->parfor = parfor;
    early->barrier = barrier && is_known(&x, assigned) ? barrier : 0;
    w->of[parfor] = w->of[loop] = early;
    if (early->barrier) w->of[barrier] = early;
    count_vectors(w, early);
}

static void walk_block(struct walk *w, ir_stmt block) {
    const struct wgsl_kernel *k = w->k;
    bool *assigned = base_alloc_array(k->cx, k->u->var_count, sizeof *assigned);
    ir_stmt barrier = 0;
    for (ir_stmt s = block; s; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (n->kind == IR_BARRIER) {
            barrier = s;
            for (ir_var v = 1; v < k->u->var_count; v++)
                assigned[v] = false;
        } else if (n->kind == IR_PARFOR) {
            note_phase(w, s, barrier, assigned);
            barrier = 0;
        } else if (n->kind == IR_ASSIGN || n->kind == IR_COMBINE) {
            assigned[ir_written_var(n)] = true;
        } else if (n->kind != IR_STAGE && n->kind != IR_NOP) {
            ir_stmt inner[2];
            uint32_t blocks = ir_blocks_of(n, inner);
            for (uint32_t i = 0; i < blocks; i++)
                walk_block(w, inner[i]);
            barrier = 0; // a way past it may lead here
        }
    }
}

struct wgsl_earlies wgsl_choose_early(const struct wgsl_kernel *k) {
    struct wgsl_earlies out = {0};
    struct walk w = {k, base_alloc_array(k->cx, k->u->stmt_count + 1, sizeof *w.of), out.most};
    if (k->in->grid) walk_block(&w, k->body);
    out.of = w.of;
    return out;
}
