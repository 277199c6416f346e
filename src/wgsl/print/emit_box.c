// Boxes of arrays in workgroup memory (pass_panel). Copies that follow each other are made together: all loads are
// asked for, then stored between two barriers. The first waits for those that still read what was there before.
//
// In a loop over stretches the words of the next one are asked for before the passes of this one are made, so that
// memory's answer is not waited for.
//
// Rows of lanes (pass_turn) come and go in the same way.
//
// An invocation carries whole vectors where the box has them, else single words; neighbours carry neighbours. Indices
// are clamped to the array, as tiles may go beyond its edge.
#include "wgsl/print/emit.h"

enum { MOST_PIECES = 64 }; // of an invocation, between two barriers

struct piece {
    const char *guard, *place, *value;
    uint32_t words; // of the value
    ir_array to;
};

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

static uint32_t length_of(const struct wgsl_emitter *e, ir_array a, uint32_t d) {
    uint32_t bits = 1;
    ir_is_const(e->u, e->u->arrays[a].dims[d], &bits);
    return bits;
}

// The array's element, counted in pieces, that piece `index` of the box comes from.
static const char *source_of(struct wgsl_emitter *e, const struct ir_stmt_node *n, const char *const *origins,
                             const char *index, uint32_t words) {
    uint32_t dims = e->u->arrays[n->stage.to].ndims;
    const char *rest = index, *text = NULL;
    const char *at[IR_MAX_DIMS];
    for (uint32_t d = dims; d-- > 0;) {
        uint32_t extent = length_of(e, n->stage.to, d) / (d + 1 == dims ? words : 1),
                 length = length_of(e, n->stage.from, d) / (d + 1 == dims ? words : 1);
        const char *own = d ? base_format(e->cx, "%s %% %uu", rest, extent) : rest;
        const char *first = d + 1 == dims && words > 1 ? base_format(e->cx, "%s / %u", origins[d], words) : origins[d];
        at[d] = wgsl_temp(e);
        wgsl_line(e, "let %s = u32(clamp(%s + i32(%s), 0, %u));", at[d], first, own, length - 1);
        if (d == 0) break;
        const char *next = wgsl_temp(e);
        wgsl_line(e, "let %s = %s / %uu;", next, rest, extent);
        rest = next;
    }
    for (uint32_t d = 0; d < dims; d++) {
        uint32_t length = length_of(e, n->stage.from, d) / (d + 1 == dims ? words : 1);
        text = text ? base_format(e->cx, "(%s) * %uu + %s", text, length, at[d]) : at[d];
    }
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, text);
    return name;
}

// The words that hold four narrow elements, the `number`-th of such fours. -> how many: 1 or 2
static uint32_t load_packed(struct wgsl_emitter *e, ir_array from, const char *number, const char *words[2]) {
    const struct wgsl_place *place = &e->in->places[from];
    uint32_t form = e->k->vectors.forms[place->slot].words,
             count = (uint32_t)whorl_dtype_size((enum whorl_dtype)e->u->arrays[from].elem);
    const char *at = wgsl_temp(e), *vector = wgsl_temp(e);
    wgsl_line(e, "let %s = %s * %uu + %uu;", at, number, count, place->offset_elems); // which are words there
    if (form == 1) {
        for (uint32_t k = 0; k < count; k++)
            words[k] = base_format(e->cx, "b%u[%s + %uu]", place->slot, at, k);
        return count;
    }
    wgsl_line(e, "let %s = b%u[%s / %uu];", vector, place->slot, at, form);
    for (uint32_t k = 0; k < count; k++)
        words[k] = form == count ? base_format(e->cx, "%s.%c", vector, "xy"[k])
                                 : base_format(e->cx, "%s[%s %% %uu + %uu]", vector, at, form, k);
    return count;
}

static const char *vector_of(struct wgsl_emitter *e, enum ir_type type, const char *const parts[WGSL_WIDEST]) {
    return base_format(e->cx, "vec4<%s>(%s, %s, %s, %s)", ir_type_name(type), parts[0], parts[1], parts[2], parts[3]);
}

