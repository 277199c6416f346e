// STAGED arrays: a workgroup's copies of what others have written.
//
// An answer of memory takes longer than anything else in a short phase, so the loads of all copies are issued together,
// with the loads that the phase's own iterations begin with, and only then stored and waited for. A copy that is made
// some rows at a time (window) is loaded one stretch ahead.
#include "wgsl/emit.h"

struct wgsl_block {
    enum ir_type type;
    uint32_t width, row, rows; // words of a row, 1: without rows; from row to row; rows
};

// The loop that is made some passes at a time, while its body is printed.
struct wgsl_window {
    const char *pass; // u32: the number of the pass among them
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

// ---- memory ------------------------------------------------------------------------------------------------------------------------

static uint32_t words_of_row(const struct wgsl_emitter *e, ir_array a) {
    uint32_t rows;
    return ir_is_const(e->u, e->u->arrays[a].dims[0], &rows) && rows ? wgsl_array_count(e->k, a) / rows : 1;
}

// Rows of a few words are vectors, which are loaded at once; who stores one stores all of it, as WGSL leaves open what
// the store of one component does to the others.
static uint32_t width_of(const struct wgsl_emitter *e, ir_array a) {
    return e->u->arrays[a].row > 1 ? words_of_row(e, a) : 1;
}
static bool is_vector(uint32_t width) { return width > 1 && width <= IR_STAGED_VECTOR; }

void wgsl_prepare_staged(struct wgsl_emitter *e) {
    const struct ir_unit *u = e->u;
    e->blocks = base_alloc_array(e->cx, u->array_count + 1, sizeof *e->blocks);
    for (ir_array a = 1; a < u->array_count; a++) {
        const struct ir_array_info *info = &u->arrays[a];
        if (info->klass != IR_ARRAY_STAGED) continue;
        enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
        uint32_t at = 0, width = width_of(e, a), rows = wgsl_array_count(e->k, a) / width;
        while (at < e->block_count && (e->blocks[at].type != type || e->blocks[at].width != width))
            at++;
        if (at == e->block_count) e->blocks[e->block_count++] = (struct wgsl_block){type, width, info->row, 0};
        e->array_names[a] = width == 1 ? base_format(e->cx, "staged_%s", ir_type_name(type))
                                       : base_format(e->cx, "staged_%s_%u", ir_type_name(type), width);
        if (info->window) rows = info->window * info->offset_count;
        if (info->data_count + rows > e->blocks[at].rows) e->blocks[at].rows = info->data_count + rows;
    }
}

void wgsl_declare_staged(struct wgsl_emitter *e) {
    for (uint32_t i = 0; i < e->block_count; i++) {
        const struct wgsl_block *b = &e->blocks[i];
        const char *type = ir_type_name(b->type);
        if (b->width == 1 && e->k->vectors.staged[b->type])
            wgsl_line(e, "var<workgroup> staged_%s: array<vec4<%s>, %u>;", type, type, b->rows / 4);
        else if (b->width == 1)
            wgsl_line(e, "var<workgroup> staged_%s: array<%s, %u>;", type, type, b->rows);
        else if (is_vector(b->width))
            wgsl_line(e, "var<workgroup> staged_%s_%u: array<vec%u<%s>, %u>;", type, b->width, b->width, type, b->rows);
        else
            wgsl_line(e, "var<workgroup> staged_%s_%u: array<array<%s, %u>, %u>;", type, b->width, type, b->row,
                      b->rows);
    }
}

// Words that an invocation carries at a time.
static uint32_t piece_of(const struct wgsl_emitter *e, ir_array a) {
    return is_vector(width_of(e, a)) ? width_of(e, a) : 1;
}

// The words of the source from `index` on as one value.
static const char *load_piece(struct wgsl_emitter *e, ir_array a, const char *index) {
    ir_array source = e->u->arrays[a].source;
    uint32_t piece = piece_of(e, a);
    const char *text = wgsl_element(e, source, index);
    if (piece == 1) return text;
    for (uint32_t k = 1; k < piece; k++)
        text = base_format(e->cx, "%s, %s", text, wgsl_element(e, source, base_format(e->cx, "%s + %uu", index, k)));
    return base_format(e->cx, "vec%u<%s>(%s)", piece,
                       ir_type_name(ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)), text);
}

// Where piece `index` of the copy goes.
static const char *place_of(struct wgsl_emitter *e, ir_array a, const char *index) {
    uint32_t first = e->u->arrays[a].data_count, width = width_of(e, a);
    bool in_row = width > 1 && !is_vector(width);
    const char *row = in_row ? base_format(e->cx, "%s / %uu", index, width) : index;
    if (first) row = base_format(e->cx, "%s + %uu", row, first);
    return in_row ? base_format(e->cx, "%s[%s][%s %% %uu]", e->array_names[a], row, index, width)
                  : base_format(e->cx, "%s[%s]", e->array_names[a], row);
}

// ---- copies of whole arrays --------------------------------------------------------------------------------------------------------

