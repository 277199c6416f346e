// Where arrays live: one buffer each, as long as no kernel needs more bindings than every device has; else arrays of
// one kind (same word type, and read-only inputs apart from what is written) share a buffer, the smallest first. Where
// that is not enough, a kind is only whether it is written, and words are read as another type than the buffer's; and
// where even that is not enough, all of it begins again with the limits of the target. That fewer buffers are as fast
// as many is a guess. Parameters that a program beside this one has, too, have their places already.
#include <string.h>

#include "compile/build.h"

#define ALIGN_BYTES 256
enum { GROUP_COUNT = 6 };

// `u`: the unit that has it, of the rung's two.
static void add_array(struct compile_builder *b, struct compile_rung *r, const struct ir_unit *u, ir_array a) {
    struct plan *p = b->plan;
    const struct ir_array_info *info = &u->arrays[a];
    // as it was declared: passes find rows in arrays that have none (pass_dimensions)
    uint32_t ndims;
    const ir_expr *dims = ir_shape_of(a < b->base->array_count ? b->base : u, a, &ndims);
    static const enum plan_array_kind kinds[] = {[IR_ARRAY_IN] = PLAN_IN,
                                                 [IR_ARRAY_INOUT] = PLAN_INOUT,
                                                 [IR_ARRAY_SCRATCH] = PLAN_SCRATCH,
                                                 [IR_ARRAY_TABLE] = PLAN_TABLE};
    struct plan_array out = {.name = info->name,
                             .kind = kinds[info->klass],
                             .dtype = (enum whorl_dtype)info->elem,
                             .ndims = ndims,
                             .buffer = UINT32_MAX};
    for (uint32_t d = 0; d < ndims; d++)
        out.dims[d] = compile_plan_expr(b, r, u, dims[d], info->loc);
    // Neighbours in one word would lose each other's writes.
    out.wide = info->klass == IR_ARRAY_INOUT && whorl_dtype_size(info->elem) != 4;
    // Small types are packed in the caller's arrays only; tables and scratch hold one element a word.
    if ((info->klass == IR_ARRAY_TABLE || info->klass == IR_ARRAY_SCRATCH) && whorl_dtype_size(info->elem) != 4)
        out.dtype = ir_elem_type(info->elem) == IR_F32 ? WHORL_F32 : WHORL_I32;
    if (info->klass == IR_ARRAY_IN || info->klass == IR_ARRAY_INOUT) {
        out.pairs = u->params[info->param].is_pair || u->params[info->param].doubles.run_count;
        out.pair_runs = u->params[info->param].doubles.runs;
        out.pair_run_count = u->params[info->param].doubles.run_count;
        out.longs = u->params[info->param].longs;
    }
    if (info->klass == IR_ARRAY_TABLE) {
        out.data = info->data;
        out.data_words = info->data_count;
    }
    out.anew = info->anew;
    if (a < b->base->array_count) // the same array in every rung
        for (uint32_t k = 0; k < BUILD_RUNGS; k++)
            out.anew &= b->rungs[k].unit->arrays[a].anew;
    BASE_RESERVE(b->cx, p->arrays, p->array_count, p->array_cap);
    p->arrays[p->array_count] = out;
    r->array_index[a] = p->array_count++;
    if (a < b->base->array_count)
        for (uint32_t k = 0; k < BUILD_RUNGS; k++)
            b->rungs[k].array_index[a] = r->array_index[a];
}

static plan_expr bytes_of(struct compile_builder *b, const struct plan_array *a) {
    struct plan *p = b->plan;
    size_t each = a->wide ? 4 : whorl_dtype_size(a->dtype);
    plan_expr bytes = plan_const(b->cx, p, (int64_t)each);
    for (uint32_t d = 0; d < a->ndims; d++)
        bytes = plan_op(b->cx, p, PLAN_MUL, bytes, a->dims[d]);
    if (each != 4) { // whole words
        bytes = plan_op(b->cx, p, PLAN_ADD, bytes, plan_const(b->cx, p, 3));
        bytes = plan_op(b->cx, p, PLAN_MUL, plan_op(b->cx, p, PLAN_DIV, bytes, plan_const(b->cx, p, 4)),
                        plan_const(b->cx, p, 4));
    }
    return plan_op(b->cx, p, PLAN_MAX, bytes, plan_const(b->cx, p, 4));
}