// A vector of the array, or a word, by its number among such.
static const char *load_piece(struct wgsl_emitter *e, ir_array from, const char *number, uint32_t words) {
    const struct wgsl_form *form = &e->k->vectors.forms[e->in->places[from].slot];
    enum ir_type type = ir_elem_type((enum whorl_dtype)e->u->arrays[from].elem);
    const char *name = wgsl_temp(e),
               *value = words == 1 ? wgsl_element(e, from, number) : wgsl_vector_at(e, from, number);
    if (!value && wgsl_is_packed(e->k, from) && !form->atomic) {
        const char *held[2], *parts[WGSL_WIDEST];
        uint32_t each = WGSL_WIDEST / load_packed(e, from, number, held);
        for (uint32_t k = 0; k < WGSL_WIDEST; k++)
            parts[k] = wgsl_packed_part(e, from, held[k / each], k % each);
        value = vector_of(e, type, parts);
    } else if (!value) {
        const char *parts[WGSL_WIDEST], *first = wgsl_temp(e);
        wgsl_line(e, "let %s = %s * %uu;", first, number, words);
        for (uint32_t k = 0; k < WGSL_WIDEST; k++) {
            const char *text = wgsl_element(e, from, k ? base_format(e->cx, "%s + %uu", first, k) : first);
            parts[k] = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", parts[k], text);
        }
        value = vector_of(e, type, parts);
    }
    wgsl_line(e, "let %s = %s;", name, value);
    return name;
}

// Where piece `index` of the box stands, counted in pieces.
static const char *place_of(struct wgsl_emitter *e, ir_array to, const char *index, uint32_t words) {
    const struct ir_array_info *info = &e->u->arrays[to];
    uint32_t row = length_of(e, to, info->ndims - 1) / words, first = info->data_count / words;
    const char *text = index;
    if (info->skew)
        text = base_format(e->cx, "%s + %s / %uu * %uu", text, index, row * info->skew, IR_STAGED_VECTOR / words);
    return first ? base_format(e->cx, "%s + %uu", text, first) : text;
}

static void load_box(struct wgsl_emitter *e, ir_stmt s, struct piece *pieces, uint32_t *io_count) {
    const struct ir_stmt_node *n = node_of(e, s);
    uint32_t words = wgsl_box_is_whole(e->k, n) ? WGSL_WIDEST : 1, size = e->in->workgroup_size,
             count = wgsl_array_count(e->k, n->stage.to) / words;
    const char *origins[IR_MAX_DIMS];
    wgsl_begin(e, e->u->args + n->stage.origins, n->stage.origin_count);
    for (uint32_t d = 0; d < n->stage.origin_count; d++) {
        origins[d] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s;", origins[d], wgsl_expr(e, e->u->args[n->stage.origins + d]));
    }
    for (uint32_t at = 0; at < count; at += size) {
        if (*io_count == MOST_PIECES) base_bug(e->cx, "an invocation has too many words to copy");
        struct piece *p = &pieces[(*io_count)++];
        const char *index = at ? base_format(e->cx, "(li + %uu)", at) : "li"; // known outside of the branch, too
        p->guard = at + size > count ? base_format(e->cx, "if (%s < %uu)", index, count) : NULL;
        p->value = load_piece(e, n->stage.from, source_of(e, n, origins, index, words), words);
        p->place = place_of(e, n->stage.to, index, words);
        p->words = words;
        p->to = n->stage.to;
    }
}

static const char *type_of(struct wgsl_emitter *e, const struct piece *p) {
    const char *type = ir_type_name(ir_elem_type((enum whorl_dtype)e->u->arrays[p->to].elem));
    return p->words == 1 ? type : base_format(e->cx, "vec%u<%s>", p->words, type);
}

// ---- rows of lanes (TURN) -------------------------------------------------------------------------------------------

