// Stencils in tiles: a workgroup loads what a block of iterations reads of an array, each element about once, and the
// block is computed from that. An invocation has a column of the block: its own elements stay in registers, those of
// the columns beside come through workgroup memory. Without it each element is loaded once for every neighbour, past
// the nearest cache.
//
// A tile's iterations do not run on the invocations that run them elsewhere, so what one invocation owned may become
// shared. It is done only where that costs no barrier.
#include "ir/stencil.h"
#include "pass/cost.h"
#include "pass/passes.h"

enum {
    TILE_COLUMNS = 256, // of a grid's workgroup
    COMBINE_BYTES = 3136
};

static bool on_lanes(void *user, ir_stmt s) {
    struct {
        const struct ir_unit *u;
        bool found;
    } *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->found |= n->kind == IR_PARFOR && (n->flags & IR_FLAG_LANES);
    return n->kind != IR_PARFOR;
}

// Words of workgroup memory that nothing else may need.
static uint32_t room_of(const struct pass_cx *p) {
    struct {
        const struct ir_unit *u;
        bool found;
    } x = {p->u, false};
    ir_walk_stmts(p->u, p->u->root, on_lanes, &x);
    uint64_t used = (x.found ? IR_LANES_BYTES : COMBINE_BYTES) +
                    4 * (uint64_t)(pass_private_words(p->u) + pass_lane_array_words(p->u) + ir_neighbour_all(p->u));
    for (ir_array a = 1; a < p->u->array_count; a++) {
        const struct ir_array_info *info = &p->u->arrays[a];
        uint64_t words = info->row;
        uint32_t bits;
        if (info->klass != IR_ARRAY_STAGED) continue;
        for (uint32_t d = 0; d < (info->row > 1 ? 1u : info->ndims); d++)
            if (ir_is_const(p->u, info->dims[d], &bits)) words *= bits;
        if (info->window) words = (uint64_t)info->window * info->offset_count * info->row;
        used += 4 * words;
    }
    return used < p->target->workgroup_bytes ? (uint32_t)(p->target->workgroup_bytes - used) / 4 : 0;
}

static uint32_t words_of(const struct ir_tile *tile, uint32_t rows) {
    uint32_t words = 0;
    for (uint32_t k = 0; k < tile->count; k++) {
        const struct ir_plane *q = &tile->planes[k];
        if (q->side_low <= q->side_high)
            words += (rows + (uint32_t)(q->side_high - q->side_low)) * (TILE_COLUMNS + (uint32_t)(q->left + q->right));
    }
    return words;
}

static uint32_t extent(const struct ir_unit *u, const struct ir_tile *tile, uint32_t d) {
    uint32_t lo = 0, hi = 0;
    ir_is_const(u, tile->lo[d], &lo);
    ir_is_const(u, tile->hi[d], &hi);
    return (int32_t)hi > (int32_t)lo ? hi - lo : 0;
}

// As many rows as leave work for all workgroups.
uint32_t pass_tile_rows(const struct pass_cx *p, ir_stmt parfor) {
    const struct ir_unit *u = p->u;
    struct ir_tile tile;
    if (!ir_tile_of(u, parfor, &tile) || ir_privates_of(u, parfor).count) return 0;
    bool pays = false;
    for (uint32_t k = 0; k < tile.count; k++)
        pays |= tile.planes[k].count >= PASS_TILE_LEAST_CELLS;
    uint64_t rows = extent(u, &tile, 0), columns = extent(u, &tile, 1),
             busy = p->target->busy_invocations / TILE_COLUMNS;
    uint32_t bits = 0;
    ir_is_const(u, tile.lo[1], &bits);
    if (!pays || columns < PASS_TILE_LEAST_COLUMNS || (int32_t)bits < 0) return 0;
    ir_stmt body = u->stmts[parfor].parfor.body;
    uint32_t branches = pass_text_of(p->u, body, NULL).branches;
    for (uint32_t r = PASS_TILE_MOST_ROWS; r >= PASS_TILE_LEAST_ROWS; r /= 2)
        if (rows >= r && (rows / r) * ((columns + TILE_COLUMNS - 1) / TILE_COLUMNS) >= busy &&
            words_of(&tile, r) <= room_of(p) && pass_size(u, body) * r <= PASS_TILE_STATEMENTS &&
            branches * r <= PASS_UNROLL_MOST_BRANCHES)
            return r;
    return 0;
}

struct marker {
    struct pass_cx *p;
    uint32_t count;
    bool marks, takes_back;
};
static bool on_parfor(void *user, ir_stmt s) {
    struct marker *x = user;
    struct ir_stmt_node *n = &x->p->u->stmts[s];
    if (n->kind != IR_PARFOR) return true;
    uint32_t rows = pass_tile_rows(x->p, s);
    x->count += rows != 0;
    if (rows) n->parfor.tile_rows = x->takes_back ? 0 : rows;
    if (rows && x->marks)
        base_text_format(x->p->explain, "tile: the loop at line %u runs in tiles of %u rows\n",
                         x->p->u->cx->locs[n->loc].line, rows);
    return false;
}

static uint32_t each_stencil(struct pass_cx *p, bool marks, bool takes_back) {
    struct marker x = {p, 0, marks, takes_back};
    ir_walk_stmts(p->u, p->u->root, on_parfor, &x);
    return x.count;
}

static bool on_barrier(void *user, ir_stmt s) {
    struct {
        const struct ir_unit *u;
        uint32_t count;
    } *x = user;
    x->count += x->u->stmts[s].kind == IR_BARRIER;
    return true;
}

static uint32_t barriers_of(const struct pass_cx *p) {
    struct base_scratch scratch = base_scratch_begin(p->u->cx);
    struct pass_cx copy = pass_copy(p);
    pass_sync(&copy);
    struct {
        const struct ir_unit *u;
        uint32_t count;
    } x = {copy.u, 0};
    ir_walk_stmts(copy.u, copy.u->root, on_barrier, &x);
    base_scratch_end(p->u->cx, &scratch);
    return x.count;
}

void pass_tile(struct pass_cx *p) {
    uint32_t before = barriers_of(p);
    if (!each_stencil(p, false, false)) return;
    bool pays = barriers_of(p) <= before;
    each_stencil(p, pays, !pays);
}
