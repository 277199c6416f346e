// Initialisers, constant tables, and loops over all elements of an array (fill, copy).
#include <math.h>
#include <string.h>

#include "front/lower/lower.h"

static struct lower_place path_place(struct lower *lw, struct lower_place place, const struct front_init *init,
                                     base_loc loc) {
    for (uint32_t i = 0; i < init->depth; i++) {
        const struct front_step *step = &init->path[i];
        place = step->field ? lower_member(place, step->field)
                            : lower_element(lw, place, ir_const_i32(lw->u, (int32_t)step->index), loc);
    }
    return place;
}

// Elements of a slot; 0 where it is not constant.
static uint64_t slot_elements(struct lower *lw, const struct lower_slot *slot) {
    uint64_t count = 1;
    for (uint32_t i = 0; i < slot->ndims; i++) {
        int64_t dim;
        if (!lower_const_int(lw, slot->dims[i], &dim)) return 0;
        count *= (uint64_t)dim;
    }
    return count;
}

// ---- tables ---------------------------------------------------------------------------------------------------------

static bool constant_bits(const struct front_node *node, uint64_t *out) {
    bool negative = false;
    while (node->kind == FRONT_UNARY && node->op == FRONT_OP_NEG && front_is_float(node->type)) {
        negative = !negative;
        node = node->a;
    }
    if (node->kind == FRONT_FLOAT && node->type->kind <= FRONT_F64)
        *out = base_float_bits((float)node->real) ^ (negative ? 0x80000000u : 0);
    else if (node->kind == FRONT_INT && !negative)
        *out = node->integer;
    else
        return false;
    return true;
}

// A name beside the numbers, or NULL: who reads one is told that arrays of pointers are not supported.
static bool is_text(const struct front_node *node) {
    if (node->type->kind != FRONT_POINTER) return false;
    while (node->kind == FRONT_CAST)
        node = node->a;
    return node->kind == FRONT_STRING || (node->kind == FRONT_INT && node->integer == 0);
}

static bool fits_word(const struct front_type *type, uint64_t bits) {
    return type->kind == FRONT_I64 ? (int64_t)bits == (int32_t)bits : bits <= UINT32_MAX;
}

static void set_table(struct lower *lw, struct lower_object *object, struct lower_slot *slot, uint32_t *data) {
    if (slot->ndims == 0) {
        slot->value = ir_const(lw->u, lower_carrier(slot->type), data[0]);
        return;
    }
    ir_array array = lower_slot_array(lw, object, slot);
    lw->u->arrays[array].data = data;
    lw->u->arrays[array].data_count = (uint32_t)slot_elements(lw, slot);
}

bool lower_init_table(struct lower *lw, struct lower_object *object, const struct front_inits *inits) {
    uint32_t **data = base_alloc_array(lw->cx, object->count + 1, sizeof(uint32_t *));
    uint32_t **high = base_alloc_array(lw->cx, object->count + 1, sizeof(uint32_t *)); // of 64-bit integers
    for (uint32_t k = 0; k < object->count; k++) {
        struct lower_slot *slot = &object->slots[k];
        uint64_t count = slot_elements(lw, slot);
        if (count == 0 || count > (1u << 24)) return false;
        data[k] = base_alloc_array(lw->cx, count, sizeof(uint32_t));
        if (lower_is_wide(slot->type)) high[k] = base_alloc_array(lw->cx, count, sizeof(uint32_t));
    }
    for (uint32_t i = 0; i < inits->count; i++) {
        const struct front_init *init = &inits->items[i];
        uint64_t bits;
        if (!init->value) continue;
        if (is_text(init->value)) continue;
        if (!front_is_arithmetic(init->value->type) || !constant_bits(init->value, &bits)) return false;
        struct lower_place place = path_place(lw, lower_whole(object), init, object->loc);
        const struct lower_slot *slot = &object->slots[place.leaf];
        uint64_t at = 0;
        for (uint32_t d = 0; d < place.n; d++) {
            int64_t dim = 0, index = 0;
            lower_const_int(lw, slot->dims[d], &dim);
            lower_const_int(lw, place.idx[d], &index);
            at = at * (uint64_t)dim + (uint64_t)index;
        }
        data[place.leaf][at] = (uint32_t)bits;
        if (high[place.leaf]) high[place.leaf][at] = (uint32_t)(bits >> 32);
        if (high[place.leaf] && !fits_word(slot->type, bits)) object->ident->two_words = true;
    }
    object->array_class = IR_ARRAY_TABLE;
    for (uint32_t k = 0; k < object->count; k++) {
        struct lower_slot *slot = &object->slots[k];
        if (slot->type->kind == FRONT_POINTER) continue;
        if (!lower_holds_words(lw, object, slot)) {
            set_table(lw, object, slot, data[k]);
        } else if (slot->ndims == 0) {
            uint64_t value = (uint64_t)high[k][0] << 32 | data[k][0];
            slot->value = lower_words_constant(lw, value, slot->type, object->loc);
        } else {
            set_table(lw, object, slot, data[k]);
            set_table(lw, object, lower_high_slot(lw, slot), high[k]);
        }
    }
    return true;
}

