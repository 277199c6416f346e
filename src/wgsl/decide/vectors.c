// Which arrays stand in vectors: runs of neighbours (ir_is_run) are one access of two or four words then. A binding's
// elements are vectors, and single elements of it are components.
//
// That is only done where every run of the binding fits into whole vectors. Where something is stored to one
// component, WGSL lets an implementation write the others along with it; so it is done there in coherent memory alone,
// whose device has shown that it does not (probe/grid.wgsl). Where it is not done, a run is a few accesses like any
// others.
//
// Without runs, the elements are vectors where the kernel only reads the binding, and what it loads is a known
// component of one: rows are whole vectors, and the last index is a constant, or one plus what vectors divide. Such are
// columns of a table, fields of a small struct, coordinates of a point (a[i][k], a[4 * i + k], k a loop's that was
// unrolled).
#include <string.h>

#include "wgsl/decide/kernel.h"

enum { WIDEST = WGSL_WIDEST, MOST_RUNS = WGSL_MOST_RUNS };

static const struct ir_stmt_node *node_of(const struct wgsl_kernel *k, ir_stmt s) { return &k->u->stmts[s]; }

static enum ir_type type_of(const struct wgsl_kernel *k, ir_array a) {
    return ir_elem_type((enum whorl_dtype)k->u->arrays[a].elem);
}

