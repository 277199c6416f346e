// STAGED arrays: a workgroup's copies of what others have written.
//
// An answer of memory takes longer than anything else in a short phase, so the loads of all copies are issued together,
// with the loads that the phase's own iterations begin with, and only then stored and waited for. A copy that is made
// some rows at a time (window) is loaded one stretch ahead.
#include "wgsl/print/emit.h"

enum { MAX_COPIES = 128 };

// A word on its way into workgroup memory.
struct copy {
    ir_array array;
    const char *guard, *value, *place; // guard: NULL for none
    const char *from;                  // of a window: its index in the first stretch, later ones are a constant on
};
struct wgsl_copies {
    struct copy list[MAX_COPIES]; // of an invocation
    uint32_t count;
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// ---- memory ---------------------------------------------------------------------------------------------------------

const char *wgsl_staged_name(struct wgsl_emitter *e, ir_array a) {
    const char *type = ir_type_name(ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem));
    uint32_t width = wgsl_staged_vector(e->k, a);
    return width == 1 ? base_format(e->cx, "staged_%s", type) : base_format(e->cx, "staged_%s_%u", type, width);
}

void wgsl_declare_staged(struct wgsl_emitter *e) {
    for (uint32_t i = 0; i < e->k->memory.block_count; i++) {
        const struct wgsl_block *b = &e->k->memory.blocks[i];
        const char *type = ir_type_name(b->type);
        if (b->width == 1 && e->k->vectors.staged[b->type] > 1)
            wgsl_line(e, "var<workgroup> staged_%s: array<vec4<%s>, %u>;", type, type, b->rows / 4);
        else if (b->width == 1)
            wgsl_line(e, "var<workgroup> staged_%s: array<%s, %u>;", type, type, b->rows);
        else
            wgsl_line(e, "var<workgroup> staged_%s_%u: array<vec%u<%s>, %u>;", type, b->width, b->width, type, b->rows);
    }
}

static uint32_t piece_of(const struct wgsl_emitter *e, ir_array a) {
    return wgsl_in_vector_rows(e->k, a) ? WGSL_WIDEST : wgsl_staged_vector(e->k, a);
}

// The words of the source from `index` on as one value, which an invocation carries: rows of a few words are vectors,
// which are loaded at once. Who stores one stores all of it, as WGSL leaves open what the store of one component does
// to the others.
static const char *load_piece(struct wgsl_emitter *e, ir_array a, const char *index) {
    ir_array source = e->u->arrays[a].source;
    uint32_t piece = piece_of(e, a);
    const char *vector =
        piece == WGSL_WIDEST ? wgsl_vector_at(e, source, base_format(e->cx, "(%s) / %uu", index, piece)) : NULL;
    if (vector) return vector;
    const char *text = wgsl_element(e, source, index);
    if (piece == 1) return text;
    for (uint32_t k = 1; k < piece; k++)
        text = base_format(e->cx, "%s, %s", text, wgsl_element(e, source, base_format(e->cx, "%s + %uu", index, k)));
    return base_format(e->cx, "vec%u<%s>(%s)", piece,
                       ir_type_name(ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)), text);
}

// Where piece `index` of the copy goes.
static const char *place_of(struct wgsl_emitter *e, ir_array a, const char *index) {
    uint32_t first = e->u->arrays[a].data_count, width = wgsl_staged_width(e->k, a);
    bool in_row = width > 1 && piece_of(e, a) == 1;
    if (wgsl_in_vector_rows(e->k, a)) first /= WGSL_WIDEST;
    if (e->k->vectors.parts[a] > 1) return base_format(e->cx, "%s[%s]", e->array_names[a], wgsl_dealt(e, a, index));
    const char *at = index; // rows that are no vectors may stand one word further apart than they are long
    if (in_row && e->u->arrays[a].row > width) at = base_format(e->cx, "%s + %s / %uu", index, index, width);
    return base_format(e->cx, first ? "%s[%s + %uu]" : "%s[%s]", e->array_names[a], at, first);
}

