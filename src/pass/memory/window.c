// Rows that a shared loop reads one after the other, some at a time: the workgroup copies the rows of the next passes
// into its memory, makes these passes, copies the next. It is how all pairs of bodies are usually computed (L. Nyland,
// M. Harris, J. Prins, "Fast N-body simulation with CUDA", GPU Gems 3, 2007): each row is loaded once a workgroup
// instead of once an iteration.
//
// Every invocation of a workgroup is in the same pass of such a loop (lanes.c), so that barriers may stand in it. Taken
// are arrays that the loop reads at [its variable plus a constant][...] alone; each constant has rows of its own.
#include "pass/memory/stage.h"

struct window {
    struct pass_stager *x;
    ir_var var;
    int64_t lo, hi;
    ir_array array, staged; // staged: where loads are to go, 0 while they are looked at
    int64_t offsets[PASS_WINDOW_OFFSETS];
    uint32_t count;
    bool wrong;
};

// `e` as variable + constant.
static bool offset_of(const struct ir_unit *u, ir_expr e, ir_var var, int64_t *out) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits = 0;
    bool sum = (n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(u, n->b, &bits);
    const struct ir_node *v = sum ? &u->nodes[n->a] : n;
    *out = n->op == IR_SUB ? -(int64_t)(int32_t)bits : (int64_t)(int32_t)bits;
    return v->op == IR_VAR && v->a == var;
}

static bool look_at(void *user, ir_expr e) {
    struct window *w = user;
    const struct ir_unit *u = w->x->u;
    const struct ir_node *n = &u->nodes[e];
    int64_t offset;
    if (n->op != IR_LOAD || n->a != w->array) return true;
    uint32_t rows, at = 0;
    bool known = ir_is_const(u, u->arrays[n->a].dims[0], &rows) && offset_of(u, u->args[n->b], w->var, &offset);
    if (!known || w->lo + offset < 0 || w->hi + offset > rows) {
        w->wrong = true;
        return false;
    }
    while (at < w->count && w->offsets[at] != offset)
        at++;
    w->wrong |= at == PASS_WINDOW_OFFSETS;
    if (at < PASS_WINDOW_OFFSETS && at == w->count) w->offsets[w->count++] = offset;
    return true;
}
static ir_expr rename_load(void *user, ir_expr e) {
    struct window *w = user;
    const struct ir_node n = w->x->u->nodes[e];
    if (n.op != IR_LOAD || n.a != w->array) return e;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n.n; i++)
        indices[i] = w->x->u->args[n.b + i];
    return ir_load(w->x->u, w->staged, indices, n.n, n.loc);
}

// Passes between two copies: as many as there is room for, and if possible all stretches alike.
static uint32_t passes_of(uint64_t room, uint64_t trips, uint32_t lanes) {
    uint64_t most = room / lanes * lanes, all = (trips + lanes - 1) / lanes * lanes;
    if (most >= all) return (uint32_t)all;
    for (uint64_t w = most; w > most / 2; w -= lanes)
        if (trips % w == 0) return (uint32_t)w;
    return (uint32_t)most;
}

static void window_array(struct pass_stager *x, ir_stmt loop, ir_array a, uint32_t lanes) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[loop];
    uint64_t trips, width = pass_stage_words(u, a, 1);
    uint32_t lo;
    if (n.counted.step != 1 || !ir_is_const(u, n.counted.lo, &lo) || !ir_const_trips(u, loop, &trips) || width == 0 ||
        width > PASS_STAGE_ROW || pass_stage_words(u, a, 0) == UINT64_MAX)
        return;
    struct window w = {.x = x, .var = n.counted.var, .lo = (int32_t)lo, .hi = (int32_t)lo + (int64_t)trips, .array = a};
    struct ir_visitor visitor = {.on_node = look_at, .user = &w};
    ir_walk_block(u, n.counted.body, &visitor);
    if (w.wrong || w.count == 0) return;
    uint32_t row = pass_stage_row(width);
    uint64_t room = pass_stage_room(x, a, row);
    room = room < PASS_WINDOW_WORDS ? room : PASS_WINDOW_WORDS;
    uint32_t passes = passes_of(room / row / w.count, trips, lanes);
    if (passes < PASS_WINDOW_PASSES_EACH * lanes) return;
    w.staged = pass_stage_add(x, a, row, (uint64_t)passes * w.count * row);
    int32_t *offsets = base_alloc_array(u->cx, w.count, sizeof *offsets);
    for (uint32_t i = 0; i < w.count; i++)
        offsets[i] = (int32_t)w.offsets[i];
    u->arrays[w.staged].window = passes;
    u->arrays[w.staged].offset_count = w.count;
    u->arrays[w.staged].offsets = offsets;
    ir_map_block(u, n.counted.body, rename_load, &w);
    base_text_format(x->p->explain, "stage: the loop at line %u reads '%s' from workgroup memory, %u rows at a time\n",
                     u->cx->locs[n.loc].line, u->arrays[a].name, passes * w.count);
}

static void window_block(struct pass_stager *x, ir_stmt block, uint32_t lanes) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        if (x->u->stmts[s].kind != IR_FOR) continue;
        if (!(x->u->stmts[s].flags & IR_FLAG_LANES)) {
            window_block(x, x->u->stmts[s].counted.body, lanes);
            continue;
        }
        uint64_t before[PASS_STAGE_BLOCKS]; // the next loop may have the same memory
        memcpy(before, x->used, sizeof before);
        struct ir_effects fx = ir_effects_of(x->u, x->u->stmts[s].counted.body);
        for (ir_array a = 1, n = x->u->array_count; a < n; a++)
            if (ir_bit(fx.arrays_read, a) && pass_stage_may(x, a)) window_array(x, s, a, lanes);
        memcpy(x->used, before, sizeof before);
    }
}

void pass_stage_windows(struct pass_stager *x) {
    const struct ir_stmt_node *n = &x->u->stmts[x->parfor];
    if (!(n->flags & IR_FLAG_LANES) || n->parfor.lanes * PASS_WINDOW_SHARING > x->p->target->max_invocations) return;
    window_block(x, n->parfor.body, n->parfor.lanes);
}