// An invocation's words: neighbours have neighbouring words of a row, and each word is of a row further down. What is
// made of the lane's number is meanwhile that of the row's own lane. pieces: of words that are loaded; NULL: they go
// back.
static void turn_words(struct wgsl_emitter *e, ir_stmt s, struct piece *pieces, uint32_t *io_count) {
    const struct ir_stmt_node *n = node_of(e, s);
    ir_array box = ir_box_of(e->u, n), other = pieces ? n->turn.from : n->turn.to;
    uint32_t words = length_of(e, box, 1) - 1, count = n->turn.index_count, apart = e->in->workgroup_size / words;
    const char *own = e->names[n->turn.lane];
    ir_expr exprs[IR_MAX_DIMS + 1] = {n->turn.there};
    for (uint32_t i = 0; i < count; i++)
        exprs[i + 1] = e->u->args[n->turn.indices + i];
    e->names[n->turn.index] = wgsl_temp(e);
    wgsl_line(e, "let %s = i32(li %% %uu);", e->names[n->turn.index], words);
    for (uint32_t k = 0; k < words; k++) {
        struct piece p = {.value = wgsl_temp(e), .words = 1, .to = box};
        p.place = base_format(e->cx, "li / %uu * %uu + li %% %uu + %uu", words, words + 1, words,
                              k * apart * (words + 1) + e->u->arrays[box].data_count);
        e->names[n->turn.lane] = wgsl_temp(e);
        wgsl_line(e, "let %s = i32(li / %uu + %uu);", e->names[n->turn.lane], words, k * apart);
        wgsl_begin(e, exprs + !*exprs, count + (*exprs != 0));
        if (*exprs && pieces) wgsl_line(e, "var %s: %s;", p.value, type_of(e, &p));
        if (*exprs) wgsl_open(e, base_format(e->cx, "if (%s)", wgsl_expr(e, *exprs)));
        if (pieces) {
            if (*io_count == MOST_PIECES) base_bug(e->cx, "an invocation has too many words to copy");
            struct wgsl_index index = wgsl_linear(e, other, n->turn.indices, count);
            const char *at = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", at, wgsl_index_text(e, &index));
            wgsl_line(e, *exprs ? "%s = %s;" : "let %s = %s;", p.value, wgsl_element(e, other, at));
            pieces[(*io_count)++] = p;
        } else {
            wgsl_store_element(e, other, n->turn.indices, count,
                               base_format(e->cx, "%s[%s]", e->array_names[box], p.place));
        }
        if (*exprs) wgsl_close(e);
    }
    e->names[n->turn.lane] = own;
}

static bool copies_in(const struct wgsl_emitter *e, ir_stmt s) {
    const struct ir_stmt_node *n = node_of(e, s);
    return s && (n->kind == IR_STAGE || (n->kind == IR_TURN && e->u->arrays[n->turn.to].is_box));
}

static void store_piece(struct wgsl_emitter *e, const struct piece *p) {
    bool vectors = e->k->vectors.staged[ir_elem_type((enum whorl_dtype)e->u->arrays[p->to].elem)] > 1;
    const char *memory = e->array_names[p->to];
    if (p->guard) wgsl_open(e, p->guard);
    if (vectors || p->words == 1)
        wgsl_line(e, "%s[%s] = %s;", memory, p->place, p->value);
    else
        for (uint32_t k = 0; k < p->words; k++)
            wgsl_line(e, "%s[(%s) * %uu + %uu] = %s.%c;", memory, p->place, p->words, k, p->value, "xyzw"[k]);
    if (p->guard) wgsl_close(e);
}

// Of the copies from `s` on. -> the last of them
static ir_stmt load_boxes(struct wgsl_emitter *e, ir_stmt s, struct piece *pieces, uint32_t *out_count) {
    *out_count = 0;
    for (;; s = node_of(e, s)->next) {
        (node_of(e, s)->kind == IR_TURN ? turn_words : load_box)(e, s, pieces, out_count);
        if (!copies_in(e, node_of(e, s)->next)) return s;
    }
}

static void store_boxes(struct wgsl_emitter *e, const struct piece *pieces, uint32_t count, bool waited) {
    if (!waited) wgsl_line(e, "workgroupBarrier();");
    for (uint32_t i = 0; i < count; i++)
        store_piece(e, &pieces[i]);
    wgsl_line(e, "workgroupBarrier();");
}