// ---- copies of whole arrays -----------------------------------------------------------------------------------------

static struct copy *add_copy(struct wgsl_emitter *e, struct wgsl_copies *copies) {
    if (copies->count == MAX_COPIES) base_bug(e->cx, "an invocation has too many words to copy");
    return &copies->list[copies->count++];
}

// An array in vectors of 4: an invocation carries whole ones.
static void load_vectors(struct wgsl_emitter *e, struct wgsl_copies *copies, const struct ir_stmt_node *n) {
    ir_array to = n->stage.to;
    const struct ir_array_info *info = &e->u->arrays[to];
    uint32_t vectors = wgsl_array_count(e->k, to) / 4, size = e->in->workgroup_size;
    for (uint32_t at = 0; at < vectors; at += size) {
        struct copy *c = add_copy(e, copies);
        const char *index = wgsl_temp(e), *from = wgsl_temp(e), *parts[4];
        wgsl_line(e, at ? "let %s = li + %uu;" : "let %s = li;", index, at);
        c->guard = at + size > vectors ? base_format(e->cx, "if (%s < %uu)", index, vectors) : NULL;
        const char *clamped = c->guard ? base_format(e->cx, "min(%s, %uu)", index, vectors - 1) : index;
        c->place = base_format(e->cx, "%s[%s]", e->array_names[to], wgsl_dealt(e, to, index));
        const char *vector = wgsl_vector_at(e, n->stage.from, clamped);
        if (vector) {
            c->value = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", c->value, vector);
            continue;
        }
        wgsl_line(e, "let %s = %s * 4u;", from, clamped);
        for (uint32_t k = 0; k < 4; k++) {
            const char *text = wgsl_element(e, n->stage.from, base_format(e->cx, k ? "%s + %uu" : "%s", from, k));
            parts[k] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", parts[k], text);
        }
        const char *type = ir_type_name(ir_elem_type((enum whorl_dtype)info->elem));
        c->value = base_format(e->cx, "vec4<%s>(%s, %s, %s, %s)", type, parts[0], parts[1], parts[2], parts[3]);
    }
}

void wgsl_stage_loads(struct wgsl_emitter *e, const struct wgsl_phase *phase) {
    uint32_t size = e->in->workgroup_size;
    if (!phase->stage_count) return;
    struct wgsl_copies *copies = e->waiting = base_alloc(e->cx, sizeof *copies);
    for (uint32_t i = 0; i < phase->stage_count; i++) {
        const struct ir_stmt_node *n = node_of(e, phase->stages[i]);
        ir_array a = n->stage.to;
        if (wgsl_staged_width(e->k, a) == 1 &&
            e->k->vectors.staged[ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)] > 1) {
            load_vectors(e, copies, n);
            continue;
        }
        uint32_t piece = piece_of(e, a), pieces = wgsl_array_count(e->k, a) / piece;
        for (uint32_t at = 0; at < pieces; at += size) {
            struct copy *c = add_copy(e, copies);
            const char *index = wgsl_temp(e), *from;
            wgsl_line(e, at ? "let %s = li + %uu;" : "let %s = li;", index, at);
            c->guard = at + size > pieces ? base_format(e->cx, "if (%s < %uu)", index, pieces) : NULL;
            from = c->guard ? base_format(e->cx, "min(%s, %uu)", index, pieces - 1) : index;
            if (piece > 1) from = base_format(e->cx, "%s * %uu", from, piece);
            c->value = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", c->value, load_piece(e, a, from));
            c->place = place_of(e, a, index);
        }
    }
}

static void store_copies(struct wgsl_emitter *e, const struct wgsl_copies *copies) {
    for (uint32_t i = 0; i < copies->count; i++) {
        const struct copy *c = &copies->list[i];
        if (c->guard) wgsl_open(e, c->guard);
        wgsl_line(e, "%s = %s;", c->place, c->value);
        if (c->guard) wgsl_close(e);
    }
}

