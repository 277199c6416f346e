// A stencil in tiles (pass_tile): a workgroup has 256 neighbouring columns and some rows, and passes from tile to tile.
// Every invocation loads its column of what the tile reads; the columns beside are read from workgroup memory, those
// beyond the tile's edges are loaded by some of the invocations. All loads of a tile are under way together.
//
// Tiles start where rows are aligned, and every second such phase takes them in reverse: what the phase before wrote
// last is what the nearer of two memories still holds.
#include "wgsl/print/emit.h"

struct wgsl_tile {
    const struct wgsl_tiling *tiling;
    const char **own[IR_TILE_PLANES]; // what this invocation has of a plane, from its lowest row on
    uint32_t row;                     // of the tile: whose iteration is printed
};

enum { ALIGN = 32 };

static const char *constant(struct wgsl_emitter *e, int64_t v) {
    return v < 0 ? base_format(e->cx, "(%lld)", (long long)v) : base_format(e->cx, "%lld", (long long)v);
}

static const char *plus(struct wgsl_emitter *e, const char *text, int64_t v) {
    if (v == 0) return text;
    return base_format(e->cx, v < 0 ? "%s - %lld" : "%s + %lld", text, (long long)(v < 0 ? -v : v));
}

static int32_t value_of(const struct wgsl_emitter *e, ir_expr x) {
    uint32_t bits = 0;
    ir_is_const(e->u, x, &bits);
    return (int32_t)bits;
}

static int32_t size_of(const struct wgsl_emitter *e, const struct ir_plane *q, uint32_t back) {
    const struct ir_array_info *info = &e->u->arrays[q->array];
    return value_of(e, info->dims[info->ndims - back]);
}

// The element at (row, column), which may lie outside of what any iteration reads, but not of the array.
static const char *load_clamped(struct wgsl_emitter *e, const struct ir_plane *q, const char *row, const char *column) {
    const struct ir_array_info *info = &e->u->arrays[q->array];
    int64_t base = 0;
    for (uint32_t d = 0; d + 2 < info->ndims; d++)
        base = base * value_of(e, info->dims[d]) + q->lead[d];
    int32_t rows = size_of(e, q, 2), columns = size_of(e, q, 1);
    base *= (int64_t)rows * columns;
    const char *index = base_format(e->cx, "u32(clamp(%s, 0, %d)) * %uu + u32(clamp(%s, 0, %d))", row, rows - 1,
                                    (uint32_t)columns, column, columns - 1);
    if (base) index = base_format(e->cx, "%s + %uu", index, (uint32_t)base);
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, index);
    const char *value = wgsl_element(e, q->array, name), *held = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", held, value);
    return held;
}

const char *wgsl_tile_memory(struct wgsl_emitter *e, enum ir_type type) {
    return base_format(e->cx, "tile_%s", ir_type_name(type));
}

static const char *memory_name(struct wgsl_emitter *e, const struct ir_plane *q) {
    return wgsl_tile_memory(e, ir_elem_type((enum whorl_dtype)e->u->arrays[q->array].elem));
}

void wgsl_declare_tiles(struct wgsl_emitter *e) {
    for (int type = IR_I32; type <= IR_F32; type++) {
        const char *name = ir_type_name((enum ir_type)type);
        if (e->k->memory.tile_words[type])
            wgsl_line(e, "var<workgroup> tile_%s: array<%s, %u>;", name, name, e->k->memory.tile_words[type]);
    }
}

const char *wgsl_tile_load(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n) {
    const struct wgsl_tile *t = e->tile;
    int32_t c, d;
    const struct ir_plane *q = t ? ir_tile_plane(e->u, &t->tiling->tile, a, e->u->args + first_arg, n, &c, &d) : NULL;
    if (!q) return NULL;
    uint32_t k = (uint32_t)(q - t->tiling->tile.planes), row = t->row;
    if (d == 0) return t->own[k][(int32_t)row + c - q->low];
    uint32_t at = t->tiling->first[k] + (uint32_t)((int32_t)row + c - q->side_low) * wgsl_tile_width(e->k, q) +
                  (uint32_t)(q->left + d);
    return base_format(e->cx, "%s[li + %uu]", memory_name(e, q), at);
}

struct edge {
    const char *value, *place, *guard;
};

// Loads of the columns beyond the tile's edges, by the first invocations.
static struct edge load_edges(struct wgsl_emitter *e, const struct ir_plane *q, uint32_t first, uint32_t rows,
                              const char *i, const char *j) {
    uint32_t sides = (uint32_t)(q->left + q->right), high = rows + (uint32_t)(q->side_high - q->side_low);
    const char *row = wgsl_temp(e), *side = wgsl_temp(e), *column = wgsl_temp(e);
    // those that are too many load what another one does
    wgsl_line(e, "let %s = min(li / %uu, %uu);", row, sides, high - 1);
    wgsl_line(e, "let %s = li %% %uu;", side, sides);
    wgsl_line(e, "let %s = select(i32(%s), i32(%s) + %u, %s >= %uu);", column, side, side, e->in->workgroup_size, side,
              (uint32_t)q->left);
    struct edge out;
    out.value = load_clamped(e, q, plus(e, base_format(e->cx, "%s + i32(%s)", i, row), q->side_low),
                             plus(e, base_format(e->cx, "%s + %s", j, column), -q->left));
    out.place = base_format(e->cx, "%s[%s * %uu + u32(%s) + %uu]", memory_name(e, q), row, wgsl_tile_width(e->k, q),
                            column, first);
    out.guard = base_format(e->cx, "if (li < %uu)", sides * high);
    return out;
}

