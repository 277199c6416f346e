// Parts of arrays that the iterations of a workgroup read together are copied into its memory, a stretch of a loop's
// passes at a time: each word is loaded once a workgroup instead of once an iteration (for products of matrices:
// M. Lam, E. Rothberg, M. Wolf, "The cache performance and optimizations of blocked algorithms", ASPLOS 1991).
//
//   parallel for (tiles) lanes(16 x 16) { for (k) s += a[row][k] * b[k][column]; }
//
// becomes, for the rows and columns of the workgroup's tile,
//
//   for (stretches) { stage rows x passes of a; stage passes x columns of b; for (k of the stretch) ... }
//
// Taken are parallel loops whose last dimensions are a workgroup's invocations (pass_jam makes them so), and in these
// loops that every invocation comes to and makes as many passes of. The law: nothing in the parallel loop writes such
// an array, and what a load's index is made of says which box of the array the whole workgroup reads (panel_box.c).
//
// Invocations beyond the end of the space, where tiles do not fit, help to copy and compute something: they store
// nothing.
#include "pass/memory/panel.h"

static struct ir_stmt_node *node_of(const struct panel *x, ir_stmt s) { return &x->u->stmts[s]; }

// ---- what is alike --------------------------------------------------------------------------------------------------

struct asked {
    const struct panel *x;
    bool loads; // may be in it, of what the parallel loop does not write
    bool alike;
};
static bool ask_node(void *user, ir_expr e) {
    struct asked *q = user;
    const struct ir_node *n = &q->x->u->nodes[e];
    if (n->op == IR_LOAD) q->alike &= q->loads && ir_in_buffer(q->x->u, n->a) && !ir_bit(q->x->written, n->a);
    if (n->op == IR_VAR) q->alike &= n->a < q->x->var_cap && q->x->roles[n->a] == PANEL_ALIKE;
    return q->alike;
}
static bool is_alike(const struct panel *x, ir_expr e, bool loads) {
    struct asked q = {x, loads, true};
    ir_walk_expr(x->u, e, ask_node, &q);
    return q.alike;
}

// All of a workgroup come to the loop, if they come to what is around, and make the same passes.
static bool is_common(const struct panel *x, const struct ir_stmt_node *n) {
    return n->kind == IR_FOR && !(n->flags & IR_FLAG_LANES) && is_alike(x, n->counted.lo, false) &&
           is_alike(x, n->counted.hi, false) && !pass_leaves_loop(x->u, n->counted.body);
}

// ---- one loop -------------------------------------------------------------------------------------------------------

// Values of the counter of a loop whose bounds are constants.
static bool count_values(struct panel *x, ir_stmt s, enum panel_role role) {
    const struct ir_stmt_node *n = node_of(x, s);
    uint64_t trips;
    uint32_t lo;
    if (n->kind != IR_FOR || x->u->vars[n->counted.var].type != IR_I32 || !ir_const_trips(x->u, s, &trips) ||
        trips == 0 || trips > INT32_MAX || !ir_is_const(x->u, n->counted.lo, &lo))
        return false;
    int64_t from = (int32_t)lo, to = from + ((int64_t)trips - 1) * n->counted.step;
    x->roles[n->counted.var] = (uint8_t)role;
    x->first[n->counted.var] = from < to ? from : to;
    x->last[n->counted.var] = from < to ? to : from;
    return true;
}

// How often a lane runs the statements in a pass of the loop; and the counters in it.
static void count_runs(struct panel *x, ir_stmt block, uint64_t runs) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt inner[2];
        uint64_t trips = 1;
        x->runs[s] = runs;
        if (n.kind == IR_FOR && count_values(x, s, PANEL_INNER)) (void)ir_const_trips(x->u, s, &trips);
        trips = trips < PASS_JAM_MOST_WEIGHT ? trips : PASS_JAM_MOST_WEIGHT;
        uint64_t deeper = runs * trips < PASS_JAM_MOST_WEIGHT ? runs * trips : PASS_JAM_MOST_WEIGHT;
        for (uint32_t i = 0, blocks = ir_blocks_of(&n, inner); i < blocks; i++)
            count_runs(x, inner[i], deeper);
    }
}
static void forget_counters(struct panel *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        const struct ir_stmt_node n = *node_of(x, s);
        ir_stmt inner[2];
        if (n.kind == IR_FOR) x->roles[n.counted.var] = PANEL_OTHER;
        for (uint32_t i = 0, blocks = ir_blocks_of(&n, inner); i < blocks; i++)
            forget_counters(x, inner[i]);
    }
}

static uint64_t room_of(const struct panel *x) {
    uint32_t bytes = x->p->target->workgroup_bytes;
    uint64_t room = bytes > IR_LANES_BYTES ? (bytes - IR_LANES_BYTES) / 4 : 0;
    return room < PASS_PANEL_WORDS ? room : PASS_PANEL_WORDS;
}

