// Vectors that every iteration reads are copied into workgroup memory before the phase: what other workgroups have
// written lives in atomic words, whose loads go past the nearest cache and are not overlapped with each other.
//
// Taken are arrays of constant size that the phase does not write, something else in the program does, and each
// iteration reads many times at places that do not depend on it, in loops or in what was unrolled; the smallest first,
// as long as the workgroup's memory lasts. So are tables in which the data say where to look, or what is left of a
// multiple: what a workgroup asks for at once lies all over them. Of those that do not fit, what a shared loop reads
// row by row is copied some rows at a time (window.c).
//
// Short rows stand with a constant distance: a row is then one index for the driver, which tests each.
#include "pass/memory/stage.h"

enum { SHORT_ROW = IR_STAGED_VECTOR };

struct invariant {
    const struct pass_stager *x;
    bool holds;
};

// A variable that tells iterations apart: set in the body, but neither by a loop nor to what is the same for all.
static bool on_index(void *user, ir_expr e) {
    struct invariant *v = user;
    const struct ir_unit *u = v->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) v->holds = false;
    if (n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_DIM) v->holds = false;
    if (n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_LOCAL && !ir_bit(v->x->counters, n->a)) v->holds = false;
    return v->holds;
}

static bool on_multiple(void *user, ir_expr e) {
    struct invariant *v = user;
    v->holds |= v->x->u->nodes[e].op == IR_MUL;
    return !v->holds;
}

// Made of what is loaded, or what is left of a multiple, as the angle of a transform's term: it goes to and fro. What
// the data only bound, as the last of a row, does not.
static bool is_data(const struct pass_stager *x, ir_expr e);
static bool on_data(void *user, ir_expr e) {
    struct invariant *v = user;
    const struct ir_node *n = &v->x->u->nodes[e];
    if (n->op == IR_MIN || n->op == IR_MAX || n->op == IR_SELECT) {
        v->holds |= is_data(v->x, n->op == IR_SELECT ? n->c : n->a) && is_data(v->x, n->b);
        return false;
    }
    v->holds |= n->op == IR_LOAD || (n->op == IR_VAR && ir_bit(v->x->data, n->a));
    if (n->op == IR_REM || n->op == IR_AND) ir_walk_expr(v->x->u, n->a, on_multiple, v);
    return !v->holds;
}
static bool is_data(const struct pass_stager *x, ir_expr e) {
    struct invariant v = {x, false};
    ir_walk_expr(x->u, e, on_data, &v);
    return v.holds;
}

static bool is_same(const struct pass_stager *x, ir_expr e) {
    struct invariant v = {x, true};
    ir_walk_expr(x->u, e, on_index, &v);
    return v.holds;
}

static bool on_node(void *user, ir_expr e) {
    struct pass_stager *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_LOAD || !ir_in_buffer(x->u, n->a)) return true;
    bool same = true, from_data = false;
    for (uint32_t i = 0; i < n->n; i++)
        same &= is_same(x, x->u->args[n->b + i]);
    for (uint32_t i = 0; i < n->n && !same; i++)
        from_data |= is_data(x, x->u->args[n->b + i]);
    x->loads[n->a] += same ? x->runs : from_data ? x->runs * x->rounds * PASS_STAGE_SCATTERED : 0;
    return true;
}

static bool on_stmt(void *user, ir_stmt s) {
    struct pass_stager *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR) x->counters[n->counted.var / 32] |= 1u << n->counted.var % 32;
    if (n->kind != IR_ASSIGN) return true;
    if (is_same(x, n->assign.value)) x->counters[n->assign.var / 32] |= 1u << n->assign.var % 32;
    if (is_data(x, n->assign.value)) x->data[n->assign.var / 32] |= 1u << n->assign.var % 32;
    return true;
}