enum whorl_dtype compile_word_dtype(const struct plan_array *a) {
    if (!a->wide) return a->dtype;
    enum whorl_dtype carrier = base_dtype(a->dtype)->carrier;
    return carrier == WHORL_BOOL ? WHORL_U32 : carrier;
}

// Arrays of one group can share a binding; `mixed`: of any word type.
static uint32_t group_of(const struct plan_array *a, bool mixed) {
    enum whorl_dtype dtype = compile_word_dtype(a);
    uint32_t word = mixed || dtype == WHORL_F32 ? 0 : dtype == WHORL_I32 ? 1 : 2;
    bool read_only = a->kind == PLAN_IN || a->kind == PLAN_TABLE;
    return word * 2 + read_only;
}

static bool uses(const struct compile_kernel *k, ir_array a) {
    return ir_bit(k->effects.arrays_read, a) || ir_bit(k->effects.arrays_written, a);
}

static uint32_t add_buffer(struct compile_builder *b, const char *name, plan_expr size) {
    struct plan *p = b->plan;
    BASE_RESERVE(b->cx, p->buffers, p->buffer_count, p->buffer_cap);
    p->buffers[p->buffer_count] = (struct plan_buffer){.name = name, .size_bytes = size};
    return p->buffer_count++;
}

enum { NOT_PINNED = UINT32_MAX };

struct packing {
    struct compile_builder *b;
    const struct plan_target *limits;
    uint32_t *pinned; // by array: that of the program beside whose place it has
    bool *packed;     // by array: it shares its group's buffer
    bool mixed;
    int64_t group_bytes[GROUP_COUNT];
    int64_t *bytes; // of each array; INT64_MAX: not known
};

// No array of the kernel before this pinned one is in the same buffer.
static bool is_first_of_place(const struct packing *x, const struct compile_kernel *k, ir_array array) {
    const struct plan_array *others = x->b->beside->arrays;
    uint32_t buffer = others[x->pinned[k->rung->array_index[array]]].buffer;
    for (ir_array a = 1; a < array; a++) {
        if (!uses(k, a) || !ir_in_buffer(k->unit, a)) continue;
        uint32_t pin = x->pinned[k->rung->array_index[a]];
        if (pin != NOT_PINNED && others[pin].buffer == buffer) return false;
    }
    return true;
}

// Storage bindings of the kernel as far as arrays are packed. control, state and saved state included.
static uint32_t bindings_of(const struct packing *x, const struct compile_kernel *k) {
    uint32_t count = 3;
    bool group_seen[GROUP_COUNT] = {false};
    for (ir_array a = 1; a < k->unit->array_count; a++) {
        if (!uses(k, a) || !ir_in_buffer(k->unit, a)) continue;
        uint32_t index = k->rung->array_index[a], g = group_of(&x->b->plan->arrays[index], x->mixed);
        if (x->pinned[index] != NOT_PINNED) {
            count += is_first_of_place(x, k, a);
            continue;
        }
        if (!x->packed[index] || !group_seen[g]) count++;
        if (x->packed[index]) group_seen[g] = true;
    }
    return count;
}

static struct compile_kernel *over_limit(const struct packing *x) {
    struct compile_builder *b = x->b;
    for (uint32_t k = 0; k < b->kernel_count; k++)
        if (!b->kernels[k].refused && bindings_of(x, &b->kernels[k]) > x->limits->max_storage_buffers)
            return &b->kernels[k];
    return NULL;
}

static int64_t const_bytes(struct compile_builder *b, const struct plan_array *a) {
    plan_expr e = bytes_of(b, a);
    return b->plan->exprs[e].op == PLAN_CONST ? b->plan->exprs[e].value : INT64_MAX;
}

