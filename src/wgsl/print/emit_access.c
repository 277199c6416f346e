// Elements of arrays: the linear index, and what a word of the binding means.
//
// Entry arrays of narrow elements (f16, i8 ...) are packed as the caller laid them out; scratch arrays, tables and
// local arrays hold one 32-bit word an element, normalised to the element's range by the store.
#include <stdio.h>
#include <string.h>

#include "wgsl/print/emit.h"

// *plain: the text before. Made once: loads in it are lines of their own, and twice as many in each index of an index.
static const char *index_u32(struct wgsl_emitter *e, ir_expr x, const char **plain) {
    uint32_t bits;
    if (e->u->nodes[x].type == IR_U32 && !ir_is_const(e->u, x, &bits)) return wgsl_operand_of(e, x, plain);
    *plain = wgsl_expr(e, x);
    return ir_is_const(e->u, x, &bits) ? base_format(e->cx, "%uu", bits) : base_format(e->cx, "u32(%s)", *plain);
}

const char *wgsl_as_u32(struct wgsl_emitter *e, ir_expr x) {
    const char *plain;
    return index_u32(e, x, &plain);
}

// Of the dimensions from `from` up to `n`.
static struct wgsl_index linear_from(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t from,
                                     uint32_t n) {
    const struct ir_array_info *info = &e->u->arrays[a];
    const ir_expr *args = e->u->args + first_arg;
    struct wgsl_index index = {0};
    uint32_t bits, terms = 0;
    for (uint32_t i = from; i < n; i++) {
        // stride: the product of the dimensions after this one
        uint32_t stride = 1;
        const char *factors = "";
        for (uint32_t d = i + 1; d < n; d++) {
            if (ir_is_const(e->u, info->dims[d], &bits))
                stride *= bits;
            else
                factors = base_format(e->cx, "%s * %s", factors, wgsl_as_u32(e, info->dims[d]));
        }
        bool is_const = ir_is_const(e->u, args[i], &bits);
        if (is_const && !*factors) {
            index.constant += bits * stride;
            continue;
        }
        if (is_const && bits == 0) continue;
        ir_expr arg = args[i];
        const struct ir_node *sum = &e->u->nodes[arg];
        if (sum->op == IR_ADD && !*factors && ir_is_const(e->u, sum->b, &bits)) { // the constant apart
            index.constant += bits * stride;
            arg = sum->a;
        }
        const char *plain, *term = index_u32(e, arg, &plain);
        if (n == 1 && arg == args[0]) index.plain = plain;
        uint32_t even = *factors ? 1 : ir_divisor(e->u, arg) * (stride & (0u - stride));
        index.even = index.even && index.even < even ? index.even : even;
        if (stride != 1) term = base_format(e->cx, "%s * %uu", term, stride);
        term = base_format(e->cx, "%s%s", term, factors);
        index.text = index.text ? base_format(e->cx, "%s + %s", index.text, term) : term;
        terms++;
    }
    index.simple = terms == 1 && n == 1 && e->u->nodes[args[0]].op == IR_VAR && e->u->nodes[args[0]].type == IR_U32;
    return index;
}

struct wgsl_index wgsl_linear(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n) {
    const struct ir_array_info *info = &e->u->arrays[a];
    if (n != info->ndims) base_bug(e->cx, "array %s has %u dimensions, %u indices", info->name, info->ndims, n);
    return linear_from(e, a, first_arg, 0, n);
}

const char *wgsl_index_text(struct wgsl_emitter *e, const struct wgsl_index *index) {
    if (!index->text) return base_format(e->cx, "%uu", index->constant);
    return index->constant ? base_format(e->cx, "%s + %uu", index->text, index->constant) : index->text;
}

static const struct wgsl_form *form_of(struct wgsl_emitter *e, ir_array a) {
    uint32_t slot = e->in->places[a].slot;
    if (slot >= e->in->binding_count) base_bug(e->cx, "array %s has no place in this kernel", e->u->arrays[a].name);
    return &e->k->vectors.forms[slot];
}