// Counts the loads of an iteration. Loops of whose length nothing is known count as one pass.
static void count_loads(struct pass_stager *x, ir_stmt block, uint64_t runs) {
    struct ir_unit *u = x->u;
    const struct ir_visitor visitor = {.on_node = on_node, .user = x};
    for (ir_stmt s = block, next; s; s = next) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&n, inner);
        uint32_t mark = pass_scope_enter(&x->sc);
        uint64_t trips = 0;
        if (n.kind == IR_FOR) trips = pass_middle_trips(&x->sc, n.counted.lo, n.counted.hi, n.counted.step);
        if (trips == 0) trips = 1;
        next = n.next;
        if (n.kind == IR_FOR || n.kind == IR_TURN) pass_scope_loop(&x->sc, s);
        uint64_t deeper = runs * (trips < PASS_STAGE_MOST_RUNS ? trips : PASS_STAGE_MOST_RUNS);
        for (uint32_t i = 0; i < blocks; i++)
            count_loads(x, inner[i], deeper < PASS_STAGE_MOST_RUNS ? deeper : PASS_STAGE_MOST_RUNS);
        pass_scope_leave(&x->sc, mark);
        if (n.kind == IR_ASSIGN) pass_scope_assign(&x->sc, s);
        x->runs = runs;
        if (n.kind == IR_IF) ir_walk_expr(u, n.branch.cond, on_node, x);
        if (blocks) continue;
        u->stmts[s].next = 0;
        ir_walk_block(u, s, &visitor);
        u->stmts[s].next = next;
    }
}

// Too many, or not known: UINT64_MAX.
uint64_t pass_stage_words(const struct ir_unit *u, ir_array a, uint32_t from) {
    return pass_elements(u, a, from, PASS_STAGE_MOST_WORDS);
}

// ---- room: one block a type, and others for rows that are vectors, which phases use in turn -------------------------

static uint32_t block_of(const struct ir_unit *u, ir_array a, uint32_t width) {
    uint32_t type = ir_elem_type((enum whorl_dtype)u->arrays[a].elem);
    return type * (IR_STAGED_VECTOR + 1) + (width <= IR_STAGED_VECTOR ? width : 1);
}

uint64_t pass_stage_room(const struct pass_stager *x, ir_array a, uint32_t width) {
    uint32_t bytes = x->p->target->workgroup_bytes;
    uint64_t others = x->taken, room = bytes > IR_LANES_BYTES ? (bytes - IR_LANES_BYTES) / 4 : 0;
    for (uint32_t i = 0; i < PASS_STAGE_BLOCKS; i++)
        others += i == block_of(x->u, a, width) ? x->used[i] : x->most[i];
    return others < room ? room - others : 0;
}

ir_array pass_stage_add(struct pass_stager *x, ir_array source, uint32_t width, uint64_t words) {
    struct ir_unit *u = x->u;
    const struct ir_array_info info = u->arrays[source];
    uint32_t block = block_of(u, source, width), row = pass_stage_row(width);
    ir_array staged =
        ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_STAGED, info.ndims, info.dims, info.loc);
    u->arrays[staged].data_count = (uint32_t)(x->used[block] / (row <= IR_STAGED_VECTOR ? row : 1));
    u->arrays[staged].source = source;
    u->arrays[staged].row = row;
    x->used[block] += words;
    if (x->used[block] > x->most[block]) x->most[block] = x->used[block];
    ir_stmt copy = ir_add_stmt(u, IR_STAGE, u->stmts[x->parfor].loc);
    u->stmts[copy].stage.to = staged;
    u->stmts[copy].stage.from = source;
    ir_append(u, &x->before, copy);
    return staged;
}

bool pass_stage_may(const struct pass_stager *x, ir_array a) {
    const struct ir_array_info *info = &x->u->arrays[a];
    return ir_in_buffer(x->u, a) && ir_bit(x->all.arrays_written, a) && !ir_bit(x->body.arrays_written, a) &&
           (info->elem == WHORL_F32 || info->elem == WHORL_I32 || info->elem == WHORL_U32);
}

// Up to four words are a vector of WGSL, where three take the room of four; else an odd number, so that neighbouring
// rows start in different banks of that memory.
uint32_t pass_stage_row(uint64_t words) {
    return words <= IR_STAGED_VECTOR ? (words == 3 ? 4 : (uint32_t)words) : (uint32_t)words | 1;
}

// ---- whole arrays ---------------------------------------------------------------------------------------------------

