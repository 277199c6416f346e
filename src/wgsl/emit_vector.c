// Runs of neighbours (ir_is_run) as one access of two or four words. A binding's elements are then vectors, and single
// elements of it are components.
//
// That is only done where every run of the binding fits into whole vectors, and where nothing is stored to one
// component: WGSL lets an implementation write the others along with it. Where it is not done, a run is a few accesses
// like any others.
//
// Without runs, the elements are vectors where the kernel only reads the binding, in rows of two or four words whose
// elements it names by constants: the columns of a table, the fields of a small struct.
#include "wgsl/emit.h"

enum { WIDEST = 4, MOST_RUNS = 64, MOST_ELEMENTS = 16 };

static const struct ir_stmt_node *node_of(const struct wgsl_emitter *e, ir_stmt s) { return &e->u->stmts[s]; }

const char *wgsl_part(struct wgsl_emitter *e, const char *array, uint32_t words, const char *index) {
    if (words == 1) return base_format(e->cx, "%s[%s]", array, index);
    const char *name = wgsl_temp(e);
    wgsl_line(e, "let %s = %s;", name, index);
    return base_format(e->cx, "%s[%s >> %uu][%s & %uu]", array, name, words / 2, name, words - 1);
}

// ---- which arrays are vectors ----------------------------------------------------------------------------------------------------------

struct run {
    ir_stmt head;
    ir_array array;
    uint32_t first, n; // its indices
    uint32_t count;    // elements
    uint32_t size;     // elements in a word
};

static bool run_at(const struct wgsl_emitter *e, ir_stmt s, struct run *out) {
    const struct ir_stmt_node *n = node_of(e, s);
    struct run r = {.head = s};
    if (n->kind == IR_ASSIGN && n->assign.run) {
        const struct ir_node *load = &e->u->nodes[n->assign.value];
        r.array = load->a;
        r.first = load->b;
        r.n = load->n;
        r.count = n->assign.run;
    } else if (n->kind == IR_STORE) {
        r.array = n->store.array;
        r.first = n->store.indices;
        r.n = n->store.index_count;
        r.count = n->store.run;
    }
    if (r.count == 0 || r.count > MOST_ELEMENTS) return false;
    bool packed = ir_in_buffer(e->u, r.array) && wgsl_is_packed(e, r.array);
    r.size = packed ? 4 / (uint32_t)whorl_dtype_size((enum whorl_dtype)e->u->arrays[r.array].elem) : 1;
    *out = r;
    return true;
}

// The run is a whole number of so many elements, at a multiple of them in its array.
static bool is_whole(const struct wgsl_emitter *e, const struct run *r, uint32_t elements) {
    uint32_t even = wgsl_divisor(e->u, e->u->args[r->first + r->n - 1]), length = elements; // one row has no next one
    if (r->n > 1 && !ir_is_const(e->u, e->u->arrays[r->array].dims[r->n - 1], &length)) return false;
    return r->count % elements == 0 && even % elements == 0 && length % elements == 0;
}

// The largest vector, in words, of which the run is a whole number, and at multiples of it.
static uint32_t words_of(const struct wgsl_emitter *e, const struct run *r, uint32_t offset_words) {
    uint32_t words = WIDEST;
    while (words > 1 && (offset_words % words || !is_whole(e, r, words * r->size)))
        words /= 2;
    return words;
}

// All runs of a STAGED array are `parts` vectors long, at multiples of that.
struct staged_runs {
    uint32_t parts; // 0: no run yet
    uint32_t elements, loads;
};

struct choice {
    struct wgsl_emitter *e;
    bool *wanted; // by binding
    bool staged_wanted[5], staged_refused[5];
    struct staged_runs *staged; // by array
};

static uint32_t parts_of(const struct wgsl_emitter *e, const struct run *r) {
    uint32_t parts = r->count / WIDEST;
    return r->n == 1 && r->size == 1 && parts && (parts & (parts - 1)) == 0 && is_whole(e, r, r->count) ? parts : 1;
}

static void narrow_to(struct choice *x, const struct run *r) {
    struct wgsl_emitter *e = x->e;
    const struct ir_array_info *info = &e->u->arrays[r->array];
    enum ir_type type = ir_elem_type((enum whorl_dtype)info->elem);
    if (info->klass == IR_ARRAY_STAGED && info->row == 1) {
        x->staged_wanted[type] = true;
        x->staged_refused[type] |= words_of(e, r, info->data_count) != WIDEST;
        struct staged_runs *runs = &x->staged[r->array];
        runs->parts = !runs->parts || runs->parts == parts_of(e, r) ? parts_of(e, r) : 1;
        runs->elements += r->count;
    } else if (ir_in_buffer(e->u, r->array)) {
        uint32_t slot = e->in->places[r->array].slot, words = words_of(e, r, e->in->places[r->array].offset_elems);
        x->wanted[slot] = true;
        if (words < e->vector_words[slot]) e->vector_words[slot] = (uint8_t)words;
    }
}