// The most passes whose boxes there is room for; rather somewhat fewer that divide the loop. 0: it does not pay.
static uint64_t choose_passes(struct panel *x, uint64_t trips) {
    uint64_t most = trips < PASS_PANEL_WORDS ? trips : PASS_PANEL_WORDS, reads = 0, room = room_of(x);
    uint32_t kept = 0;
    while (most && panel_measure(x, most, &kept) > room)
        most--;
    uint64_t passes = most;
    while (passes && trips % passes)
        passes--;
    if (2 * passes < most) passes = most;
    if (!passes || panel_measure(x, passes, &kept) > room || !kept) return 0;
    for (uint32_t i = 0; i < x->box_count; i++)
        reads += x->boxes[i].words ? x->boxes[i].reads : 0;
    return reads * passes >= PASS_PANEL_WORK ? passes : 0;
}

// Nothing in the loop goes beyond an array or changes one where an invocation is past the end of the space.
static bool is_harmless(const struct panel *x, const struct pass_accesses *accesses) {
    for (uint32_t i = 0; i < accesses->count; i++)
        if (accesses->items[i].store) return false;
    for (uint32_t i = 0; i < x->load_count; i++) {
        const struct panel_load *load = &x->loads[i];
        bool boxed = load->box < PANEL_BOXES && x->boxes[load->box].words;
        if (!boxed && !pass_is_safe_anywhere(x->sc, load->load)) return false;
    }
    return true;
}

// -> what takes the loop's place, 0: it stays
static ir_stmt panel_loop(struct panel *x, ir_stmt loop, bool guarded) {
    const struct ir_stmt_node n = *node_of(x, loop);
    struct pass_accesses accesses = {0};
    uint64_t trips, passes = 0;
    if (!is_common(x, &n) || n.counted.step != 1 || !count_values(x, loop, PANEL_PASS)) return 0;
    (void)ir_const_trips(x->u, loop, &trips);
    x->loop = loop;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, loop);
    count_runs(x, n.counted.body, 1);
    pass_collect(x->sc, n.counted.body, &accesses);
    panel_find_boxes(x, &accesses);
    passes = choose_passes(x, trips);
    if (guarded && passes && !is_harmless(x, &accesses)) passes = 0;
    pass_scope_leave(x->sc, mark);
    ir_stmt out = passes ? panel_stretches(x, passes, trips) : 0;
    forget_counters(x, n.counted.body);
    x->roles[n.counted.var] = PANEL_OTHER;
    return out;
}

// ---- the parallel loop ----------------------------------------------------------------------------------------------

static bool panel_block(struct panel *x, ir_stmt *block, bool guarded);
static bool panel_body(struct panel *x, ir_stmt *body);

// A loop that is too large as a whole may have one inside that is not.
static bool panel_inside(struct panel *x, ir_stmt s) {
    struct ir_stmt_node *n = node_of(x, s);
    if (!is_common(x, n)) return false;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    x->roles[n->counted.var] = PANEL_ALIKE;
    ir_stmt body = n->counted.body;
    bool found = panel_block(x, &body, false);
    node_of(x, s)->counted.body = body;
    x->roles[node_of(x, s)->counted.var] = PANEL_OTHER;
    pass_scope_leave(x->sc, mark);
    return found;
}

// A branch that all of a workgroup take.
static bool panel_branches(struct panel *x, ir_stmt s) {
    const struct ir_stmt_node n = *node_of(x, s);
    ir_stmt then_block = n.branch.then_block, else_block = n.branch.else_block;
    if (!is_alike(x, n.branch.cond, true)) return false;
    bool found = panel_body(x, &then_block);
    found |= panel_block(x, &else_block, false);
    node_of(x, s)->branch.then_block = then_block;
    node_of(x, s)->branch.else_block = else_block;
    return found;
}

static bool panel_block(struct panel *x, ir_stmt *block, bool guarded) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    bool found = false;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = *block, next; s; s = next) {
        next = u->stmts[s].next;
        ir_stmt made = u->stmts[s].kind == IR_FOR ? panel_loop(x, s, guarded) : 0;
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (!made && u->stmts[s].kind == IR_FOR && !guarded) found |= panel_inside(x, s);
        if (u->stmts[s].kind == IR_IF && !guarded) found |= panel_branches(x, s);
        found |= made != 0;
        u->stmts[s].next = 0;
        ir_append(u, &out, made ? made : s);
    }
    pass_scope_leave(x->sc, mark);
    *block = out;
    return found;
}