// ---- loops over elements --------------------------------------------------------------------------------------------

struct nest {
    struct lower_place to, from; // from.object NULL: fill
    ir_expr word;                // that all is filled with; 0: with zeros
    ir_expr count;               // of the last index that the places have; 0: it stands still
    bool overlaps;               // the places may have elements in common
    base_loc loc;
};

// Number of the place's first element in its slot.
static ir_expr start_of(struct lower *lw, const struct lower_place *place, const struct lower_slot *slot,
                        base_loc loc) {
    ir_expr sum = ir_const_i32(lw->u, 0);
    for (uint32_t d = 0; d < slot->ndims; d++) {
        sum = lower_fold2(lw, IR_MUL, sum, lower_as(lw, slot->dims[d], IR_I32, loc), loc);
        if (d < place->n) sum = lower_fold2(lw, IR_ADD, sum, lower_as(lw, place->idx[d], IR_I32, loc), loc);
    }
    return lower_snapshot(lw, sum, loc);
}

// Whether elements have to be moved from the last one on, because the first ones come to where the last ones are read;
// 0: the order does not matter.
static ir_expr moves_backwards(struct lower *lw, const struct nest *nest, const struct lower_slot *slot, double total) {
    if (!nest->overlaps || nest->to.object != nest->from.object) return 0;
    ir_expr to = start_of(lw, &nest->to, slot, nest->loc), from = start_of(lw, &nest->from, slot, nest->loc);
    int64_t a, b;
    if (lower_const_int(lw, to, &a) && lower_const_int(lw, from, &b) && (a == b || fabs((double)(a - b)) >= total))
        return 0;
    return lower_fold2(lw, IR_GT, to, from, nest->loc);
}

// Every byte of the value is the same one, as memset leaves it: those of `word`.
static ir_expr fill_value(struct lower *lw, const struct front_type *type, ir_expr word, base_loc loc) {
    enum whorl_dtype dtype = front_dtype(type);
    uint32_t bits = 0;
    if (word && !ir_is_const(lw->u, word, &bits)) {
        if (!front_is_integer(type) || dtype == WHORL_BOOL)
            base_unsupported(lw->cx, loc, "memset needs a constant value, but for integers");
        if (lower_is_wide(type) && !lw->user->int64_as_int32)
            return lower_words_node(lw, (struct lower_words){.lo = word, .hi = word}, loc);
        return lower_convert(lw, word, front_basic_type(FRONT_U32), type, loc);
    }
    if (lower_is_wide(type) && !lw->user->int64_as_int32)
        return lower_words_constant(lw, (uint64_t)bits << 32 | bits, type, loc);
    if (dtype == WHORL_BOOL) bits &= 1;
    return ir_const(lw->u, lower_carrier(type), base_dtype_load(dtype, &bits, 0));
}