static void choose_in(struct choice *x, ir_stmt block) {
    struct wgsl_emitter *e = x->e;
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        struct run r;
        if (run_at(e, s, &r)) {
            narrow_to(x, &r);
            for (uint32_t i = 1; i < r.count; i++)
                s = node_of(e, s)->next;
            continue;
        }
        ir_array written = ir_write_of(n).array;
        if (written && ir_in_buffer(e->u, written)) e->vector_words[e->in->places[written].slot] = 1;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            choose_in(x, inner[i]);
    }
}

static bool count_load(void *user, ir_expr expr) {
    struct choice *x = user;
    const struct ir_node *n = &x->e->u->nodes[expr];
    if (n->op == IR_LOAD) x->staged[n->a].loads++;
    return true;
}

// Lanes side by side read runs side by side. Where a run is several vectors, those that the lanes read at once would be
// that far from each other, so that banks of workgroup memory are asked twice or more often; dealt to as many parts,
// they are neighbours.
static void choose_parts(struct choice *x) {
    struct wgsl_emitter *e = x->e;
    struct ir_visitor visitor = {.on_node = count_load, .user = x};
    ir_walk_block(e->u, e->k->body, &visitor);
    e->staged_parts = base_alloc_array(e->cx, e->u->array_count, sizeof *e->staged_parts);
    for (ir_array a = 1; a < e->u->array_count; a++) {
        const struct ir_array_info *info = &e->u->arrays[a];
        const struct staged_runs *runs = &x->staged[a];
        bool vectors = info->klass == IR_ARRAY_STAGED && info->row == 1 &&
                       e->staged_vectors[ir_elem_type((enum whorl_dtype)info->elem)];
        bool fits = vectors && runs->parts && runs->elements == runs->loads &&
                    wgsl_array_count(e->k, a) % (runs->parts * WIDEST) == 0;
        e->staged_parts[a] = fits ? (uint8_t)runs->parts : 1;
    }
}

const char *wgsl_staged_vector(struct wgsl_emitter *e, ir_array a, const char *index) {
    uint32_t parts = e->staged_parts[a], first = e->u->arrays[a].data_count / WIDEST;
    if (parts > 1)
        index = base_format(e->cx, "%s %% %uu * %uu + %s / %uu", index, parts,
                            wgsl_array_count(e->k, a) / WIDEST / parts, index, parts);
    return first ? base_format(e->cx, "%s + %uu", index, first) : index;
}

struct rows {
    struct wgsl_emitter *e;
    struct {
        uint8_t words, columns; // of a row; the columns that are read, a bit each
        bool refused;
    } * of; // by binding
};

static bool on_load(void *user, ir_expr x) {
    struct rows *r = user;
    const struct ir_unit *u = r->e->u;
    const struct ir_node *n = &u->nodes[x];
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a)) return true;
    const struct wgsl_place *place = &r->e->in->places[n->a];
    if (place->slot >= r->e->in->binding_count) return true; // another kernel's
    uint32_t words = 0, column = 0, slot = place->slot;
    bool fits = n->n > 1 && !wgsl_is_packed(r->e, n->a) && ir_is_const(u, u->arrays[n->a].dims[n->n - 1], &words) &&
                (words == 2 || words == WIDEST) && ir_is_const(u, u->args[n->b + n->n - 1], &column) &&
                column < words && place->offset_elems % words == 0 &&
                (!r->of[slot].words || r->of[slot].words == words);
    r->of[slot].refused |= !fits;
    if (fits) r->of[slot].words = (uint8_t)words, r->of[slot].columns |= (uint8_t)(1u << column);
    return true;
}

static void choose_rows(struct wgsl_emitter *e, const bool *has_runs) {
    uint32_t count = e->in->binding_count;
    struct rows r = {.e = e, .of = base_alloc_array(e->cx, count + 1, sizeof *r.of)};
    struct ir_visitor visitor = {.on_node = on_load, .user = &r};
    ir_walk_block(e->u, e->k->body, &visitor); // and what follows the kernel's part of the unit: no harm
    for (uint32_t i = 0; i < count; i++) {
        const struct wgsl_form *b = &e->forms[i];
        bool several = r.of[i].columns & (r.of[i].columns - 1);
        if (!e->in->bindings[i].in_vectors || b->atomic || e->in->bindings[i].writable || has_runs[i] ||
            r.of[i].refused || !several)
            continue;
        e->vector_words[i] = r.of[i].words;
        e->in_rows[i] = true;
    }
}