static void stage_wholes(struct pass_stager *x) {
    struct ir_unit *u = x->u;
    for (uint32_t arrays = u->array_count;;) {
        ir_array best = 0;
        uint64_t least = UINT64_MAX;
        for (ir_array a = 1; a < arrays; a++) {
            bool wanted = x->loads[a] >= PASS_STAGE_LEAST_LOADS && pass_stage_may(x, a);
            uint64_t words = wanted ? pass_stage_words(u, a, 0) : UINT64_MAX;
            uint64_t copied = words / PASS_WORKGROUP; // by each invocation
            if (words < least && copied * PASS_STAGE_GAIN <= x->loads[a]) least = words, best = a;
        }
        if (!best) return;
        uint64_t width = u->arrays[best].ndims > 1 ? pass_stage_words(u, best, 1) : 1;
        if (width == 0 || width > SHORT_ROW) width = 1;
        uint64_t words = least / width * pass_stage_row(width);
        x->loads[best] = 0;
        if (words > pass_stage_room(x, best, (uint32_t)width)) {
            width = 1, words = least;
            if (words > pass_stage_room(x, best, 1)) continue;
        }
        ir_array staged = pass_stage_add(x, best, (uint32_t)width, words);
        pass_rename_loads(u, u->stmts[x->parfor].parfor.body, best, staged);
        base_text_format(x->p->explain, "stage: the loop at line %u reads '%s' from workgroup memory\n",
                         u->cx->locs[u->stmts[x->parfor].loc].line, u->arrays[best].name);
    }
}

// What pass_panel and pass_turn have in workgroup memory during the phase.
static bool on_box(void *user, ir_stmt s) {
    struct pass_stager *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_array box = ir_box_of(x->u, n);
    if (!box) return true;
    uint32_t block = block_of(x->u, box, 1);
    uint64_t end = x->u->arrays[box].data_count + ir_box_words(x->u, box);
    if (end > x->used[block]) x->used[block] = end;
    if (end > x->most[block]) x->most[block] = end;
    return true;
}

// The statements that stand before the phase.
static ir_stmt stage_phase(struct pass_stager *x, ir_stmt parfor) {
    struct ir_unit *u = x->u;
    ir_stmt body = u->stmts[parfor].parfor.body;
    x->parfor = parfor;
    x->before = 0;
    x->body = ir_effects_of(u, body);
    x->loads = base_alloc_array(u->cx, u->array_count, sizeof *x->loads);
    x->counters = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *x->counters);
    x->data = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *x->data);
    uint64_t iterations, busy = x->p->target->busy_invocations;
    x->rounds = ir_const_iterations(u, parfor, &iterations) && busy ? (iterations + busy - 1) / busy : 1;
    memset(x->used, 0, sizeof x->used);
    struct ir_visitor variables = {.on_stmt = on_stmt, .user = x}, boxes = {.on_stmt = on_box, .user = x};
    ir_walk_block(u, body, &variables);
    ir_walk_block(u, body, &boxes);
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_parfor(&x->sc, parfor);
    count_loads(x, body, 1);
    pass_scope_leave(&x->sc, mark);
    stage_wholes(x);
    pass_stage_windows(x);
    return x->before;
}

static ir_stmt before_phase(void *user, ir_stmt s) {
    struct pass_stager *x = user;
    return x->u->stmts[s].kind == IR_PARFOR ? stage_phase(x, s) : 0;
}

void pass_stage(struct pass_cx *p) {
    struct pass_stager x = {.p = p, .u = p->u, .all = ir_effects_of(p->u, p->u->root)};
    x.taken = pass_private_words(p->u) + pass_lane_array_words(p->u) + ir_neighbour_all(p->u);
    struct ir_visitor boxes = {.on_stmt = on_box, .user = &x};
    ir_walk_block(p->u, p->u->root, &boxes); // all phases' are in the kernel's memory
    struct pass_rewriter stager = {.u = p->u, .sc = &x.sc, .user = &x, .before = before_phase, .phases = true};
    pass_scope_init(&x.sc, p->u);
    p->u->root = pass_rewrite_block(&stager, p->u->root);
}