struct survey {
    const struct ir_unit *u;
    bool fits;
};
static bool on_stmt(void *user, ir_stmt s) {
    struct survey *v = user;
    struct ir_stmt_node *n = &v->u->stmts[s];
    v->fits &= n->kind != IR_ATOMIC && n->kind != IR_AGREE && n->kind != IR_STAGE &&
               !(n->kind == IR_ASSIGN && n->flags & IR_FLAG_ATOMIC) &&
               !(n->kind == IR_FOR && n->flags & (IR_FLAG_LANES | IR_FLAG_SIMD)); // rows are for lanes
    return true;
}

// What decides whether an invocation has an iteration: `if (it exists) block` alone behind assignments; 0: all have.
static ir_stmt guard_of(const struct panel *x, ir_stmt body) {
    ir_stmt s = body;
    while (s && node_of(x, s)->kind == IR_ASSIGN)
        s = node_of(x, s)->next;
    const struct ir_stmt_node *n = node_of(x, s);
    bool alone = s && n->kind == IR_IF && !n->next && !n->branch.else_block;
    return alone && !is_alike(x, n->branch.cond, true) ? s : 0;
}

// The iterations' statements, which may be under a guard.
static bool panel_body(struct panel *x, ir_stmt *body) {
    struct ir_unit *u = x->u;
    ir_stmt guard = guard_of(x, *body);
    bool found;
    if (!guard) return panel_block(x, body, false);
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = *body; s != guard; s = u->stmts[s].next)
        pass_scope_assign(x->sc, s);
    ir_stmt block = u->stmts[guard].branch.then_block;
    found = panel_block(x, &block, true);
    u->stmts[guard].branch.then_block = block;
    if (found) {
        ir_stmt list = panel_guarded(x, u->stmts[guard].branch.cond, block);
        ir_stmt before = *body;
        while (before != guard && u->stmts[before].next != guard)
            before = u->stmts[before].next;
        if (before == guard)
            *body = list;
        else
            u->stmts[before].next = list;
    }
    pass_scope_leave(x->sc, mark);
    return found;
}

static void panel_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct pass_cx *p = user;
    struct ir_unit *u = p->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    struct panel x = {.p = p, .u = u, .sc = sc, .parfor = parfor, .var_cap = u->var_count};
    struct survey survey = {u, true};
    uint64_t iterations;
    uint32_t lanes = panel_lane_dims(&x, &n);
    if (!lanes || n.flags & IR_FLAG_LANES || n.parfor.reduction_count || n.parfor.tile_rows ||
        p->target->max_invocations < PASS_WORKGROUP || !pass_iterations(sc, parfor, &iterations) ||
        iterations * PASS_JAM_HIDES < p->target->busy_invocations)
        return;
    ir_walk_stmts(u, n.parfor.body, on_stmt, &survey);
    if (!survey.fits) return;
    struct ir_effects fx = ir_effects_of(u, n.parfor.body);
    struct ir_effects all = ir_effects_of(u, u->root);
    x.written = fx.arrays_written;
    x.shared = all.arrays_written;
    x.roles = base_alloc_array(u->cx, x.var_cap, sizeof *x.roles);
    x.first = base_alloc_array(u->cx, x.var_cap, sizeof *x.first);
    x.last = base_alloc_array(u->cx, x.var_cap, sizeof *x.last);
    x.zeroed = base_alloc_array(u->cx, x.var_cap / 32 + 1, sizeof *x.zeroed);
    x.runs = base_alloc_array(u->cx, u->stmt_count, sizeof *x.runs);
    for (ir_var v = 1; v < x.var_cap; v++)
        x.roles[v] = u->vars[v].klass == IR_VAR_PARAM || u->vars[v].klass == IR_VAR_ENTRY ? PANEL_ALIKE : PANEL_OTHER;
    for (uint32_t d = 0; d < n.parfor.dim_count; d++) {
        const struct ir_dim *dim = &u->dims[n.parfor.dims + d];
        uint32_t hi = 0;
        bool lane = d + lanes >= n.parfor.dim_count;
        if (lane) ir_is_const(u, dim->hi, &hi);
        x.roles[dim->var] = lane ? PANEL_LANE : PANEL_ALIKE;
        x.last[dim->var] = (int64_t)hi - 1;
    }
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    ir_stmt body = n.parfor.body;
    bool found = panel_body(&x, &body);
    u->stmts[parfor].parfor.body = body;
    pass_scope_leave(sc, mark);
    if (!found) return;
    panel_make_team(&x, lanes);
}

uint32_t pass_panel_words(const struct ir_unit *u) {
    uint64_t most[IR_F32 + 1] = {0}, all = 0;
    for (ir_array a = 1; a < u->array_count; a++) {
        const struct ir_array_info *info = &u->arrays[a];
        enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
        uint64_t end = info->is_box ? info->data_count + ir_box_words(u, a) : 0;
        if (end > most[type]) most[type] = end;
    }
    for (int type = 0; type <= IR_F32; type++)
        all += most[type];
    return (uint32_t)all;
}

void pass_panel(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, panel_parfor, p);
}
