// What the phases of a grid kernel do beside running their iterations: which arrays a workgroup copies before, which
// stencils go tile by tile.
#include "wgsl/decide/kernel.h"

struct walk {
    const struct wgsl_kernel *k;
    const struct wgsl_phase **phases; // by PARFOR statement
    const struct wgsl_window **windows;
    uint8_t *stores;
    ir_stmt stages[WGSL_MAX_STAGES]; // STAGE statements that no phase has yet
    uint32_t stage_count, tilings, loops;
};

static const struct ir_stmt_node *node_of(const struct wgsl_kernel *k, ir_stmt s) { return &k->u->stmts[s]; }

// ---- tiles ---------------------------------------------------------------------------------------------------------

bool wgsl_has_sides(const struct ir_plane *q) { return q->side_low <= q->side_high; }

uint32_t wgsl_tile_width(const struct wgsl_kernel *k, const struct ir_plane *q) {
    return k->in->workgroup_size + (uint32_t)(q->left + q->right);
}

static uint32_t words_of(const struct wgsl_kernel *k, const struct ir_plane *q, uint32_t rows) {
    return wgsl_has_sides(q) ? wgsl_tile_width(k, q) * (rows + (uint32_t)(q->side_high - q->side_low)) : 0;
}

static const struct wgsl_tiling *tiling_of(struct walk *w, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(w->k, parfor);
    if ((n->flags & IR_FLAG_LANES) || !n->parfor.tile_rows) return NULL;
    struct wgsl_tiling *t = base_alloc(w->k->cx, sizeof *t);
    if (!ir_tile_of(w->k->u, parfor, &t->tile)) base_bug(w->k->cx, "tiles of a loop that is no stencil");
    for (uint32_t i = 0; i < t->tile.count; i++) {
        const struct ir_plane *q = &t->tile.planes[i];
        enum ir_type type = ir_elem_type((enum whorl_dtype)w->k->u->arrays[q->array].elem);
        t->first[i] = t->words[type];
        t->words[type] += words_of(w->k, q, n->parfor.tile_rows);
    }
    t->reverse = w->tilings++ % 2 != 0;
    return t;
}

// ---- windows -------------------------------------------------------------------------------------------------------

struct reads {
    const struct ir_unit *u;
    struct wgsl_window *window;
};
static bool on_load(void *user, ir_expr x) {
    struct reads *r = user;
    const struct ir_node *n = &r->u->nodes[x];
    if (n->op != IR_LOAD || !r->u->arrays[n->a].window) return true;
    uint32_t at = 0;
    while (at < r->window->count && r->window->arrays[at] != n->a)
        at++;
    if (at == r->window->count && at < WGSL_MAX_STAGES) r->window->arrays[r->window->count++] = n->a;
    return true;
}

static const struct wgsl_window *window_of(const struct wgsl_kernel *k, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(k, loop);
    struct wgsl_window found = {.count = 0}, *out;
    struct reads r = {k->u, &found};
    ir_walk_nodes(k->u, n->counted.body, on_load, &r);
    if (!found.count) return NULL;
    uint32_t low, high;
    if (!ir_is_const(k->u, n->counted.lo, &low) || !ir_is_const(k->u, n->counted.hi, &high))
        base_bug(k->cx, "a window in a loop of unknown length");
    found.low = (int32_t)low;
    found.trips = high - low;
    found.passes = k->u->arrays[found.arrays[0]].window;
    for (uint32_t i = 1; i < found.count; i++) {
        uint32_t rows = k->u->arrays[found.arrays[i]].window;
        found.passes = rows < found.passes ? rows : found.passes;
    }
    for (uint32_t i = 0; i < found.count; i++)
        found.cut |= found.trips % found.passes != 0 || k->u->arrays[found.arrays[i]].window != found.passes;
    out = base_alloc(k->cx, sizeof *out);
    *out = found;
    return out;
}