bool wgsl_run_at(const struct wgsl_kernel *k, ir_stmt s, struct wgsl_run *out) {
    const struct ir_stmt_node *n = node_of(k, s);
    struct wgsl_run r = {.head = s};
    if (n->kind == IR_ASSIGN && n->assign.run) {
        const struct ir_node *load = &k->u->nodes[n->assign.value];
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
    if (r.count == 0 || r.count > WGSL_MOST_ELEMENTS) return false;
    bool packed = ir_in_buffer(k->u, r.array) && wgsl_is_packed(k, r.array);
    r.size = packed ? 4 / (uint32_t)whorl_dtype_size((enum whorl_dtype)k->u->arrays[r.array].elem) : 1;
    *out = r;
    return true;
}

// The run is a whole number of so many elements, at a multiple of them in its array.
static bool is_whole(const struct wgsl_kernel *k, const struct wgsl_run *r, uint32_t elements) {
    uint32_t even = ir_divisor(k->u, k->u->args[r->first + r->n - 1]), length = elements; // one row has no next one
    if (r->n > 1 && !ir_is_const(k->u, k->u->arrays[r->array].dims[r->n - 1], &length)) return false;
    return r->count % elements == 0 && even % elements == 0 && length % elements == 0;
}

// The largest vector, in words, of which the run is a whole number, and at multiples of it.
static uint32_t words_of(const struct wgsl_kernel *k, const struct wgsl_run *r, uint32_t offset_words) {
    uint32_t words = WIDEST;
    while (words > 1 && (offset_words % words || !is_whole(k, r, words * r->size)))
        words /= 2;
    return words;
}

// Of the runs of a STAGED array: all are `parts` vectors long, at multiples of that; or `parts` is 1, and all are whole
// vectors.
struct staged_runs {
    uint32_t parts; // 0: no run yet
    uint32_t elements, loads;
};

struct choice {
    const struct wgsl_kernel *k;
    struct wgsl_form *forms; // by binding
    bool *wanted;            // by binding
    bool *added;             // by binding: an atomic update adds to its words
    uint8_t staged[5];       // as of wgsl_vectors
    bool staged_wanted[5], staged_refused[5];
    bool copied[5];           // by type: all copies of whole arrays and of rows come in vectors
    struct staged_runs *runs; // by array
};

static uint32_t parts_of(const struct wgsl_kernel *k, const struct wgsl_run *r) {
    uint32_t parts = r->count / WIDEST;
    return r->size == 1 && parts && (parts & (parts - 1)) == 0 && is_whole(k, r, r->count) ? parts : 1;
}

static void narrow_to(struct choice *x, const struct wgsl_run *r) {
    const struct wgsl_kernel *k = x->k;
    const struct ir_array_info *info = &k->u->arrays[r->array];
    enum ir_type type = type_of(k, r->array);
    if (info->klass == IR_ARRAY_STAGED && info->row == 1) {
        x->staged_wanted[type] = true;
        x->staged_refused[type] |= words_of(k, r, info->data_count) != WIDEST;
        struct staged_runs *runs = &x->runs[r->array];
        runs->parts = !runs->parts || runs->parts == parts_of(k, r) ? parts_of(k, r) : 1;
        runs->elements += r->count;
    } else if (ir_in_buffer(k->u, r->array)) {
        uint32_t slot = k->in->places[r->array].slot, words = words_of(k, r, k->in->places[r->array].offset_elems);
        x->wanted[slot] = true;
        if (words < x->forms[slot].words) x->forms[slot].words = (uint8_t)words;
    }
}

bool wgsl_box_is_whole(const struct wgsl_kernel *k, const struct ir_stmt_node *n) {
    const struct ir_array_info *to = &k->u->arrays[n->stage.to], *from = &k->u->arrays[n->stage.from];
    uint32_t last = to->ndims - 1, extent = 1, length = 1;
    ir_is_const(k->u, to->dims[last], &extent);
    ir_is_const(k->u, from->dims[last], &length);
    return extent % WIDEST == 0 && length % WIDEST == 0 && to->data_count % WIDEST == 0 &&
           ir_divisor(k->u, k->u->args[n->stage.origins + last]) % WIDEST == 0 &&
           k->in->places[n->stage.from].offset_elems % WIDEST == 0;
}

// A box that is copied in whole vectors is one of them; else single words are stored to the memory of its type.
static void choose_box(struct choice *x, const struct ir_stmt_node *n) {
    if (wgsl_box_is_whole(x->k, n))
        x->wanted[x->k->in->places[n->stage.from].slot] = true;
    else
        x->staged_refused[type_of(x->k, n->stage.to)] = true;
}

// Plain words of a grid kernel that workgroups share.
static bool may_be_coherent(const struct choice *x, uint32_t slot) {
    const struct wgsl_binding *b = &x->k->in->bindings[slot];
    return x->k->in->coherent && b->shared && !b->updated;
}

static void choose_in(struct choice *x, ir_stmt block) {
    const struct wgsl_kernel *k = x->k;
    for (ir_stmt s = block; s && s != k->in->stop; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        struct wgsl_run r;
        if (wgsl_run_at(k, s, &r)) {
            narrow_to(x, &r);
            for (uint32_t i = 1; i < r.count; i++)
                s = node_of(k, s)->next;
            continue;
        }
        if (n->kind == IR_STAGE && n->stage.origin_count) choose_box(x, n);
        if (n->kind == IR_TURN) x->staged_refused[type_of(k, ir_box_of(k->u, n))] = true;
        ir_array written = n->kind == IR_TURN ? n->turn.to : ir_write_of(n).array;
        if (written && ir_in_buffer(k->u, written) && !may_be_coherent(x, k->in->places[written].slot))
            x->forms[k->in->places[written].slot].words = 1;
        if (n->kind == IR_ATOMIC && n->atomic.op == IR_ADD) x->added[k->in->places[written].slot] = true;
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t i = 0; i < blocks; i++)
            choose_in(x, inner[i]);
    }
}

// A copy of a whole array, or of rows of four words, that can come and stand in vectors.
static bool may_copy_vectors(const struct choice *x, ir_array a) {
    const struct wgsl_kernel *k = x->k;
    const struct ir_array_info *info = &k->u->arrays[a];
    const struct wgsl_place *from = &k->in->places[info->source];
    bool whole = info->row == 1 && !info->window && wgsl_array_count(k, a) % WIDEST == 0;
    return (whole || wgsl_has_vector_rows(k, a)) && info->data_count % WIDEST == 0 &&
           from->slot < k->in->binding_count && from->offset_elems % WIDEST == 0 &&
           x->forms[from->slot].words == WIDEST && !wgsl_is_packed(k, info->source);
}