// Words of the vectors, or words, that the run accesses; 0: it is several accesses.
static uint32_t access_of(const struct wgsl_emitter *e, const struct run *r) {
    const struct ir_array_info *info = &e->u->arrays[r->array];
    bool stores = node_of(e, r->head)->kind == IR_STORE;
    if (info->klass == IR_ARRAY_STAGED)
        return info->row == 1 && e->staged_vectors[ir_elem_type((enum whorl_dtype)info->elem)] ? WIDEST : 0;
    if (!ir_in_buffer(e->u, r->array)) return 0;
    uint32_t slot = e->in->places[r->array].slot;
    if (e->vector_words[slot] > 1) return e->vector_words[slot];
    return !stores && r->size > 1 && is_whole(e, r, r->size) && !e->forms[slot].atomic ? 1 : 0;
}

// Marks the statements of the block that are emitted together: a run of stores, or runs of loads that follow each
// other.
static void mark_batches(struct wgsl_emitter *e, ir_stmt block) {
    struct run r;
    ir_stmt first = 0; // of the batch of loads that the last statement was of
    uint32_t runs = 0;
    bool staged = false; // it is from workgroup memory
    for (ir_stmt s = block; s && s != e->in->stop; s = node_of(e, s)->next) {
        const struct ir_stmt_node *n = node_of(e, s);
        if (!run_at(e, s, &r) || !access_of(e, &r)) {
            first = 0;
            ir_stmt inner[2];
            uint32_t blocks = ir_blocks_of(n, inner);
            for (uint32_t i = 0; i < blocks; i++)
                mark_batches(e, inner[i]);
            continue;
        }
        bool near = e->u->arrays[r.array].klass == IR_ARRAY_STAGED;
        if (n->kind == IR_STORE || !first || near != staged || ++runs == MOST_RUNS) first = s, runs = 0;
        staged = near;
        ir_stmt batch = first, last = s;
        for (uint32_t i = 0; i < r.count; i++, s = node_of(e, s)->next) {
            e->batch[s] = batch;
            last = s;
        }
        s = last;
        if (n->kind == IR_STORE) first = 0;
    }
}

// What workgroups share is atomic words, which WGSL defines for any device; or, where that makes vectors of it and the
// device keeps what is marked so coherent, plain ones (docs/memory-model.md).
static void choose_form(struct wgsl_emitter *e, uint32_t i) {
    const struct wgsl_binding *b = &e->in->bindings[i];
    bool coherent = b->shared && e->vector_words[i] > 1, atomic = b->updated || (b->shared && !coherent);
    e->forms[i] = (struct wgsl_form){atomic ? WHORL_U32 : b->elem, atomic, coherent};
    e->is_coherent |= coherent;
}

void wgsl_choose_vectors(struct wgsl_emitter *e) {
    uint32_t count = e->in->binding_count;
    struct choice x = {.e = e, .wanted = base_alloc_array(e->cx, count + 1, sizeof *x.wanted)};
    x.staged = base_alloc_array(e->cx, e->u->array_count, sizeof *x.staged);
    e->vector_words = base_alloc_array(e->cx, count + 1, sizeof *e->vector_words);
    e->forms = base_alloc_array(e->cx, count + 1, sizeof *e->forms);
    for (uint32_t i = 0; i < count; i++) {
        const struct wgsl_binding *b = &e->in->bindings[i];
        bool plain = !b->updated && (!b->shared || e->in->coherent);
        e->vector_words[i] = b->in_vectors && plain ? WIDEST : 1;
    }
    choose_in(&x, e->k->body);
    for (uint32_t i = 0; i < count; i++) {
        if (!x.wanted[i]) e->vector_words[i] = 1;
        choose_form(e, i);
    }
    e->in_rows = base_alloc_array(e->cx, count + 1, sizeof *e->in_rows);
    choose_rows(e, x.wanted);
    for (int type = IR_I32; type <= IR_F32; type++)
        e->staged_vectors[type] = x.staged_wanted[type] && !x.staged_refused[type];
    for (ir_array a = 1; a < e->u->array_count; a++) { // the whole block of its type is of vectors or of scalars
        const struct ir_array_info *info = &e->u->arrays[a];
        if (info->klass != IR_ARRAY_STAGED || info->row != 1) continue;
        if (info->data_count % WIDEST || wgsl_array_count(e->k, a) % WIDEST || info->window)
            e->staged_vectors[ir_elem_type((enum whorl_dtype)info->elem)] = false;
    }
    choose_parts(&x);
    e->batch = base_alloc_array(e->cx, e->u->stmt_count + 1, sizeof *e->batch);
    mark_batches(e, e->k->body);
}