static void emit_iterations(struct wgsl_emitter *e, const struct ir_stmt_node *n, struct wgsl_tile *t, const char *i,
                            const char *j, uint32_t rows) {
    int32_t hi = value_of(e, t->tiling->tile.hi[0]), all = hi - value_of(e, t->tiling->tile.lo[0]);
    for (t->row = 0; t->row < rows; t->row++) {
        bool surely = (uint32_t)all % rows == 0;
        wgsl_open(e, surely ? "" : base_format(e->cx, "if (%s < %s)", plus(e, i, t->row), constant(e, hi)));
        wgsl_line(e, "let %s = %s;", e->names[t->tiling->tile.i], plus(e, i, t->row));
        wgsl_line(e, "let %s = %s;", e->names[t->tiling->tile.j], j);
        wgsl_block(e, n->parfor.body);
        wgsl_close(e);
    }
}

void wgsl_tile_phase(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = &e->u->stmts[s];
    struct wgsl_tile *t = base_alloc(e->cx, sizeof *t);
    uint32_t rows = n->parfor.tile_rows, size = e->in->workgroup_size;
    t->tiling = e->k->phases.of[s]->tiling;
    int32_t lo[2] = {value_of(e, t->tiling->tile.lo[0]), value_of(e, t->tiling->tile.lo[1])};
    int32_t hi[2] = {value_of(e, t->tiling->tile.hi[0]), value_of(e, t->tiling->tile.hi[1])};
    int32_t start = lo[1] - lo[1] % ALIGN;
    uint32_t across = ((uint32_t)(hi[1] - start) + size - 1) / size,
             down = ((uint32_t)(hi[0] - lo[0]) + rows - 1) / rows;
    wgsl_open(e, "");
    wgsl_line(e, "var tile = wg.x;");
    wgsl_open(e, base_format(e->cx, "for (; tile < %uu; tile += groups)", across * down));
    wgsl_line(e, t->tiling->reverse ? "let at = %uu - tile;" : "let at = tile;", across * down - 1);
    const char *i = wgsl_temp(e), *left = wgsl_temp(e), *j = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", i, plus(e, base_format(e->cx, "i32(at / %uu * %uu)", across, rows), lo[0]));
    wgsl_line(e, "let %s = %s;", left, plus(e, base_format(e->cx, "i32(at %% %uu * %uu)", across, size), start));
    wgsl_line(e, "let %s = %s + i32(li);", j, left);
    struct edge edges[IR_TILE_PLANES];
    for (uint32_t k = 0; k < t->tiling->tile.count; k++) {
        const struct ir_plane *q = &t->tiling->tile.planes[k];
        uint32_t high = rows + (uint32_t)(q->high - q->low);
        t->own[k] = base_alloc_array(e->cx, high, sizeof *t->own[k]);
        for (uint32_t r = 0; r < high; r++)
            t->own[k][r] = load_clamped(e, q, plus(e, i, (int64_t)r + q->low), j);
        if (wgsl_has_sides(q)) edges[k] = load_edges(e, q, t->tiling->first[k], rows, i, left);
    }
    wgsl_line(e, "workgroupBarrier();");
    for (uint32_t k = 0; k < t->tiling->tile.count; k++) {
        const struct ir_plane *q = &t->tiling->tile.planes[k];
        for (int32_t r = q->side_low; wgsl_has_sides(q) && r < (int32_t)rows + q->side_high; r++)
            wgsl_line(e, "%s[li + %uu] = %s;", memory_name(e, q),
                      t->tiling->first[k] + (uint32_t)(r - q->side_low) * wgsl_tile_width(e->k, q) + (uint32_t)q->left,
                      t->own[k][r - q->low]);
        if (!wgsl_has_sides(q)) continue;
        wgsl_open(e, edges[k].guard);
        wgsl_line(e, "%s = %s;", edges[k].place, edges[k].value);
        wgsl_close(e);
    }
    wgsl_line(e, "workgroupBarrier();");
    wgsl_open(e, base_format(e->cx, "if (%s >= %s && %s < %s)", j, constant(e, lo[1]), j, constant(e, hi[1])));
    e->tile = t;
    e->in_phase = true;
    emit_iterations(e, n, t, i, j, rows);
    e->in_phase = false;
    e->tile = NULL;
    wgsl_close(e);
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (tile < %uu)", across * down));
    wgsl_failure(e);
    wgsl_close(e);
    wgsl_close(e);
}