static void add_arrays(struct compile_builder *b) {
    for (uint32_t k = 0; k < b->kernel_count; k++) {
        struct compile_kernel *kernel = &b->kernels[k];
        for (ir_array a = 1; a < kernel->unit->array_count; a++)
            if (uses(kernel, a) && ir_in_buffer(kernel->unit, a) && kernel->rung->array_index[a] == UINT32_MAX)
                add_array(b, kernel->rung, kernel->unit, a);
    }
    // Parameters that no kernel uses still have a place: the caller passes them.
    for (ir_array a = 1; a < b->base->array_count; a++)
        if ((b->base->arrays[a].klass == IR_ARRAY_IN || b->base->arrays[a].klass == IR_ARRAY_INOUT) &&
            b->rungs[0].array_index[a] == UINT32_MAX)
            add_array(b, &b->rungs[0], b->base, a);
}

static int64_t aligned(int64_t bytes) { return (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES; }

// The smallest array of this kernel that is not packed yet and fits its group's buffer; UINT32_MAX: none. *out_unsized:
// one has a size that only the run knows.
static uint32_t smallest_left(const struct packing *x, const struct compile_kernel *tight, bool *out_unsized) {
    const struct plan *p = x->b->plan;
    uint32_t best = UINT32_MAX;
    int64_t best_bytes = INT64_MAX;
    *out_unsized = false;
    for (ir_array a = 1; a < tight->unit->array_count; a++) {
        if (!uses(tight, a) || !ir_in_buffer(tight->unit, a)) continue;
        uint32_t index = tight->rung->array_index[a];
        int64_t bytes = x->bytes[index], most = (int64_t)x->limits->max_binding_bytes;
        *out_unsized |= bytes == INT64_MAX;
        if (x->packed[index] || x->pinned[index] != NOT_PINNED || bytes == INT64_MAX ||
            x->group_bytes[group_of(&p->arrays[index], x->mixed)] + bytes + ALIGN_BYTES > most)
            continue;
        if (bytes < best_bytes) {
            best = index;
            best_bytes = bytes;
        }
    }
    return best;
}

// From the start with the next thing that may help; false: there is none.
static bool loosen(struct packing *x) {
    if (x->mixed && x->limits == x->b->target) return false;
    if (x->mixed) x->limits = x->b->target;
    x->mixed = !x->mixed;
    memset(x->packed, 0, x->b->plan->array_count * sizeof *x->packed);
    memset(x->group_bytes, 0, sizeof x->group_bytes);
    return true;
}

static void choose_packed(struct packing *x) {
    struct compile_kernel *tight;
    while ((tight = over_limit(x)) != NULL) {
        bool unsized;
        uint32_t best = smallest_left(x, tight, &unsized);
        if (best != UINT32_MAX) {
            const struct plan_array *a = &x->b->plan->arrays[best];
            x->packed[best] = true;
            x->group_bytes[group_of(a, x->mixed)] += aligned(x->bytes[best]);
        } else if (loosen(x)) {
            continue;
        } else if (tight->grid) {
            tight->refused = true;
        } else {
            base_unsupported(x->b->cx, tight->unit->stmts[tight->stmt].loc,
                             "this loop touches too many large arrays: the device binds %u buffers, and what is left "
                             "does not fit together into "
                             "%llu MiB%s; split the loop or make arrays smaller",
                             x->limits->max_storage_buffers, (unsigned long long)(x->limits->max_binding_bytes >> 20),
                             unsized ? ", or has a size that is known only at run time: compile the sizes in (no "
                                       "--uniform)"
                                     : "");
        }
    }
}

// ---- places of another program --------------------------------------------------------------------------------------

static bool same_form(const struct plan *p, const struct plan_array *a, const struct plan *q,
                      const struct plan_array *o) {
    bool same = a->dtype == o->dtype && a->wide == o->wide && plan_same_pairs(a, o) && a->longs == o->longs &&
                a->ndims == o->ndims && q->exprs[q->buffers[o->buffer].size_bytes].op == PLAN_CONST &&
                q->exprs[o->offset_bytes].op == PLAN_CONST;
    for (uint32_t d = 0; d < a->ndims && same; d++)
        same = p->exprs[a->dims[d]].op == PLAN_CONST && q->exprs[o->dims[d]].op == PLAN_CONST &&
               p->exprs[a->dims[d]].value == q->exprs[o->dims[d]].value;
    return same;
}

static void find_pinned(struct packing *x) {
    const struct ir_unit *u = x->b->base;
    const struct plan *p = x->b->plan, *q = x->b->beside;
    for (uint32_t i = 0; i < p->array_count; i++)
        x->pinned[i] = NOT_PINNED;
    for (uint32_t i = 0; q && i < u->param_count; i++)
        for (uint32_t k = 0; u->params[i].is_array && k < q->param_count; k++) {
            if (!q->params[k].is_array) continue;
            uint32_t index = x->b->rungs[0].array_index[u->params[i].ref], other = q->params[k].index;
            if (strcmp(q->arrays[other].name, p->arrays[index].name) != 0) continue;
            if (!same_form(p, &p->arrays[index], q, &q->arrays[other]))
                base_unsupported(x->b->cx, u->arrays[u->params[i].ref].loc,
                                 "array '%s' is of another type or size than that of the program beside this one",
                                 p->arrays[index].name);
            x->pinned[index] = other;
        }
}

// The buffer as the program beside has it; made once.
static void place_pinned(const struct packing *x, uint32_t array, uint32_t *buffer_of) {
    struct compile_builder *b = x->b;
    const struct plan *q = b->beside;
    const struct plan_array *o = &q->arrays[x->pinned[array]];
    if (buffer_of[o->buffer] == UINT32_MAX)
        buffer_of[o->buffer] = add_buffer(b, base_format(b->cx, "%s", q->buffers[o->buffer].name),
                                          plan_const(b->cx, b->plan, q->exprs[q->buffers[o->buffer].size_bytes].value));
    b->plan->arrays[array].buffer = buffer_of[o->buffer];
    b->plan->arrays[array].offset_bytes = plan_const(b->cx, b->plan, q->exprs[o->offset_bytes].value);
}

// ---- buffers --------------------------------------------------------------------------------------------------------

static void add_buffers(const struct packing *x) {
    struct compile_builder *b = x->b;
    struct plan *p = b->plan;
    uint32_t group_buffer[GROUP_COUNT], *beside = NULL;
    int64_t group_used[GROUP_COUNT] = {0};
    if (b->beside) {
        beside = base_alloc_array(b->cx, b->beside->buffer_count + 1, sizeof *beside);
        memset(beside, 0xFF, b->beside->buffer_count * sizeof *beside);
    }
    for (uint32_t g = 0; g < GROUP_COUNT; g++)
        group_buffer[g] = x->group_bytes[g] ? add_buffer(b, base_format(b->cx, "packed%u", g),
                                                         plan_const(b->cx, p, x->group_bytes[g]))
                                            : UINT32_MAX;
    for (uint32_t i = 0; i < p->array_count; i++) {
        struct plan_array *a = &p->arrays[i];
        if (x->pinned[i] != NOT_PINNED) {
            place_pinned(x, i, beside);
            continue;
        }
        if (!x->packed[i]) {
            a->buffer = add_buffer(b, a->name, bytes_of(b, a));
            a->offset_bytes = plan_const(b->cx, p, 0);
            continue;
        }
        uint32_t g = group_of(a, x->mixed);
        a->buffer = group_buffer[g];
        a->offset_bytes = plan_const(b->cx, p, group_used[g]);
        group_used[g] += aligned(x->bytes[i]);
    }
}

void compile_pack(struct compile_builder *b) {
    add_arrays(b);
    struct packing x = {.b = b, .limits = &plan_base_target};
    x.packed = base_alloc_array(b->cx, b->plan->array_count + 1, sizeof *x.packed);
    x.pinned = base_alloc_array(b->cx, b->plan->array_count + 1, sizeof *x.pinned);
    x.bytes = base_alloc_array(b->cx, b->plan->array_count + 1, sizeof *x.bytes);
    for (uint32_t i = 0; i < b->plan->array_count; i++) // once: what computes it is a part of the plan
        x.bytes[i] = const_bytes(b, &b->plan->arrays[i]);
    find_pinned(&x);
    choose_packed(&x);
    add_buffers(&x);
}