static bool on_shared_loop(void *user, ir_stmt s) {
    struct walk *w = user;
    const struct ir_stmt_node *n = node_of(w->k, s);
    if (n->kind == IR_FOR && (n->flags & IR_FLAG_LANES)) w->windows[s] = window_of(w->k, s);
    return true;
}

// ---- copies ---------------------------------------------------------------------------------------------------------

struct staged_load {
    const struct wgsl_kernel *k;
    bool found;
};
static void on_leaf(void *user, ir_expr leaf) {
    struct staged_load *x = user;
    const struct ir_node *n = &x->k->u->nodes[leaf];
    x->found |= n->op == IR_LOAD && x->k->u->arrays[n->a].klass == IR_ARRAY_STAGED;
}

// The statement can run before the copies are there.
static bool reads_no_copy(const struct wgsl_kernel *k, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(k, s);
    if (n->kind != IR_ASSIGN) return false;
    struct staged_load x = {k, false};
    wgsl_visit_leaves(k, n->assign.value, on_leaf, &x);
    return !x.found;
}

// Where a phase on lanes stores its copies: as late as it can.
static void choose_store(struct walk *w, ir_stmt parfor) {
    const struct ir_stmt_node *n = node_of(w->k, parfor);
    ir_stmt s = n->parfor.body;
    while (s && reads_no_copy(w->k, s))
        s = node_of(w->k, s)->next;
    if (s) w->stores[s] = wgsl_loads_first(w->k, s, n->parfor.lanes) ? WGSL_STORE_INSIDE : WGSL_STORE_BEFORE;
}

// ---- the walk ------------------------------------------------------------------------------------------------------

static void note_stage(struct walk *w, ir_stmt s) {
    if (w->k->u->arrays[node_of(w->k, s)->stage.to].window) return;
    if (w->stage_count == WGSL_MAX_STAGES) base_bug(w->k->cx, "a phase has too many copies");
    w->stages[w->stage_count++] = s;
}

static void note_phase(struct walk *w, ir_stmt s) {
    struct wgsl_phase *phase = base_alloc(w->k->cx, sizeof *phase);
    phase->runs_once = w->k->resume.points && w->loops == 0;
    phase->tiling = tiling_of(w, s);
    if (!phase->tiling) {
        ir_stmt *stages = base_alloc_array(w->k->cx, w->stage_count + 1, sizeof *stages);
        for (uint32_t i = 0; i < w->stage_count; i++)
            stages[i] = w->stages[i];
        phase->stages = stages;
        phase->stage_count = w->stage_count;
        w->stage_count = 0;
    }
    w->phases[s] = phase;
    if (phase->stage_count && wgsl_has_lanes(w->k, s)) choose_store(w, s);
    ir_walk_stmts(w->k->u, node_of(w->k, s)->parfor.body, on_shared_loop, w);
}

static void walk_block(struct walk *w, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(w->k, s)->next) {
        const struct ir_stmt_node *n = node_of(w->k, s);
        if (n->kind == IR_STAGE) note_stage(w, s);
        if (n->kind == IR_PARFOR) {
            note_phase(w, s);
            continue;
        }
        bool is_loop = n->kind == IR_FOR || n->kind == IR_LOOP;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        w->loops += is_loop;
        for (uint32_t i = 0; i < blocks; i++)
            walk_block(w, inner[i]);
        w->loops -= is_loop;
    }
}

struct wgsl_phases wgsl_choose_phases(const struct wgsl_kernel *k) {
    uint32_t count = k->u->stmt_count + 1;
    struct walk w = {.k = k, .phases = base_alloc_array(k->cx, count, sizeof *w.phases)};
    w.windows = base_alloc_array(k->cx, count, sizeof *w.windows);
    w.stores = base_alloc_array(k->cx, count, sizeof *w.stores);
    if (k->in->grid) walk_block(&w, k->body);
    return (struct wgsl_phases){w.phases, w.windows, w.stores};
}