// A word of the binding as the scalar type.
const char *wgsl_read_word(struct wgsl_emitter *e, const struct wgsl_form *b, enum ir_type type, const char *word) {
    enum ir_type from = ir_elem_type(b->elem);
    if (from == type) return word;
    if (type == IR_BOOL)
        return base_format(e->cx, "(%s != %s)", word, from == IR_U32 ? "0u" : from == IR_I32 ? "0" : "0.0f");
    return base_format(e->cx, "bitcast<%s>(%s)", ir_type_name(type), word);
}

static const char *write_word(struct wgsl_emitter *e, const struct wgsl_form *b, enum ir_type type, const char *value) {
    enum ir_type to = ir_elem_type(b->elem);
    if (to == type) return value;
    if (type == IR_BOOL)
        return base_format(e->cx, "select(%s, %s)",
                           to == IR_U32   ? "0u, 1u"
                           : to == IR_I32 ? "0i, 1i"
                                          : "0.0f, 1.0f",
                           value);
    return base_format(e->cx, "bitcast<%s>(%s)", ir_type_name(to), value);
}

// The word of a packed array that holds the element, and the element's first bit in it.
struct packed {
    const char *word, *shift;
    uint32_t bits, part; // part: number of the element in its word, where that is known
    bool known;
};
// Word `index` (u32 text) of the binding.
static const char *word_at(struct wgsl_emitter *e, uint32_t slot, const char *index) {
    if (e->k->vectors.forms[slot].atomic) return base_format(e->cx, "atomicLoad(&b%u[%s])", slot, index);
    return wgsl_part(e, base_format(e->cx, "b%u", slot), e->k->vectors.forms[slot].words, index);
}

// Words that `text` elements (a multiple of a word's, in wrapping u32 arithmetic) are. Constants stand apart from the
// text, so that it may be below zero alone: a[i - 1], and bits above must come from the sign.
const char *wgsl_words_of(struct wgsl_emitter *e, const char *text, uint32_t shift) {
    return base_format(e->cx, "bitcast<u32>(bitcast<i32>(%s) >> %uu)", text, shift);
}

static struct packed packed_place(struct wgsl_emitter *e, ir_array a, const char *index, bool is_const,
                                  uint32_t constant, uint32_t even) {
    uint32_t bits = 8 * (uint32_t)whorl_dtype_size((enum whorl_dtype)e->u->arrays[a].elem), step = bits == 8 ? 2 : 1,
             mask = (1u << step) - 1;
    uint32_t slot = e->in->places[a].slot, offset = e->in->places[a].offset_elems;
    struct packed p = {.bits = bits};
    if (!is_const && even > mask) { // which part of its word the element is, is known: neighbours share one load
        uint32_t rest = (uint32_t)((int32_t)constant >> step) + offset;
        const char *words = wgsl_words_of(e, index, step);
        p.word = word_at(e, slot, rest ? base_format(e->cx, "%s + %uu", words, rest) : words);
        p.part = constant & mask;
        p.known = true;
        p.shift = base_format(e->cx, "%uu", p.part * bits);
        return p;
    }
    if (is_const) {
        p.word = word_at(e, slot, base_format(e->cx, "%uu", (constant >> step) + offset));
        p.shift = base_format(e->cx, "%uu", (constant & mask) * bits);
        return p;
    }
    p.word = word_at(e, slot,
                     offset ? base_format(e->cx, "(%s >> %uu) + %uu", index, step, offset)
                            : base_format(e->cx, "%s >> %uu", index, step));
    p.shift = base_format(e->cx, "(%s & %uu) * %uu", index, mask, bits);
    return p;
}

static const char *load_packed(struct wgsl_emitter *e, ir_array a, const struct packed *p) {
    enum whorl_dtype elem = (enum whorl_dtype)e->u->arrays[a].elem;
    switch (ir_elem_type(elem)) {
    case IR_F32: // F16, the only float that is narrow
        if (p->known) return base_format(e->cx, "unpack2x16float(%s).%c", p->word, p->part ? 'y' : 'x');
        return base_format(e->cx, "unpack2x16float(%s >> (%s)).x", p->word, p->shift);
    case IR_BOOL: return base_format(e->cx, "(extractBits(%s, %s, %uu) != 0u)", p->word, p->shift, p->bits);
    default:
        if (base_dtype(elem)->lowest < 0)
            return base_format(e->cx, "extractBits(bitcast<i32>(%s), %s, %uu)", p->word, p->shift, p->bits);
        return base_format(e->cx, "bitcast<i32>(extractBits(%s, %s, %uu))", p->word, p->shift, p->bits);
    }
}