// The loops around the body, from 0 to each bound: one parallel loop, or one in another.
static void emit_nest(struct lower *lw, const ir_var *vars, const ir_expr *bounds, uint32_t n, bool parallel,
                      ir_stmt body, base_loc loc) {
    struct ir_unit *u = lw->u;
    ir_stmt s = body;
    if (parallel) {
        struct ir_dim dims[IR_MAX_DIMS];
        for (uint32_t i = 0; i < n; i++)
            dims[i] = (struct ir_dim){vars[i], ir_const_i32(u, 0), bounds[i], 1};
        s = ir_add_stmt(u, IR_PARFOR, loc);
        u->stmts[s].parfor.dim_count = n;
        uint32_t first = ir_add_dims(u, dims, n);
        u->stmts[s].parfor.dims = first;
        u->stmts[s].parfor.body = body;
    } else {
        for (uint32_t i = n; i-- > 0;)
            s = ir_for(u, vars[i], ir_const_i32(u, 0), bounds[i], 1, s, loc);
    }
    lower_emit(lw, s);
}

static void one_leaf(struct lower *lw, struct nest nest, uint32_t leaf) {
    base_loc loc = nest.loc;
    struct lower_place to = nest.to, from = nest.from;
    to.leaf += leaf;
    from.leaf += leaf;
    to.walked = from.walked = 0;
    to.far = from.far = false;
    const struct lower_slot *slot = &to.object->slots[to.leaf];
    ir_expr bounds[IR_MAX_DIMS];
    uint32_t n = 0;
    double total = 1;
    if (nest.count) bounds[n++] = nest.count;
    for (uint32_t d = to.n; d < slot->ndims; d++)
        bounds[n++] = slot->dims[d];
    for (uint32_t i = 0; i < n; i++)
        total *= (double)lower_range_of(lw, bounds[i]).hi;
    ir_expr backwards = moves_backwards(lw, &nest, slot, total);
    // At entry level all elements are set at once, as a parallel loop.
    bool parallel = n > 0 && !backwards && !lw->in_parfor && !lw->in_region && total >= 64;
    for (uint32_t i = 0; parallel && i < n; i++)
        parallel = lower_is_entry_constant(lw, bounds[i]);
    ir_var vars[IR_MAX_DIMS];
    for (uint32_t i = 0; i < n; i++) {
        enum ir_var_class klass = parallel ? IR_VAR_DIM : lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY;
        bounds[i] = lower_as(lw, bounds[i], IR_I32, loc);
        vars[i] = lower_new_var(lw, "k", IR_I32, klass, loc);
        lower_set_stable(lw, vars[i]);
        lower_set_range(lw, vars[i], (struct lower_range){0, lower_range_of(lw, bounds[i]).hi - 1});
        ir_expr k = ir_var_read(lw->u, vars[i], loc);
        if (backwards) {
            ir_expr last = lower_fold2(lw, IR_SUB, bounds[i], ir_const_i32(lw->u, 1), loc);
            k = lower_fold3(lw, IR_SELECT, backwards, lower_fold2(lw, IR_SUB, last, k, loc), k, loc);
        }
        if (i == 0 && nest.count) {
            to.idx[to.n - 1] = lower_fold2(lw, IR_ADD, lower_as(lw, to.idx[to.n - 1], IR_I32, loc), k, loc);
            to.walked = (uint8_t)to.n;
            to.far = from.far = true;
            if (from.object) {
                from.idx[from.n - 1] = lower_fold2(lw, IR_ADD, lower_as(lw, from.idx[from.n - 1], IR_I32, loc), k, loc);
                from.walked = (uint8_t)from.n;
            }
        } else {
            to.idx[to.n++] = k;
            if (from.object) from.idx[from.n++] = k;
        }
    }
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    bool in_parfor = lw->in_parfor;
    lw->in_parfor = in_parfor || parallel;
    struct lower_value value = {.type = slot->type};
    if (slot->type->kind == FRONT_POINTER)
        value.ptr = from.object ? lower_slot_pointer(lw, &from, loc) : lower_null(lw);
    else
        value.e = from.object ? lower_load_place(lw, &from, loc) : fill_value(lw, slot->type, nest.word, loc);
    lower_store_place(lw, &to, value, loc);
    lw->in_parfor = in_parfor;
    lower_leave(lw, before);
    emit_nest(lw, vars, bounds, n, parallel, body.head, loc);
}

void lower_fill(struct lower *lw, const struct lower_place *to, ir_expr word, base_loc loc) {
    for (uint32_t k = 0; k < to->leaf_count; k++)
        one_leaf(lw, (struct nest){.to = *to, .word = word, .loc = loc}, k);
}