// Rows go back between barriers: the first waits for those who still store to them, the second for those who take them
// from there.
static ir_stmt store_rows(struct wgsl_emitter *e, ir_stmt s) {
    bool meets = node_of(e, s)->turn.meets;
    wgsl_line(e, "workgroupBarrier();");
    if (meets) wgsl_line(e, "storageBarrier();");
    for (;; s = node_of(e, s)->next) {
        turn_words(e, s, NULL, NULL);
        const struct ir_stmt_node *next = node_of(e, node_of(e, s)->next);
        if (next->kind != IR_TURN || copies_in(e, node_of(e, s)->next) || next->turn.meets != meets) break;
    }
    if (meets) wgsl_line(e, "storageBarrier();");
    wgsl_line(e, "workgroupBarrier();");
    return s;
}

// What lanes have stored to such rows themselves is there before others take it.
static void meet_rows(struct wgsl_emitter *e, ir_stmt copies) {
    bool meets = false;
    for (; copies_in(e, copies); copies = node_of(e, copies)->next)
        meets |= node_of(e, copies)->kind == IR_TURN && node_of(e, copies)->turn.meets;
    if (meets) wgsl_line(e, "storageBarrier();");
}

void wgsl_boxes(struct wgsl_emitter *e, ir_stmt s) {
    struct piece pieces[MOST_PIECES];
    uint32_t count;
    ir_stmt last = 0;
    if (e->last_box) { // made with those before it
        if (s == e->last_box) e->last_box = 0;
        return;
    }
    if (copies_in(e, s)) {
        meet_rows(e, s);
        last = load_boxes(e, s, pieces, &count);
        store_boxes(e, pieces, count, false);
    } else {
        last = store_rows(e, s);
    }
    if (last != s) e->last_box = last;
}

bool wgsl_has_stretches(const struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    uint64_t trips;
    return copies_in(e, n->counted.body) && n->counted.step == 1 && ir_const_trips(e->u, loop, &trips) &&
           !e->k->resume.last[loop];
}

// One pass more than there are stretches: each but the last asks for the words of its own, computes the one before, and
// then stores.
void wgsl_stretches(struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    struct piece pieces[MOST_PIECES];
    const char *own = e->names[n->counted.var], *next = wgsl_temp(e), *now = wgsl_temp(e);
    uint32_t count, lo = 0, hi = 0;
    ir_is_const(e->u, n->counted.lo, &lo);
    ir_is_const(e->u, n->counted.hi, &hi);
    const char *first = wgsl_const(e, IR_I32, lo), *end = wgsl_const(e, IR_I32, hi);
    const char *more = base_format(e->cx, "if (%s < %s)", next, end);
    meet_rows(e, n->counted.body);
    wgsl_open(e, "");
    wgsl_line(e, "var %s = %s;", next, first);
    wgsl_open(e, base_format(e->cx, "for (; %s <= %s; %s += 1)", next, end, next));
    struct base_text asks, *out = e->out;
    base_text_init(&asks, e->cx);
    e->out = &asks;
    wgsl_open(e, more);
    e->names[n->counted.var] = next;
    ir_stmt last = load_boxes(e, n->counted.body, pieces, &count);
    for (uint32_t i = 0; i < count; i++) { // they wait in variables, which stand in front of the branch
        const char *kept = wgsl_temp(e);
        wgsl_line(e, "%s = %s;", kept, pieces[i].value);
        pieces[i].value = kept;
    }
    wgsl_close(e);
    e->out = out;
    for (uint32_t i = 0; i < count; i++)
        wgsl_line(e, "var %s: %s;", pieces[i].value, type_of(e, &pieces[i]));
    base_text_put(e->out, asks.data);
    wgsl_open(e, base_format(e->cx, "if (%s > %s)", next, first));
    wgsl_line(e, "let %s = %s - 1;", now, next);
    e->names[n->counted.var] = now;
    wgsl_loop_body(e, node_of(e, last)->next, "");
    e->names[n->counted.var] = own;
    wgsl_close(e);
    while (node_of(e, last)->next)
        last = node_of(e, last)->next;
    wgsl_open(e, more);
    store_boxes(e, pieces, count, node_of(e, last)->kind == IR_TURN);
    wgsl_close(e);
    wgsl_close(e);
    wgsl_open(e, base_format(e->cx, "if (%s <= %s)", next, end));
    wgsl_failure(e);
    wgsl_close(e);
    wgsl_close(e);
}