// The first barrier waits for those that still read what the last phase left there.
void wgsl_stage_stores(struct wgsl_emitter *e) {
    if (!e->waiting) return;
    wgsl_line(e, "workgroupBarrier();");
    store_copies(e, e->waiting);
    wgsl_line(e, "workgroupBarrier();");
    e->waiting = NULL;
}

void wgsl_stage_settle(struct wgsl_emitter *e) {
    if (!e->waiting) return;
    wgsl_open(e, "if (lap == 0u)");
    wgsl_stage_stores(e);
    wgsl_close(e);
}

// ---- windows --------------------------------------------------------------------------------------------------------

// The first index is the loop's variable, or that plus or minus a constant.
static uint32_t offset_of(const struct wgsl_emitter *e, ir_array a, ir_expr first) {
    const struct ir_node *n = &e->u->nodes[first];
    uint32_t bits = 0, at = 0;
    if (n->op == IR_ADD || n->op == IR_SUB) ir_is_const(e->u, n->b, &bits);
    int32_t offset = n->op == IR_SUB ? -(int32_t)bits : (int32_t)bits;
    while (at < e->u->arrays[a].offset_count && e->u->arrays[a].offsets[at] != offset)
        at++;
    if (at == e->u->arrays[a].offset_count)
        base_bug(e->cx, "a load of %s from no row of its window", e->u->arrays[a].name);
    return at;
}

const char *wgsl_stage_row(struct wgsl_emitter *e, ir_array a, ir_expr first) {
    const struct ir_array_info *info = &e->u->arrays[a];
    uint32_t at = info->row <= IR_STAGED_VECTOR  ? info->data_count
                  : wgsl_in_vector_rows(e->k, a) ? info->data_count / WGSL_WIDEST
                                                 : 0;
    if (info->window) at += offset_of(e, a, first) * info->window;
    const char *row = info->window ? e->window_pass : wgsl_as_u32(e, first);
    return at ? base_format(e->cx, "%s + %uu", row, at) : row;
}

// The array's word at which the rows begin that piece `index` is of; each offset's are `each` pieces.
static const char *first_word(struct wgsl_emitter *e, ir_array a, int32_t low, const char *index, uint32_t each) {
    const struct ir_array_info *info = &e->u->arrays[a];
    uint32_t width = wgsl_staged_width(e->k, a), first = (uint32_t)(info->offsets[0] + low) * width;
    const char *base = base_format(e->cx, "%uu", first);
    if (info->offset_count < 2) return base;
    uint32_t apart = (uint32_t)(info->offsets[1] - info->offsets[0]);
    bool even = info->offsets[1] > info->offsets[0];
    for (uint32_t k = 2; k < info->offset_count; k++)
        even &= (uint32_t)(info->offsets[k] - info->offsets[0]) == k * apart;
    if (even) return base_format(e->cx, "%uu + %s / %uu * %uu", first, index, each, apart * width);
    for (uint32_t k = 1; k < info->offset_count; k++)
        base = base_format(e->cx, "select(%s, %uu, %s >= %uu)", base, (uint32_t)(info->offsets[k] + low) * width, index,
                           k * each);
    return base;
}

// Where this invocation's words of the first stretch come from, and where they go.
static void emit_places(struct wgsl_emitter *e, struct wgsl_copies *copies, ir_array a, int32_t low) {
    const struct ir_array_info *info = &e->u->arrays[a];
    uint32_t width = wgsl_staged_width(e->k, a), piece = piece_of(e, a);
    uint32_t each = info->window * width / piece, pieces = each * info->offset_count;
    for (uint32_t at = 0; at < pieces; at += e->in->workgroup_size) {
        struct copy *c = add_copy(e, copies);
        const char *index = wgsl_temp(e), *rest = wgsl_temp(e), *base;
        wgsl_line(e, "let %s = li + %uu;", index, at);
        c->guard = at + e->in->workgroup_size > pieces ? base_format(e->cx, "if (%s < %uu)", index, pieces) : NULL;
        wgsl_line(e, "let %s = %s %% %uu;", rest, index, each);
        base = first_word(e, a, low, index, each);
        c->from = wgsl_temp(e);
        if (piece > 1) rest = base_format(e->cx, "%s * %uu", rest, piece);
        wgsl_line(e, "let %s = %s + %s;", c->from, rest, base);
        c->place = place_of(e, a, index);
        c->array = a;
    }
}