// Element `part` of a word of the packed array.
const char *wgsl_packed_part(struct wgsl_emitter *e, ir_array a, const char *word, uint32_t part) {
    uint32_t bits = 8 * (uint32_t)whorl_dtype_size((enum whorl_dtype)e->u->arrays[a].elem);
    struct packed p = {word, base_format(e->cx, "%uu", part * bits), bits, part, true};
    return load_packed(e, a, &p);
}

static const char *load_at(struct wgsl_emitter *e, ir_array a, struct wgsl_index *index) {
    enum ir_type type = ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem);
    const struct wgsl_form *b = form_of(e, a);
    uint32_t slot = e->in->places[a].slot, offset = e->in->places[a].offset_elems;
    if (wgsl_is_packed(e->k, a)) {
        uint32_t parts = 4 / (uint32_t)whorl_dtype_size((enum whorl_dtype)e->u->arrays[a].elem);
        bool known = index->even >= parts;
        const char *text = known ? index->text : wgsl_index_text(e, index);
        if (index->text && !(index->simple && (known || index->constant == 0))) {
            const char *name = wgsl_temp(e);
            wgsl_line(e, "let %s = %s;", name, text);
            text = name;
        }
        struct packed p = packed_place(e, a, text, !index->text, index->constant, index->even);
        return load_packed(e, a, &p);
    }
    index->constant += offset;
    bool plain = index->plain && index->constant == 0 && e->k->vectors.forms[slot].words == 1;
    return wgsl_read_word(e, b, type, word_at(e, slot, plain ? index->plain : wgsl_index_text(e, index)));
}

static const char *local_element(struct wgsl_emitter *e, ir_array a, const struct wgsl_index *index) {
    const char *text = index->plain && index->constant == 0 ? index->plain : wgsl_index_text(e, index);
    if (!index->text &&
        index->constant >= wgsl_array_count(e->k, a)) // refused by compilers even where it is never reached
        text = base_format(e->cx, "%s + " WGSL_ZERO, text);
    if (e->u->arrays[a].lanes)
        return base_format(e->cx, "%s[near%u + %s]", e->array_names[a], a, wgsl_index_text(e, index));
    return base_format(e->cx, "%s[%s]", e->array_names[a], text);
}

const char *wgsl_skewed(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n, const char *index,
                        uint32_t words) {
    uint32_t skew = e->u->arrays[a].skew, vector = IR_STAGED_VECTOR / words;
    if (!skew || n < 2) return index;
    struct wgsl_index row = linear_from(e, a, first_arg, 0, n - 1);
    if (!row.text && row.constant < skew) return index;
    const char *text = base_format(e->cx, "(%s) / %uu", wgsl_index_text(e, &row), skew);
    return base_format(e->cx, vector > 1 ? "%s + %s * %uu" : "%s + %s", index, text, vector);
}

static const char *staged_element(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n) {
    const struct ir_array_info *info = &e->u->arrays[a];
    if (info->row == 1 && !info->window) {
        struct wgsl_index index = wgsl_linear(e, a, first_arg, n);
        bool vectors = e->k->vectors.staged[ir_elem_type((enum whorl_dtype)info->elem)] > 1;
        index.constant += info->data_count;
        const char *text = wgsl_skewed(e, a, first_arg, n, wgsl_index_text(e, &index), 1);
        return wgsl_part(e, e->array_names[a], vectors ? 4 : 1, text);
    }
    const char *row = wgsl_stage_row(e, a, e->u->args[first_arg]);
    if (info->row == 1) return base_format(e->cx, "%s[%s]", e->array_names[a], row);
    struct wgsl_index word = linear_from(e, a, first_arg, 1, n);
    if (info->row > IR_STAGED_VECTOR && !wgsl_in_vector_rows(e->k, a)) {
        word.constant += info->data_count;
        return base_format(e->cx, "%s[(%s) * %uu + %s]", e->array_names[a], row, info->row, wgsl_index_text(e, &word));
    }
    const char *vector = wgsl_temp(e); // all of it: the driver has one load then
    wgsl_line(e, "let %s = %s[%s];", vector, e->array_names[a], row);
    if (!word.text) return base_format(e->cx, "%s.%c", vector, "xyzw"[word.constant & 3]);
    return base_format(e->cx, "%s[%s]", vector, wgsl_index_text(e, &word));
}