static bool is_copy(const struct wgsl_kernel *k, ir_array a) {
    const struct ir_array_info *info = &k->u->arrays[a];
    bool apart = info->row > 1 && info->row <= IR_STAGED_VECTOR; // in memory of its own
    return info->klass == IR_ARRAY_STAGED && !info->is_box && !apart && (k->in->grid || k->uses.arrays[a]);
}

// The copies of a type come in vectors if all of them can, and runs of them are read as vectors.
static void choose_copies(struct choice *x) {
    const struct wgsl_kernel *k = x->k;
    bool may[5];
    for (int type = 0; type < 5; type++)
        may[type] = x->staged_wanted[type] && !x->staged_refused[type];
    for (ir_array a = 1; a < k->u->array_count; a++)
        if (is_copy(k, a)) may[type_of(k, a)] &= may_copy_vectors(x, a);
    memcpy(x->copied, may, sizeof may);
    for (ir_array a = 1; a < k->u->array_count; a++)
        if (is_copy(k, a) && may[type_of(k, a)]) x->wanted[k->in->places[k->u->arrays[a].source].slot] = true;
}

// What workgroups share is atomic words, which WGSL defines for any device; or, where that makes vectors of it and the
// device keeps what is marked so coherent, plain ones (docs/memory-model.md). Atomic words hold bits; or floats, where
// the device adds to such, this kernel does, and nothing else is in the binding. What else is done to floats
// (ir_atomic_allowed) both kinds of words have.
static void choose_forms(struct choice *x) {
    const struct wgsl_input *in = x->k->in;
    for (uint32_t i = 0; i < in->binding_count; i++) {
        bool plain = !in->bindings[i].updated && (!in->bindings[i].shared || in->coherent);
        x->forms[i].words = in->bindings[i].in_vectors && plain ? WIDEST : 1;
    }
    choose_in(x, x->k->body);
    choose_copies(x);
    for (uint32_t i = 0; i < in->binding_count; i++) {
        const struct wgsl_binding *b = &in->bindings[i];
        struct wgsl_form *form = &x->forms[i];
        if (!x->wanted[i]) form->words = 1;
        form->coherent = b->shared && form->words > 1;
        form->atomic = b->updated || (b->shared && !form->coherent);
        bool floats = in->float_atomics && b->elem == WHORL_F32 && x->added[i];
        form->elem = form->atomic && !floats ? WHORL_U32 : b->elem;
    }
}

// ---- rows -----------------------------------------------------------------------------------------------------------

// Of a binding.
struct rows {
    uint8_t words;   // of a vector; 0: nothing is loaded
    bool longer;     // rows are several vectors, or an index is no constant
    uint8_t columns; // components that are loaded, a bit each
    bool refused;
    uint32_t elements, vectors; // loads, as of elements and of vectors
    ir_expr recent[WGSL_ROWS];  // loads of vectors that the text still has (emit_access.c)
    uint32_t next;
};
struct row_choice {
    const struct wgsl_kernel *k;
    struct rows *of; // by binding
    ir_stmt last;    // the one before
};

ir_expr wgsl_row_part(const struct ir_unit *u, ir_expr last, uint32_t *constant) {
    if (ir_is_const(u, last, constant)) return 0;
    const struct ir_node *sum = &u->nodes[last];
    *constant = 0;
    return sum->op == IR_ADD && ir_is_const(u, sum->b, constant) ? sum->a : last;
}

// Of the largest vectors of which rows are whole ones, and the element a known component; 1: there are none.
static uint32_t words_in_rows(const struct wgsl_kernel *k, const struct ir_node *load, uint32_t *column) {
    const struct ir_unit *u = k->u;
    uint32_t length = WIDEST, words = WIDEST;
    ir_expr rest = wgsl_row_part(u, u->args[load->b + load->n - 1], column);
    if (wgsl_is_packed(k, load->a) ||
        (load->n > 1 && (!ir_is_const(u, u->arrays[load->a].dims[load->n - 1], &length) || *column >= length)))
        return 1;
    while (words > 1 &&
           (length % words || (rest && ir_divisor(u, rest) % words) || k->in->places[load->a].offset_elems % words))
        words /= 2;
    return words;
}