// The words of the stretch that starts at pass `start`, NULL: of the first. `cut`: the last one is shorter, and goes
// beyond the array's end.
static void emit_ahead(struct wgsl_emitter *e, struct wgsl_copies *copies, const char *start, bool cut) {
    for (uint32_t i = 0; i < copies->count; i++) {
        struct copy *c = &copies->list[i];
        const char *index = c->from;
        if (start) index = base_format(e->cx, "%s + %s * %uu", index, start, wgsl_staged_width(e->k, c->array));
        if (cut)
            index = base_format(e->cx, "min(%s, %uu)", index, wgsl_array_count(e->k, c->array) - piece_of(e, c->array));
        if (!start) c->value = wgsl_temp(e);
        wgsl_line(e, "%s%s = %s;", start ? "" : "var ", c->value, load_piece(e, c->array, index));
    }
}

// The passes of one stretch, which starts at pass `start`.
static void emit_stretch(struct wgsl_emitter *e, ir_stmt loop, const char *pass, const char *start) {
    const struct ir_stmt_node *n = node_of(e, loop);
    const struct wgsl_window *w = e->k->phases.windows[loop];
    ir_var v = n->counted.var;
    const char *type = ir_type_name((enum ir_type)e->u->vars[v].type), *name = e->names[v];
    const char *end = w->trips % w->passes ? base_format(e->cx, "min(%uu, %uu - %s)", w->passes, w->trips, start)
                                           : base_format(e->cx, "%uu", w->passes);
    const char *outer = e->window_pass;
    e->window_pass = pass;
    wgsl_open(e, base_format(e->cx, "for (var %s = select(%uu, lane, %s); %s < %s; %s += %uu)", pass, w->passes,
                             e->live, pass, end, pass, e->lane_count));
    wgsl_line(e, "%s%s = %s + %s(%s + %s);", e->k->vars[v].home == WGSL_HEADER ? "let " : "", name,
              wgsl_operand(e, n->counted.lo), type, start, pass);
    const struct wgsl_early *early = e->k->early.of[loop]; // the passes of a lane are the same without stretches
    wgsl_loop_body(e, early ? wgsl_early_pass(e, early) : n->counted.body, "");
    wgsl_close(e);
    e->window_pass = outer;
}

void wgsl_stage_loop(struct wgsl_emitter *e, ir_stmt loop) {
    const struct wgsl_window *w = e->k->phases.windows[loop];
    const char *stretch = wgsl_temp(e), *pass = wgsl_temp(e), *start = wgsl_temp(e);
    struct wgsl_copies *copies = base_alloc(e->cx, sizeof *copies);
    wgsl_open(e, "");
    for (uint32_t i = 0; i < w->count; i++)
        emit_places(e, copies, w->arrays[i], w->low);
    emit_ahead(e, copies, NULL, w->cut);
    wgsl_line(e, "var %s = 0u;", start);
    wgsl_open(e, base_format(e->cx, "for (; %s < %uu; %s += %uu)", start, w->trips, start, w->passes));
    wgsl_line(e, "workgroupBarrier();");
    store_copies(e, copies);
    wgsl_line(e, "workgroupBarrier();");
    if (w->passes < w->trips) {
        wgsl_open(e, base_format(e->cx, "if (%s + %uu < %uu)", start, w->passes, w->trips));
        wgsl_line(e, "let %s = %s + %uu;", stretch, start, w->passes);
        emit_ahead(e, copies, stretch, w->cut);
        wgsl_close(e);
    }
    emit_stretch(e, loop, pass, start);
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (%s < %uu)", start, w->trips));
    wgsl_failure(e);
    wgsl_close(e);
    wgsl_close(e);
}
