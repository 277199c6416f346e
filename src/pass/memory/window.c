// Rows that a shared loop reads one after the other, some at a time: the workgroup copies the rows of the next passes
// into its memory, makes these passes, copies the next. It is how all pairs of bodies are usually computed (L. Nyland,
// M. Harris, J. Prins, "Fast N-body simulation with CUDA", GPU Gems 3, 2007): each row is loaded once a workgroup
// instead of once an iteration.
//
// Every invocation of a workgroup is in the same pass of such a loop (lanes.c), so that barriers may stand in it. Taken
// are arrays that the loop reads at [its variable plus a constant][...] alone, or at [constants][its variable times a
// constant c plus a constant], where c elements side by side count as a row. Each constant has rows of its own.
#include "pass/memory/stage.h"

struct window {
    struct pass_stager *x;
    ir_var var;
    int64_t lo, hi;
    ir_array array, staged; // staged: where loads are to go
    uint32_t rows, width;   // of the array; of one of its rows
    bool along;             // rows are parts of the last dimension, `width` of its elements
    int64_t offsets[PASS_WINDOW_OFFSETS];
    uint32_t count, loads;
    bool wrong;
};

// `e` as coef * variable + constant.
static bool is_linear(const struct ir_unit *u, ir_expr e, ir_var var, int64_t *coef, int64_t *constant) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits = 0;
    int64_t more, rest;
    *coef = n->op == IR_VAR;
    *constant = 0;
    if (n->op == IR_VAR) return n->a == var;
    if (ir_is_const(u, e, &bits)) return *constant = (int32_t)bits, true;
    if (n->op != IR_ADD && n->op != IR_SUB && n->op != IR_MUL) return false;
    if (!is_linear(u, n->a, var, coef, constant) || !is_linear(u, n->b, var, &more, &rest)) return false;
    if (n->op == IR_MUL && *coef && more) return false;
    *coef = n->op == IR_MUL ? *coef * rest + *constant * more : n->op == IR_ADD ? *coef + more : *coef - more;
    *constant = n->op == IR_MUL ? *constant * rest : n->op == IR_ADD ? *constant + rest : *constant - rest;
    return *coef >= INT32_MIN && *coef <= INT32_MAX && *constant >= INT32_MIN && *constant <= INT32_MAX;
}

// The row that the load reads is the loop's variable plus *offset; of rows along the last dimension, its *column.
static bool row_of(const struct window *w, const struct ir_node *n, int64_t *offset, int64_t *column) {
    const struct ir_unit *u = w->x->u;
    uint32_t bits, length = 0;
    int64_t coef, at = 0;
    if (!w->along) return is_linear(u, u->args[n->b], w->var, &coef, offset) && coef == 1;
    for (uint32_t d = 0; d + 1 < n->n; d++) {
        if (!ir_is_const(u, u->args[n->b + d], &bits) || !ir_is_const(u, u->arrays[n->a].dims[d], &length))
            return false;
        if (bits >= length) return false;
        at = at * length + bits;
    }
    if (!ir_is_const(u, u->arrays[n->a].dims[n->n - 1], &length) || length % w->width ||
        !is_linear(u, u->args[n->b + n->n - 1], w->var, &coef, column) || coef != w->width || *column < 0 ||
        w->lo * coef < 0 || (w->hi - 1) * coef + *column >= length)
        return false;
    *offset = at * (length / w->width) + *column / w->width;
    *column %= w->width;
    return true;
}

static bool look_at(void *user, ir_expr e) {
    struct window *w = user;
    const struct ir_node *n = &w->x->u->nodes[e];
    int64_t offset = 0, column;
    uint32_t at = 0;
    if (n->op != IR_LOAD || n->a != w->array) return true;
    if (!row_of(w, n, &offset, &column) || w->lo + offset < 0 || w->hi + offset > w->rows) {
        w->wrong = true;
        return false;
    }
    w->loads++;
    while (at < w->count && w->offsets[at] != offset)
        at++;
    w->wrong |= at == PASS_WINDOW_OFFSETS;
    if (at < PASS_WINDOW_OFFSETS && at == w->count) w->offsets[w->count++] = offset;
    return true;
}