// The two load components of one vector of so many words.
static bool is_one_vector(const struct ir_unit *u, const struct ir_node *a, const struct ir_node *b, uint32_t words) {
    uint32_t first, second, last = a->n - 1;
    if (a->a != b->a) return false;
    for (uint32_t d = 0; d < last; d++)
        if (!ir_same_expr(u, u->args[a->b + d], u->args[b->b + d])) return false;
    ir_expr rest = wgsl_row_part(u, u->args[a->b + last], &first),
            other = wgsl_row_part(u, u->args[b->b + last], &second);
    return first / words == second / words && (rest && other ? ir_same_expr(u, rest, other) : rest == other);
}

static bool on_row_load(void *user, ir_expr x) {
    struct row_choice *c = user;
    const struct ir_unit *u = c->k->u;
    const struct ir_node *n = &u->nodes[x];
    uint32_t column, length = 0;
    if (n->op != IR_LOAD || !ir_in_buffer(u, n->a)) return true;
    uint32_t slot = c->k->in->places[n->a].slot;
    if (slot >= c->k->in->binding_count) return true; // another kernel's
    struct rows *r = &c->of[slot];
    uint32_t words = words_in_rows(c->k, n, &column);
    r->refused |= words == 1;
    r->longer |= n->n == 1 || !ir_is_const(u, u->arrays[n->a].dims[n->n - 1], &length) || length != words ||
                 wgsl_row_part(u, u->args[n->b + n->n - 1], &column) || (r->words && r->words != words);
    r->columns |= (uint8_t)(1u << column % WIDEST);
    if (!r->words || words < r->words) r->words = (uint8_t)words;
    r->elements++;
    for (uint32_t i = 0; i < WGSL_ROWS; i++)
        if (r->recent[i] && is_one_vector(u, &u->nodes[r->recent[i]], n, words)) return true;
    r->vectors++;
    r->recent[r->next] = x;
    r->next = (r->next + 1) % WGSL_ROWS;
    return true;
}

static bool on_row_stmt(void *user, ir_stmt s) {
    struct row_choice *c = user;
    const struct ir_stmt_node *nodes = c->k->u->stmts;
    bool follows = c->last && nodes[c->last].next == s && (nodes[s].kind == IR_ASSIGN || nodes[s].kind == IR_STORE);
    for (uint32_t i = 0; !follows && i < c->k->in->binding_count; i++)
        memset(c->of[i].recent, 0, sizeof c->of[i].recent);
    c->last = s;
    return true;
}

// Of vectors that are whole rows two components are wanted somewhere; of others then and there, as a load of one
// component would bring three that nobody wants.
static bool pays(const struct rows *r) {
    return r->longer ? r->elements >= 2 * r->vectors : (r->columns & (r->columns - 1)) != 0;
}

static void choose_rows(struct choice *x) {
    const struct wgsl_kernel *k = x->k;
    uint32_t count = k->in->binding_count;
    struct row_choice c = {.k = k, .of = base_alloc_array(k->cx, count + 1, sizeof *c.of)};
    struct ir_visitor v = {.on_stmt = on_row_stmt, .on_node = on_row_load, .user = &c};
    ir_walk_block(k->u, k->body, &v); // and what follows the kernel's part of the unit: no harm
    for (uint32_t i = 0; i < count; i++) {
        const struct wgsl_binding *b = &k->in->bindings[i];
        const struct rows *r = &c.of[i];
        if (!b->in_vectors || x->forms[i].atomic || b->writable || x->wanted[i] || r->refused || !r->words || !pays(r))
            continue;
        x->forms[i].words = r->words;
        x->forms[i].in_rows = true;
    }
}

// ---- workgroup memory -----------------------------------------------------------------------------------------------