void wgsl_forget_rows(struct wgsl_emitter *e, const char *name) {
    for (uint32_t i = 0; i < WGSL_ROWS; i++)
        if (e->rows.at[i].name && (!name || strstr(e->rows.at[i].index, name))) e->rows.at[i].name = NULL;
}

static const char *loaded_row(struct wgsl_emitter *e, uint32_t slot, const char *index) {
    for (uint32_t i = 0; i < WGSL_ROWS; i++)
        if (e->rows.at[i].name && e->rows.at[i].slot == slot && strcmp(e->rows.at[i].index, index) == 0)
            return e->rows.at[i].name;
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = b%u[%s];", name, slot, index);
    e->rows.at[e->rows.next].slot = slot;
    e->rows.at[e->rows.next].index = index;
    e->rows.at[e->rows.next].name = name;
    e->rows.next = (e->rows.next + 1) % WGSL_ROWS;
    return name;
}

// Of an array whose rows are whole vectors of its binding: one load for the elements of a vector that follow each
// other.
static const char *row_element(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n) {
    const struct wgsl_place *place = &e->in->places[a];
    uint32_t words = e->k->vectors.forms[place->slot].words, length = words, part = 0;
    (void)ir_is_const(e->u, e->u->arrays[a].dims[n - 1], &length);
    struct wgsl_index row = linear_from(e, a, first_arg, 0, n - 1);
    ir_expr rest = wgsl_row_part(e->u, e->u->args[first_arg + n - 1], &part); // wgsl_choose_vectors has seen it
    if (row.text && length != words)
        row.text = base_format(e->cx, "(%s) * %uu", wgsl_index_text(e, &row), length / words);
    row.constant = (row.text && length != words ? 0 : row.constant * (length / words)) + place->offset_elems / words;
    if (rest) {
        const char *text = wgsl_words_of(e, wgsl_as_u32(e, rest), words == 2 ? 1 : 2);
        row.text = row.text ? base_format(e->cx, "%s + %s", row.text, text) : text;
    }
    row.constant += (uint32_t)((int32_t)part >> (words == 2 ? 1 : 2));
    return wgsl_read_word(
        e, form_of(e, a), ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem),
        base_format(e->cx, "%s.%c", loaded_row(e, place->slot, wgsl_index_text(e, &row)), "xyzw"[part & (words - 1)]));
}

const char *wgsl_load(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n) {
    if (e->u->arrays[a].klass == IR_ARRAY_STAGED) return staged_element(e, a, first_arg, n);
    const char *held = wgsl_tile_load(e, a, first_arg, n);
    if (held) return held;
    if (ir_in_buffer(e->u, a) && e->k->vectors.forms[e->in->places[a].slot].in_rows)
        return row_element(e, a, first_arg, n);
    struct wgsl_index index = wgsl_linear(e, a, first_arg, n);
    return e->array_names[a] ? local_element(e, a, &index) : load_at(e, a, &index);
}

const char *wgsl_element(struct wgsl_emitter *e, ir_array a, const char *text) {
    struct wgsl_index index = {.text = text, .simple = true};
    return load_at(e, a, &index);
}

const char *wgsl_vector_at(struct wgsl_emitter *e, ir_array a, const char *index) {
    const struct wgsl_place *place = &e->in->places[a];
    const struct wgsl_form *form = form_of(e, a);
    enum ir_type type = ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem);
    if (form->words != WGSL_WIDEST || wgsl_is_packed(e->k, a) || place->offset_elems % WGSL_WIDEST) return NULL;
    uint32_t first = place->offset_elems / WGSL_WIDEST;
    const char *text = base_format(e->cx, first ? "b%u[%s + %uu]" : "b%u[%s]", place->slot, index, first);
    if (ir_elem_type(form->elem) == type) return text;
    return base_format(e->cx, "bitcast<vec4<%s>>(%s)", ir_type_name(type), text);
}

