// Runs of neighbours as one access, where the arrays are in vectors (vectors.c).
#include "wgsl/print/emit.h"

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

const char *wgsl_part(struct wgsl_emitter *e, const char *array, uint32_t words, const char *index) {
    if (words == 1) return base_format(e->cx, "%s[%s]", array, index);
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, index);
    return base_format(e->cx, "%s[%s >> %uu][%s & %uu]", array, name, words / 2, name, words - 1);
}

const char *wgsl_dealt(struct wgsl_emitter *e, ir_array a, const char *index) {
    uint32_t words = e->k->vectors.staged[ir_elem_type((enum whorl_dtype)e->u->arrays[a].elem)];
    uint32_t parts = e->k->vectors.parts[a], first = e->u->arrays[a].data_count / words;
    if (parts > 1)
        index = base_format(e->cx, "%s %% %uu * %uu + %s / %uu", index, parts,
                            wgsl_array_count(e->k, a) / words / parts, index, parts);
    return first ? base_format(e->cx, "%s + %uu", index, first) : index;
}

// Index of the run's first vector: `text` of the first element and what is added to it in vectors. An index counts
// `elements`.
static const char *vector_index(struct wgsl_emitter *e, const struct wgsl_run *r, uint32_t elements, uint32_t first,
                                uint32_t *constant) {
    struct wgsl_index index = wgsl_linear(e, r->array, r->first, r->n);
    uint32_t shift = 0;
    while (1u << shift < elements)
        shift++;
    *constant = (uint32_t)((int32_t)index.constant / (int32_t)elements) + first;
    if (!index.text) return NULL;
    if (shift == 0 && index.simple) return index.text;
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, shift ? wgsl_words_of(e, index.text, shift) : index.text);
    return name;
}

static const char *plus(struct wgsl_emitter *e, const char *text, uint32_t constant) {
    if (!text) return base_format(e->cx, "%uu", constant);
    return constant ? base_format(e->cx, "%s + %uu", text, constant) : text;
}

// A run whose words are loaded.
struct loaded {
    struct wgsl_run run;
    uint32_t words; // of a vector
    const char *vectors[WGSL_MOST_ELEMENTS];
};
struct wgsl_batch {
    struct loaded runs[WGSL_MOST_RUNS];
    uint32_t count;
};

static void load_words(struct wgsl_emitter *e, struct loaded *x) {
    const struct wgsl_run *r = &x->run;
    bool staged = e->u->arrays[r->array].klass == IR_ARRAY_STAGED;
    uint32_t offset = staged ? e->u->arrays[r->array].data_count : e->in->places[r->array].offset_elems, constant;
    uint32_t parts = staged ? e->k->vectors.parts[r->array] : 1;
    uint32_t apart = parts > 1 ? wgsl_array_count(e->k, r->array) / (x->words * parts) : 1;
    const char *array = staged ? e->array_names[r->array] : base_format(e->cx, "b%u", e->in->places[r->array].slot);
    wgsl_begin(e, e->u->args + r->first, r->n);
    const char *text = vector_index(e, r, x->words * r->size * parts, offset / x->words, &constant);
    if (staged && e->u->arrays[r->array].skew)
        text = wgsl_skewed(e, r->array, r->first, r->n, text ? text : "0u", x->words);
    for (uint32_t i = 0; i < r->count / (x->words * r->size); i++) {
        x->vectors[i] = wgsl_temp(e);
        uint32_t further = i % parts * apart + i / parts; // a run may go around the parts several times
        wgsl_line(e, "let %s = %s[%s];", x->vectors[i], array, plus(e, text, constant + further));
    }
}

static void unpack(struct wgsl_emitter *e, const struct loaded *x) {
    const struct wgsl_run *r = &x->run;
    const struct ir_array_info *info = &e->u->arrays[r->array];
    enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
    ir_stmt s = r->head;
    for (uint32_t i = 0; i < r->count; i++, s = node_of(e, s)->next) {
        uint32_t word = i / r->size;
        const char *text = x->vectors[word / x->words];
        if (x->words > 1) text = base_format(e->cx, "%s.%c", text, "xyzw"[word % x->words]);
        if (r->size > 1)
            text = wgsl_packed_part(e, r->array, text, i % r->size);
        else if (info->klass != IR_ARRAY_STAGED)
            text = wgsl_read_word(e, &e->k->vectors.forms[e->in->places[r->array].slot], type, text);
        wgsl_assign(e, s, text);
    }
}