// The whole block of its type is of vectors or of scalars.
static void choose_staged(struct choice *x) {
    const struct wgsl_kernel *k = x->k;
    for (int type = IR_I32; type <= IR_F32; type++)
        x->staged[type] = x->staged_wanted[type] && !x->staged_refused[type] ? WIDEST : 0;
    for (ir_array a = 1; a < k->u->array_count; a++) {
        const struct ir_array_info *info = &k->u->arrays[a];
        if (info->klass != IR_ARRAY_STAGED || info->row != 1) continue;
        if (info->is_box && !k->in->grid && !k->uses.arrays[a]) continue; // another kernel's
        if (info->data_count % WIDEST || wgsl_array_count(k, a) % WIDEST || info->window) x->staged[type_of(k, a)] = 0;
    }
}

static bool count_load(void *user, ir_expr expr) {
    struct choice *x = user;
    const struct ir_node *n = &x->k->u->nodes[expr];
    if (n->op == IR_LOAD) x->runs[n->a].loads++;
    return true;
}

// Lanes side by side read runs side by side. Where a run is several elements, those that the lanes read at once would
// be that far from each other, so that banks of workgroup memory are asked twice or more often; dealt to as many parts,
// they are neighbours. That is possible where all that is read of the array are runs of one length.
static uint32_t dealt_parts(const struct choice *x, ir_array a, uint32_t words) {
    const struct staged_runs *runs = &x->runs[a];
    uint32_t parts = runs->parts * (WIDEST / words);
    return runs->parts && !x->k->u->arrays[a].is_box && runs->elements == runs->loads &&
                   wgsl_array_count(x->k, a) % (parts * words) == 0
               ? parts
               : 0;
}

// Of arrays that come from single words, single words are copied, if not all come in vectors: lanes side by side then
// load words side by side, which matters more than a few more loads from workgroup memory. (As vectors a workgroup
// would ask for each sector of memory four times, as such words are not kept near.)
static void choose_words(struct choice *x) {
    const struct wgsl_kernel *k = x->k;
    bool single[5] = {true, true, true, true, true}, rows[5] = {false};
    for (ir_array a = 1; a < k->u->array_count; a++) {
        const struct ir_array_info *info = &k->u->arrays[a];
        if (info->klass != IR_ARRAY_STAGED) continue;
        uint32_t slot = k->in->places[info->source].slot;
        // They are of single words, and between the others.
        if (is_copy(k, a)) rows[type_of(k, a)] |= info->row > IR_STAGED_VECTOR && !may_copy_vectors(x, a);
        if (info->row != 1) continue;
        if (info->is_box && !k->in->grid && !k->uses.arrays[a]) continue;
        bool far = slot < k->in->binding_count && (x->forms[slot].words == 1 || x->forms[slot].coherent);
        bool fits = !info->is_box && far && (x->runs[a].elements == 0 || dealt_parts(x, a, 1));
        single[type_of(k, a)] = single[type_of(k, a)] && fits;
    }
    for (int type = IR_I32; type <= IR_F32; type++)
        if (x->staged[type] && !x->copied[type]) x->staged[type] = single[type] ? 1 : rows[type] ? 0 : x->staged[type];
}

static const uint8_t *choose_parts(struct choice *x) {
    const struct wgsl_kernel *k = x->k;
    ir_walk_nodes(k->u, k->body, count_load, x);
    choose_words(x);
    uint8_t *parts = base_alloc_array(k->cx, k->u->array_count, sizeof *parts);
    for (ir_array a = 1; a < k->u->array_count; a++) {
        const struct ir_array_info *info = &k->u->arrays[a];
        uint32_t words = info->klass == IR_ARRAY_STAGED && info->row == 1 ? x->staged[type_of(k, a)] : 0,
                 dealt = words ? dealt_parts(x, a, words) : 0;
        parts[a] = dealt ? (uint8_t)dealt : 1;
    }
    return parts;
}

// ---- batches --------------------------------------------------------------------------------------------------------