// The value as the element holds it.
static const char *narrow(struct wgsl_emitter *e, enum whorl_dtype elem, const char *value) {
    if (ir_round_op(elem) != IR_EXACT) return base_format(e->cx, "%s(%s)", ir_ops[ir_round_op(elem)].wgsl, value);
    if (ir_elem_type(elem) != IR_I32 || whorl_dtype_size(elem) == 4) return value;
    uint32_t bits = 8 * (uint32_t)whorl_dtype_size(elem);
    return base_dtype(elem)->lowest < 0 ? base_format(e->cx, "extractBits(%s, 0u, %uu)", value, bits)
                                        : base_format(e->cx, "(%s & 0x%x)", value, (1u << bits) - 1);
}

const char *wgsl_stored_word(struct wgsl_emitter *e, ir_array a, const char *value) {
    enum whorl_dtype elem = (enum whorl_dtype)e->u->arrays[a].elem;
    return write_word(e, form_of(e, a), ir_elem_type(elem), narrow(e, elem, value));
}

static void store_word(struct wgsl_emitter *e, ir_array a, struct wgsl_index *index, const char *word) {
    const struct wgsl_place *place = &e->in->places[a];
    if (!e->in->bindings[place->slot].writable)
        base_bug(e->cx, "array %s is written through a read-only binding", e->u->arrays[a].name);
    if (wgsl_is_packed(e->k, a)) base_bug(e->cx, "array %s is packed and written", e->u->arrays[a].name);
    index->constant += place->offset_elems;
    const struct wgsl_form *form = form_of(e, a);
    bool plain = index->plain && index->constant == 0 && form->words == 1;
    const char *text = plain ? index->plain : wgsl_index_text(e, index);
    if (form->atomic)
        wgsl_line(e, "atomicStore(&b%u[%s], %s);", place->slot, text, word);
    else
        wgsl_line(e, "%s = %s;", wgsl_part(e, base_format(e->cx, "b%u", place->slot), form->words, text), word);
}

void wgsl_store_element(struct wgsl_emitter *e, ir_array a, uint32_t first_arg, uint32_t n, const char *value) {
    struct wgsl_index index = wgsl_linear(e, a, first_arg, n);
    store_word(e, a, &index, wgsl_stored_word(e, a, value));
}

void wgsl_store(struct wgsl_emitter *e, const struct ir_stmt_node *s) {
    ir_array a = s->store.array;
    const struct ir_node *stored = &e->u->nodes[s->store.value];
    enum whorl_dtype elem = (enum whorl_dtype)e->u->arrays[a].elem;
    struct wgsl_index index = wgsl_linear(e, a, s->store.indices, s->store.index_count);
    const char *value = wgsl_expr(e, s->store.value);
    if (stored->op == IR_CONST && stored->type != IR_BOOL && whorl_dtype_size(elem) < 4) { // no constant expressions
        const char *name = wgsl_temp(e);
        wgsl_line(e, "let %s = %s;", name, value);
        value = name;
    }
    if (e->u->arrays[a].klass == IR_ARRAY_STAGED) {
        wgsl_line(e, "%s = %s;", staged_element(e, a, s->store.indices, s->store.index_count), value);
        return;
    }
    if (e->array_names[a]) {
        wgsl_line(e, "%s = %s;", local_element(e, a, &index), narrow(e, elem, value));
        return;
    }
    const struct wgsl_form *b = form_of(e, a);
    value = narrow(e, elem, value);
    if (stored->op == IR_CONST && ir_elem_type(b->elem) != ir_elem_type(elem) && whorl_dtype_size(elem) == 4)
        value = wgsl_const(e, ir_elem_type(b->elem), stored->a);
    else
        value = write_word(e, b, ir_elem_type(elem), value);
    store_word(e, a, &index, value);
}