void wgsl_grid_stage(struct wgsl_emitter *e, ir_stmt s) {
    if (e->u->arrays[node_of(e, s)->stage.to].window) return;
    if (e->stage_count == WGSL_MAX_STAGES) base_bug(e->cx, "a phase has too many copies");
    e->stages[e->stage_count++] = s;
}

// An array in vectors of 4: an invocation carries whole ones.
static void load_vectors(struct wgsl_emitter *e, const struct ir_stmt_node *n) {
    ir_array to = n->stage.to;
    const struct ir_array_info *info = &e->u->arrays[to];
    uint32_t vectors = wgsl_array_count(e->k, to) / 4, size = e->in->workgroup_size;
    for (uint32_t at = 0; at < vectors; at += size) {
        struct wgsl_copy *c = &e->copies[e->copy_count++];
        const char *index = wgsl_temp(e), *from = wgsl_temp(e), *parts[4];
        wgsl_line(e, at ? "let %s = li + %uu;" : "let %s = li;", index, at);
        c->guard = at + size > vectors ? base_format(e->cx, "if (%s < %uu)", index, vectors) : NULL;
        wgsl_line(e, c->guard ? "let %s = min(%s, %uu) * 4u;" : "let %s = %s * 4u;", from, index, vectors - 1);
        for (uint32_t k = 0; k < 4; k++) {
            const char *text = wgsl_element(e, n->stage.from, base_format(e->cx, k ? "%s + %uu" : "%s", from, k));
            parts[k] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", parts[k], text);
        }
        const char *type = ir_type_name(ir_elem_type((enum whorl_dtype)info->elem));
        c->value = base_format(e->cx, "vec4<%s>(%s, %s, %s, %s)", type, parts[0], parts[1], parts[2], parts[3]);
        c->place = base_format(e->cx, "%s[%s]", e->array_names[to], wgsl_staged_vector(e, to, index));
    }
}

void wgsl_stage_loads(struct wgsl_emitter *e) {
    uint32_t size = e->in->workgroup_size;
    for (uint32_t i = 0; i < e->stage_count; i++) {
        const struct ir_stmt_node *n = node_of(e, e->stages[i]);
        ir_array a = n->stage.to;
        if (width_of(e, a) == 1 && e->k->vectors.staged[ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)]) {
            load_vectors(e, n);
            continue;
        }
        uint32_t piece = piece_of(e, a), pieces = wgsl_array_count(e->k, a) / piece;
        for (uint32_t at = 0; at < pieces; at += size) {
            struct wgsl_copy *c = &e->copies[e->copy_count++];
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
    e->stage_count = 0;
}

static void store_copies(struct wgsl_emitter *e) {
    for (uint32_t i = 0; i < e->copy_count; i++) {
        const struct wgsl_copy *c = &e->copies[i];
        if (c->guard) wgsl_open(e, c->guard);
        wgsl_line(e, "%s = %s;", c->place, c->value);
        if (c->guard) wgsl_close(e);
    }
}

// The first barrier waits for those that still read what the last phase left there.
void wgsl_stage_stores(struct wgsl_emitter *e) {
    if (!e->copy_count) return;
    wgsl_line(e, "workgroupBarrier();");
    store_copies(e);
    wgsl_line(e, "workgroupBarrier();");
    e->copy_count = 0;
}

struct staged_load {
    const struct wgsl_emitter *e;
    bool found;
};
static void on_leaf(void *user, ir_expr leaf) {
    struct staged_load *x = user;
    const struct ir_node *n = &x->e->u->nodes[leaf];
    x->found |= n->op == IR_LOAD && x->e->u->arrays[n->a].klass == IR_ARRAY_STAGED;
}

bool wgsl_stage_can_wait(struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    if (!e->copy_count || n->kind != IR_ASSIGN) return e->copy_count == 0;
    struct staged_load x = {e, false};
    wgsl_visit_leaves(e->k, n->assign.value, on_leaf, &x);
    return !x.found;
}

void wgsl_stage_settle(struct wgsl_emitter *e) {
    if (!e->copy_count) return;
    wgsl_open(e, "if (round == 0u)");
    wgsl_stage_stores(e);
    wgsl_close(e);
}

// ---- windows -------------------------------------------------------------------------------------------------------------------------

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
    uint32_t at = info->data_count;
    if (info->window) at += offset_of(e, a, first) * info->window;
    const char *row = info->window ? e->window->pass : wgsl_as_u32(e, first);
    return at ? base_format(e->cx, "%s + %uu", row, at) : row;
}

struct reads {
    const struct wgsl_emitter *e;
    ir_array list[WGSL_MAX_STAGES];
    uint32_t count;
};
static bool on_load(void *user, ir_expr x) {
    struct reads *r = user;
    const struct ir_node *n = &r->e->u->nodes[x];
    if (n->op != IR_LOAD || !r->e->u->arrays[n->a].window) return true;
    uint32_t at = 0;
    while (at < r->count && r->list[at] != n->a)
        at++;
    if (at == r->count && at < WGSL_MAX_STAGES) r->list[r->count++] = n->a;
    return true;
}