// ---- text --------------------------------------------------------------------------------------------------------------------------------

// Index of the run's first vector: `text` of the first element and what is added to it in vectors. An index counts
// `elements`.
static const char *vector_index(struct wgsl_emitter *e, const struct run *r, uint32_t elements, uint32_t first,
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

struct wgsl_loaded {
    struct run run;
    uint32_t words; // of a vector
    const char *vectors[MOST_ELEMENTS];
};

static void load_words(struct wgsl_emitter *e, struct wgsl_loaded *x) {
    const struct run *r = &x->run;
    bool staged = e->u->arrays[r->array].klass == IR_ARRAY_STAGED;
    uint32_t offset = staged ? e->u->arrays[r->array].data_count : e->in->places[r->array].offset_elems, constant;
    uint32_t parts = staged ? e->staged_parts[r->array] : 1;
    uint32_t apart = parts > 1 ? wgsl_array_count(e->k, r->array) / (x->words * parts) : 1;
    const char *array = staged ? e->array_names[r->array] : base_format(e->cx, "b%u", e->in->places[r->array].slot);
    wgsl_begin(e, e->u->args + r->first, r->n);
    const char *text = vector_index(e, r, x->words * r->size * parts, offset / x->words, &constant);
    for (uint32_t i = 0; i < r->count / (x->words * r->size); i++) {
        x->vectors[i] = wgsl_temp(e);
        wgsl_line(e, "let %s = %s[%s];", x->vectors[i], array, plus(e, text, constant + i * apart));
    }
}

static void unpack(struct wgsl_emitter *e, const struct wgsl_loaded *x) {
    const struct run *r = &x->run;
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
            text = wgsl_read_word(e, &e->forms[e->in->places[r->array].slot], type, text);
        wgsl_assign(e, s, text);
    }
}

// All words of the batch's runs, then their elements.
static void emit_loads(struct wgsl_emitter *e, ir_stmt first) {
    struct wgsl_loaded *list = base_alloc_array(e->cx, MOST_RUNS, sizeof *list);
    uint32_t count = 0;
    for (ir_stmt s = first; s && e->batch[s] == first; count++) {
        struct wgsl_loaded *x = &list[count];
        (void)run_at(e, s, &x->run);
        x->words = access_of(e, &x->run);
        load_words(e, x);
        for (uint32_t i = 0; i < x->run.count; i++)
            s = node_of(e, s)->next;
    }
    e->loaded = list;
    e->loaded_count = count;
    if (!e->elements_wait) wgsl_elements(e);
}

void wgsl_elements(struct wgsl_emitter *e) {
    for (uint32_t i = 0; i < e->loaded_count; i++)
        unpack(e, &e->loaded[i]);
    e->loaded_count = 0;
}

static bool has_windows(const struct wgsl_emitter *e) {
    for (ir_array a = 1; a < e->u->array_count; a++)
        if (e->u->arrays[a].window) return true;
    return false;
}

bool wgsl_loads_first(const struct wgsl_emitter *e, ir_stmt loop) {
    const struct ir_stmt_node *n = node_of(e, loop);
    struct run r;
    if (n->kind != IR_FOR || !(n->flags & IR_FLAG_LANES) || !n->counted.body) return false;
    ir_stmt first = n->counted.body;
    return e->batch[first] == first && node_of(e, first)->kind == IR_ASSIGN && run_at(e, first, &r) &&
           ir_in_buffer(e->u, r.array) && !has_windows(e) && wgsl_one_pass(e, loop);
}

static void emit_stores(struct wgsl_emitter *e, const struct run *r) {
    const struct wgsl_place *place = &e->in->places[r->array];
    uint32_t words = e->vector_words[place->slot], constant;
    const char *guard = wgsl_store_guard(e, node_of(e, r->head)),
               *type = ir_type_name(ir_elem_type(e->forms[place->slot].elem));
    const char *values[MOST_ELEMENTS];
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
    struct run r;
    if (e->batch[s] == s && node_of(e, s)->kind == IR_ASSIGN)
        emit_loads(e, s);
    else if (e->batch[s] == s && run_at(e, s, &r))
        emit_stores(e, &r);
    return e->batch[s] != 0;
}