static ir_expr rename_load(void *user, ir_expr e) {
    struct window *w = user;
    struct ir_unit *u = w->x->u;
    const struct ir_node n = u->nodes[e];
    int64_t offset, column = 0;
    if (n.op != IR_LOAD || n.a != w->array) return e;
    uint32_t indices[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n.n; i++)
        indices[i] = u->args[n.b + i];
    (void)row_of(w, &n, &offset, &column);
    ir_expr distance = ir_const(u, (enum ir_type)u->vars[w->var].type, (uint32_t)(int32_t)offset);
    indices[0] = ir_var_read(u, w->var, n.loc); // and one constant, whatever sum it was
    if (offset) indices[0] = ir_op2(u, IR_ADD, indices[0], distance, n.loc);
    if (w->along) indices[1] = ir_const_i32(u, (int32_t)column);
    return ir_load(u, w->staged, indices, w->along ? 2 : n.n, n.loc);
}

// Rows along the last dimension are as wide as the loop goes on in a pass.
struct stride {
    const struct window *w;
    uint32_t width;
};
static bool find_stride(void *user, ir_expr e) {
    struct stride *x = user;
    const struct ir_unit *u = x->w->x->u;
    const struct ir_node *n = &u->nodes[e];
    int64_t coef, constant;
    if (n->op == IR_LOAD && n->a == x->w->array && !x->width &&
        is_linear(u, u->args[n->b + n->n - 1], x->w->var, &coef, &constant) && coef > 1 && coef <= PASS_STAGE_ROW)
        x->width = (uint32_t)coef;
    return true;
}

// Which rows the loop reads, of either kind; false: it reads the array otherwise, too.
static bool find_rows(struct window *w, ir_stmt body) {
    const struct ir_unit *u = w->x->u;
    uint64_t width = pass_stage_words(u, w->array, 1), all = pass_stage_words(u, w->array, 0);
    if (all == UINT64_MAX) return false;
    if (width > 0 && width <= PASS_STAGE_ROW && ir_is_const(u, u->arrays[w->array].dims[0], &w->rows)) {
        w->width = (uint32_t)width;
        ir_walk_nodes(u, body, look_at, w);
        return !w->wrong && w->count > 0;
    }
    struct stride stride = {w, 0};
    ir_walk_nodes(u, body, find_stride, &stride);
    if (!stride.width || all % stride.width) return false;
    w->width = stride.width;
    w->rows = (uint32_t)(all / stride.width);
    w->along = true;
    ir_walk_nodes(u, body, look_at, w);
    return !w->wrong && w->count > 0;
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
    uint64_t trips;
    uint32_t lo;
    if (n.counted.step != 1 || !ir_is_const(u, n.counted.lo, &lo) || !ir_const_trips(u, loop, &trips)) return;
    struct window w = {.x = x, .var = n.counted.var, .lo = (int32_t)lo, .hi = (int32_t)lo + (int64_t)trips, .array = a};
    if (!find_rows(&w, n.counted.body)) return;
    uint32_t stands = w.width;
    uint64_t least = (uint64_t)w.count * lanes; // rows that one pass of each lane needs
    // Where vectors have no memory left, there may be room beside other words.
    if (stands == IR_STAGED_VECTOR && pass_stage_room(x, a, stands) < least * stands) stands++;
    uint32_t row = pass_stage_row(stands), each = row * w.count;
    uint64_t room = pass_stage_room(x, a, stands), most = (uint64_t)each * lanes;
    most = most < PASS_WINDOW_WORDS ? PASS_WINDOW_WORDS : most;
    uint32_t passes = passes_of((room < most ? room : most) / each, trips, lanes);
    uint64_t each_lane = passes / lanes;
    if (each_lane < PASS_WINDOW_PASSES_EACH && each_lane * w.loads < PASS_PANEL_WORK) return;
    w.staged = pass_stage_add(x, a, stands, (uint64_t)passes * each);
    struct ir_array_info *staged = &u->arrays[w.staged];
    if (w.along) {
        staged->ndims = 2;
        staged->dims[0] = ir_const_i32(u, (int32_t)w.rows);
        staged->dims[1] = ir_const_i32(u, (int32_t)w.width);
    }
    int32_t *offsets = base_alloc_array(u->cx, w.count, sizeof *offsets);
    for (uint32_t i = 0; i < w.count; i++) { // in order: evenly spaced ones then cost a product
        uint32_t at = i;
        for (; at && offsets[at - 1] > w.offsets[i]; at--)
            offsets[at] = offsets[at - 1];
        offsets[at] = (int32_t)w.offsets[i];
    }
    staged->window = passes;
    staged->offset_count = w.count;
    staged->offsets = offsets;
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