uint32_t wgsl_run_words(const struct wgsl_kernel *k, const struct wgsl_run *r) {
    const struct ir_array_info *info = &k->u->arrays[r->array];
    bool stores = node_of(k, r->head)->kind == IR_STORE;
    if (info->klass == IR_ARRAY_STAGED) return info->row == 1 ? k->vectors.staged[type_of(k, r->array)] : 0;
    if (!ir_in_buffer(k->u, r->array)) return 0;
    const struct wgsl_form *form = &k->vectors.forms[k->in->places[r->array].slot];
    if (form->words > 1) return form->words;
    return !stores && r->size > 1 && is_whole(k, r, r->size) && !form->atomic ? 1 : 0;
}

// Marks the statements of the block that are emitted together: a run of stores, or runs of loads that follow each
// other.
static void mark_batches(const struct wgsl_kernel *k, ir_stmt *batches, ir_stmt block) {
    struct wgsl_run r;
    ir_stmt first = 0; // of the batch of loads that the last statement was of
    uint32_t runs = 0;
    bool staged = false; // it is from workgroup memory
    for (ir_stmt s = block; s && s != k->in->stop; s = node_of(k, s)->next) {
        const struct ir_stmt_node *n = node_of(k, s);
        if (!wgsl_run_at(k, s, &r) || !wgsl_run_words(k, &r)) {
            first = 0;
            ir_stmt inner[2];
            uint32_t blocks = ir_blocks_of(n, inner);
            for (uint32_t i = 0; i < blocks; i++)
                mark_batches(k, batches, inner[i]);
            continue;
        }
        bool near = k->u->arrays[r.array].klass == IR_ARRAY_STAGED;
        if (n->kind == IR_STORE || !first || near != staged || ++runs == MOST_RUNS) first = s, runs = 0;
        staged = near;
        ir_stmt batch = first, last = s;
        for (uint32_t i = 0; i < r.count; i++, s = node_of(k, s)->next) {
            batches[s] = batch;
            last = s;
        }
        s = last;
        if (n->kind == IR_STORE) first = 0;
    }
}

struct wgsl_vectors wgsl_choose_vectors(const struct wgsl_kernel *k) {
    uint32_t count = k->in->binding_count;
    struct choice x = {.k = k, .wanted = base_alloc_array(k->cx, count + 1, sizeof *x.wanted)};
    x.added = base_alloc_array(k->cx, count + 1, sizeof *x.added);
    x.forms = base_alloc_array(k->cx, count + 1, sizeof *x.forms);
    x.runs = base_alloc_array(k->cx, k->u->array_count, sizeof *x.runs);
    choose_forms(&x);
    choose_rows(&x);
    choose_staged(&x);
    struct wgsl_kernel now = *k;
    now.vectors = (struct wgsl_vectors){.forms = x.forms, .parts = choose_parts(&x)};
    for (int type = IR_I32; type <= IR_F32; type++)
        now.vectors.staged[type] = x.staged[type];
    ir_stmt *batch = base_alloc_array(k->cx, k->u->stmt_count + 1, sizeof *batch);
    mark_batches(&now, batch, k->body);
    now.vectors.batch = batch;
    return now.vectors;
}

static bool has_windows(const struct wgsl_kernel *k) {
    for (ir_array a = 1; a < k->u->array_count; a++)
        if (k->u->arrays[a].window) return true;
    return false;
}

bool wgsl_loads_first(const struct wgsl_kernel *k, ir_stmt s, uint32_t lanes) {
    const struct ir_stmt_node *n = node_of(k, s);
    struct wgsl_run r;
    if (n->kind != IR_FOR || !(n->flags & IR_FLAG_LANES) || !n->counted.body) return false;
    ir_stmt first = n->counted.body;
    return k->vectors.batch[first] == first && node_of(k, first)->kind == IR_ASSIGN && wgsl_run_at(k, first, &r) &&
           ir_in_buffer(k->u, r.array) && !has_windows(k) && wgsl_one_pass(k, s, lanes);
}