static struct wgsl_batch *batch_of(struct wgsl_emitter *e, ir_stmt first) {
    struct wgsl_batch *batch = base_alloc(e->cx, sizeof *batch);
    for (ir_stmt s = first; s && e->k->vectors.batch[s] == first; batch->count++) {
        struct loaded *x = &batch->runs[batch->count];
        (void)wgsl_run_at(e->k, s, &x->run);
        x->words = wgsl_run_words(e->k, &x->run);
        for (uint32_t i = 0; i < x->run.count; i++)
            s = node_of(e, s)->next;
    }
    return batch;
}

struct wgsl_batch *wgsl_load_batch(struct wgsl_emitter *e, ir_stmt first) {
    struct wgsl_batch *batch = batch_of(e, first);
    for (uint32_t i = 0; i < batch->count; i++)
        load_words(e, &batch->runs[i]);
    return batch;
}

void wgsl_assign_batch(struct wgsl_emitter *e, const struct wgsl_batch *batch) {
    for (uint32_t i = 0; i < batch->count; i++)
        unpack(e, &batch->runs[i]);
}

const char *wgsl_early_name(struct wgsl_emitter *e, enum ir_type type, uint32_t words, uint32_t at) {
    return base_format(e->cx, "early_%s_%u_%u", ir_type_name(type), words, at);
}

// The variable of each vector of the batch, in order: those of one type are numbered.
static void name_vectors(struct wgsl_emitter *e, const struct wgsl_batch *batch,
                         void (*with)(struct wgsl_emitter *e, const char *name, const char *vector)) {
    uint32_t next[5][WGSL_WIDEST + 1] = {{0}};
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct loaded *x = &batch->runs[i];
        enum ir_type type = ir_elem_type(e->k->vectors.forms[e->in->places[x->run.array].slot].elem);
        for (uint32_t j = 0; j < x->run.count / (x->words * x->run.size); j++)
            with(e, wgsl_early_name(e, type, x->words, next[type][x->words]++), x->vectors[j]);
    }
}
static void keep(struct wgsl_emitter *e, const char *name, const char *vector) {
    wgsl_line(e, "%s = %s;", name, vector);
}
static void take(struct wgsl_emitter *e, const char *name, const char *vector) {
    wgsl_line(e, "let %s = %s;", vector, name);
}

void wgsl_keep_batch(struct wgsl_emitter *e, const struct wgsl_batch *batch) { name_vectors(e, batch, keep); }

const struct wgsl_batch *wgsl_kept_batch(struct wgsl_emitter *e, ir_stmt first) {
    struct wgsl_batch *batch = batch_of(e, first);
    for (uint32_t i = 0; i < batch->count; i++) {
        struct loaded *x = &batch->runs[i];
        for (uint32_t j = 0; j < x->run.count / (x->words * x->run.size); j++)
            x->vectors[j] = wgsl_temp(e);
    }
    name_vectors(e, batch, take);
    return batch;
}

static void emit_stores(struct wgsl_emitter *e, const struct wgsl_run *r) {
    const struct wgsl_place *place = &e->in->places[r->array];
    uint32_t words = e->k->vectors.forms[place->slot].words, constant;
    const char *guard = wgsl_store_guard(e, node_of(e, r->head)),
               *type = ir_type_name(ir_elem_type(e->k->vectors.forms[place->slot].elem));
    const char *values[WGSL_MOST_ELEMENTS];
    if (guard) wgsl_open(e, base_format(e->cx, "if (%s)", guard));
    ir_stmt s = r->head;
    for (uint32_t i = 0; i < r->count; i++, s = node_of(e, s)->next) {
        ir_expr stored = node_of(e, s)->store.value;
        wgsl_begin(e, &stored, 1);
        const char *value = wgsl_stored_word(e, r->array, wgsl_expr(e, stored));
        values[i] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s;", values[i], value);
    }
    wgsl_begin(e, e->u->args + r->first, r->n);
    const char *text = vector_index(e, r, words * r->size, place->offset_elems / words, &constant);
    for (uint32_t i = 0; i < r->count; i += words) {
        const char *list = values[i];
        for (uint32_t k = 1; k < words; k++)
            list = base_format(e->cx, "%s, %s", list, values[i + k]);
        wgsl_line(e, "b%u[%s] = vec%u<%s>(%s);", place->slot, plus(e, text, constant + i / words), words, type, list);
    }
    if (guard) wgsl_close(e);
}

bool wgsl_together(struct wgsl_emitter *e, ir_stmt s) {
    struct wgsl_run r;
    ir_stmt first = e->k->vectors.batch[s];
    if (first == s && node_of(e, s)->kind == IR_ASSIGN)
        wgsl_assign_batch(e, wgsl_load_batch(e, s));
    else if (first == s && wgsl_run_at(e->k, s, &r))
        emit_stores(e, &r);
    return first != 0;
}