// Where this invocation's words of the first stretch come from, and where they go. from: by piece, later stretches are
// a constant on.
static void emit_places(struct wgsl_emitter *e, ir_array a, int32_t low, const char **from) {
    const struct ir_array_info *info = &e->u->arrays[a];
    uint32_t width = width_of(e, a), piece = piece_of(e, a);
    uint32_t each = info->window * width / piece, pieces = each * info->offset_count;
    for (uint32_t at = 0; at < pieces; at += e->in->workgroup_size) {
        struct wgsl_copy *c = &e->copies[e->copy_count];
        const char *index = wgsl_temp(e), *rest = wgsl_temp(e), *base;
        wgsl_line(e, "let %s = li + %uu;", index, at);
        c->guard = at + e->in->workgroup_size > pieces ? base_format(e->cx, "if (%s < %uu)", index, pieces) : NULL;
        wgsl_line(e, "let %s = %s %% %uu;", rest, index, each);
        base = base_format(e->cx, "%uu", (uint32_t)(info->offsets[0] + low) * width);
        for (uint32_t k = 1; k < info->offset_count; k++)
            base = base_format(e->cx, "select(%s, %uu, %s >= %uu)", base, (uint32_t)(info->offsets[k] + low) * width,
                               index, k * each);
        from[e->copy_count++] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s * %uu + %s;", from[e->copy_count - 1], rest, piece, base);
        c->place = place_of(e, a, index);
        c->array = a;
    }
}

// The words of the stretch that starts at pass `start`. `cut`: the last one is shorter, and goes beyond the array's
// end.
static void emit_ahead(struct wgsl_emitter *e, const char **from, const char *start, bool cut) {
    for (uint32_t i = 0; i < e->copy_count; i++) {
        struct wgsl_copy *c = &e->copies[i];
        const char *index = from[i];
        if (start) index = base_format(e->cx, "%s + %s * %uu", index, start, width_of(e, c->array));
        if (cut)
            index = base_format(e->cx, "min(%s, %uu)", index, wgsl_array_count(e->k, c->array) - piece_of(e, c->array));
        if (!start) c->value = wgsl_temp(e);
        wgsl_line(e, "%s%s = %s;", start ? "" : "var ", c->value, load_piece(e, c->array, index));
    }
}

bool wgsl_stage_loop(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    struct reads r = {.e = e};
    struct ir_visitor visitor = {.on_node = on_load, .user = &r};
    ir_walk_block(e->u, n->counted.body, &visitor);
    if (!r.count) return false;
    uint32_t low, high, window = e->u->arrays[r.list[0]].window;
    if (!ir_is_const(e->u, n->counted.lo, &low) || !ir_is_const(e->u, n->counted.hi, &high))
        base_bug(e->cx, "a window in a loop of unknown length");
    uint32_t trips = high - low;
    for (uint32_t i = 1; i < r.count; i++)
        window = e->u->arrays[r.list[i]].window < window ? e->u->arrays[r.list[i]].window : window;
    bool cut = false;
    for (uint32_t i = 0; i < r.count; i++)
        cut |= trips % window != 0 || e->u->arrays[r.list[i]].window != window;

    const char *from[WGSL_MAX_COPIES], *stretch = wgsl_temp(e), *pass = wgsl_temp(e), *start = wgsl_temp(e);
    wgsl_open(e, "");
    for (uint32_t i = 0; i < r.count; i++)
        emit_places(e, r.list[i], (int32_t)low, from);
    emit_ahead(e, from, NULL, cut);
    wgsl_line(e, "var %s = 0u;", start);
    wgsl_open(e, base_format(e->cx, "for (; %s < %uu; %s += %uu)", start, trips, start, window));
    wgsl_line(e, "workgroupBarrier();");
    store_copies(e);
    wgsl_line(e, "workgroupBarrier();");
    if (window < trips) {
        wgsl_open(e, base_format(e->cx, "if (%s + %uu < %uu)", start, window, trips));
        wgsl_line(e, "let %s = %s + %uu;", stretch, start, window);
        emit_ahead(e, from, stretch, cut);
        wgsl_close(e);
    }
    e->copy_count = 0;
    struct wgsl_window here = {pass}, *outer = e->window;
    e->window = &here;
    ir_var v = n->counted.var;
    const char *type = ir_type_name((enum ir_type)e->u->vars[v].type), *name = e->names[v];
    const char *end = trips % window ? base_format(e->cx, "min(%uu, %uu - %s)", window, trips, start)
                                     : base_format(e->cx, "%uu", window);
    wgsl_open(e, base_format(e->cx, "for (var %s = select(%uu, lane, live); %s < %s; %s += %uu)", pass, window, pass,
                             end, pass, e->lane_count));
    wgsl_line(e, "%s%s = %s + %s(%s + %s);", e->k->vars[v].home == WGSL_HEADER ? "let " : "", name,
              wgsl_expr(e, n->counted.lo), type, start, pass);
    wgsl_loop_body(e, n->counted.body, "");
    wgsl_close(e);
    e->window = outer;
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (%s < %uu)", start, trips));
    wgsl_failure(e);
    wgsl_close(e);
    wgsl_close(e);
    return true;
}