void lower_copy(struct lower *lw, const struct lower_place *to, const struct lower_place *from, base_loc loc) {
    for (uint32_t k = 0; k < to->leaf_count; k++)
        one_leaf(lw, (struct nest){.to = *to, .from = *from, .loc = loc}, k);
}

void lower_move(struct lower *lw, const struct lower_place *to, const struct lower_place *from, ir_expr word,
                ir_expr count, bool overlaps, base_loc loc) {
    struct nest nest = {.to = *to, .word = word, .count = count, .overlaps = overlaps, .loc = loc};
    if (from) nest.from = *from;
    for (uint32_t k = 0; k < to->leaf_count; k++)
        one_leaf(lw, nest, k);
}

// ---- initialisers ---------------------------------------------------------------------------------------------------

static uint64_t covered(struct lower *lw, struct lower_object *object, const struct front_inits *inits, uint32_t leaf) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < inits->count; i++) {
        const struct front_init *init = &inits->items[i];
        if (!init->value) continue;
        struct lower_place place = path_place(lw, lower_whole(object), init, object->loc);
        if (leaf < place.leaf || leaf >= place.leaf + place.leaf_count) continue;
        uint64_t elements = 1;
        const struct lower_slot *slot = &object->slots[leaf];
        for (uint32_t d = place.n; d < slot->ndims; d++) {
            int64_t dim = 0;
            lower_const_int(lw, slot->dims[d], &dim);
            elements *= (uint64_t)dim;
        }
        count += elements;
    }
    return count;
}

static bool is_zero(const struct lower *lw, const struct lower_value *value) {
    uint32_t bits;
    return value->type->kind != FRONT_POINTER && value->e && ir_is_const(lw->u, value->e, &bits) && bits == 0;
}

// filled: all of it is zero already, so that `= {0}` leaves no store beside the loop that fills it.
static void store_inits(struct lower *lw, struct lower_place whole, const struct front_inits *inits, bool filled) {
    for (uint32_t i = 0; i < inits->count; i++) {
        const struct front_init *init = &inits->items[i];
        if (!init->value) continue;
        struct lower_value value = lower_expr(lw, init->value);
        struct lower_place place = path_place(lw, whole, init, init->value->loc);
        value.type = place.type;
        if (!filled || !is_zero(lw, &value)) lower_store_place(lw, &place, value, init->value->loc);
    }
}

void lower_init_object(struct lower *lw, struct lower_object *object, const struct front_inits *inits, base_loc loc) {
    if (object->is_const && object->outer && inits->count && lower_init_table(lw, object, inits)) return;
    bool filled = true;
    for (uint32_t k = 0; k < object->count; k++) {
        struct lower_slot *slot = &object->slots[k];
        if (covered(lw, object, inits, k) == slot_elements(lw, slot) && slot_elements(lw, slot)) {
            filled = false;
            continue;
        }
        struct lower_place place = lower_whole(object);
        place.leaf = k;
        place.leaf_count = 1;
        place.type = slot->type;
        if (slot->type->kind == FRONT_POINTER && !slot->ndims) {
            lower_slot_set_pointer(lw, &place, lower_null(lw), loc);
        } else {
            lower_fill(lw, &place, 0, loc);
        }
    }
    store_inits(lw, lower_whole(object), inits, filled);
}

void lower_init_each(struct lower *lw, struct lower_object *object, const struct front_inits *inits, base_loc loc) {
    static const struct front_inits none;
    lower_init_object(lw, object, &none, loc);
    if (!inits->count) return;
    ir_expr bound = ir_const_i32(lw->u, (int32_t)object->type->length);
    ir_var var = lower_new_var(lw, "each", IR_I32, IR_VAR_DIM, loc);
    lower_set_range(lw, var, (struct lower_range){0, (int64_t)object->type->length - 1});
    struct lower_block body = {0, 0};
    struct lower_block *before = lower_enter(lw, &body);
    lw->in_parfor = true;
    store_inits(lw, lower_element(lw, lower_whole(object), ir_var_read(lw->u, var, loc), loc), inits, true);
    lw->in_parfor = false;
    lower_leave(lw, before);
    emit_nest(lw, &var, &bound, 1, true, body.head, loc);
}
