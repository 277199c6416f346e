// Places: reading and writing what an lvalue names. Here indices are checked, flat arrays and arrays of structs get
// their one index, and a choice of targets becomes SELECTs and IFs.
#include <string.h>

#include "front/lower/lower.h"

struct lower_place lower_member(struct lower_place place, const struct front_field *field) {
    const struct front_record *record = place.type->record;
    for (uint32_t i = 0; i < field->index && !record->is_union; i++)
        place.leaf += lower_leaf_count(record->fields[i].type);
    place.leaf_count = lower_leaf_count(field->type);
    place.type = field->type;
    place.movable = false;
    return place;
}

ir_expr lower_row(struct lower *lw, const struct lower_place *place) {
    return place->is_open ? place->idx[place->n] : ir_const_i32(lw->u, place->row[0]);
}

struct lower_place lower_element(struct lower *lw, struct lower_place place, ir_expr index, base_loc loc) {
    if (place.flat) {
        place.flat--;
        memmove(place.row, place.row + 1, place.flat * sizeof *place.row);
        if (place.is_open) memmove(place.idx + place.n, place.idx + place.n + 1, place.flat * sizeof *place.idx);
        place.type = place.type->base;
        ir_expr size = place.flat ? lower_row(lw, &place) : ir_const_i32(lw->u, 1), *last = &place.idx[place.n - 1];
        index = lower_fold2(lw, IR_MUL, lower_as(lw, index, IR_I32, loc), size, loc);
        *last = lower_fold2(lw, IR_ADD, lower_as(lw, *last, IR_I32, loc), index, loc);
        return place;
    }
    if (place.n == LOWER_MAX_INDICES) base_unsupported(lw->cx, loc, "more than %d dimensions", LOWER_MAX_INDICES);
    place.idx[place.n++] = index;
    place.type = place.type->base;
    place.movable = true;
    return place;
}

struct lower_ptr *lower_freeze(struct lower *lw, struct lower_ptr *ptr, base_loc loc) {
    struct lower_ptr *frozen = base_alloc(lw->cx, sizeof *frozen);
    *frozen = *ptr;
    frozen->targets = base_alloc_array(lw->cx, ptr->count + 1, sizeof *ptr->targets);
    for (uint32_t i = 0; i < ptr->count; i++) {
        frozen->targets[i] = ptr->targets[i];
        for (uint32_t k = 0; k < lower_index_count(&ptr->targets[i]); k++)
            frozen->targets[i].idx[k] = lower_snapshot(lw, ptr->targets[i].idx[k], loc);
    }
    frozen->selector = lower_snapshot(lw, ptr->selector, loc);
    return frozen;
}

// ---- indices --------------------------------------------------------------------------------------------------------

static bool starts_at_zero(struct lower *lw, const struct lower_place *place, uint32_t before) {
    int64_t value;
    for (uint32_t i = 0; i < before; i++)
        if (!lower_const_int(lw, place->idx[i], &value) || value != 0) return false;
    return true;
}

// Whether a pointer that was moved along dimension `at` may have left its row. C forbids it; programs do it all the
// same when they start at the first element of the whole array, or go on for a number of elements that is known and
// more than a row.
static bool leaves_row(struct lower *lw, const struct lower_place *place, const struct lower_slot *slot, uint32_t at) {
    struct lower_range index = lower_range_of(lw, place->idx[at]), dim = lower_range_of(lw, slot->dims[at]);
    if (index.lo >= 0 && index.hi < dim.lo) return false;
    double elements = 1;
    for (uint32_t i = 0; i <= at; i++)
        elements *= (double)lower_range_of(lw, slot->dims[i]).hi;
    if (place->far || (index.lo >= 0 && (double)index.hi < elements)) return true;
    return index.lo >= dim.hi || index.hi < 0 || starts_at_zero(lw, place, at);
}

static void check_index(struct lower *lw, const struct lower_place *place, const struct lower_slot *slot, uint32_t at,
                        base_loc loc) {
    int64_t index, dim;
    if (!lower_const_int(lw, place->idx[at], &index) || !lower_const_int(lw, slot->dims[at], &dim)) return;
    base_loc at_index = lw->u->nodes[place->idx[at]].loc;
    if (index < 0 || index >= dim)
        base_error(lw->cx, at_index ? at_index : loc, "index %lld is outside of '%s', which has %lld element%s%s",
                   (long long)index, slot->name, (long long)dim, base_s((uint64_t)dim),
                   slot->ndims > 1 ? " there" : "");
}

static ir_expr linear(struct lower *lw, const struct lower_place *place, const struct lower_slot *slot, uint32_t n,
                      base_loc loc) {
    ir_expr sum = lower_as(lw, place->idx[0], IR_I32, loc);
    for (uint32_t i = 1; i < n; i++) {
        sum = lower_fold2(lw, IR_MUL, sum, slot->dims[i], loc);
        sum = lower_fold2(lw, IR_ADD, sum, lower_as(lw, place->idx[i], IR_I32, loc), loc);
    }
    return sum;
}

bool lower_lives_in_memory(const struct lower_object *object, const struct lower_slot *slot) {
    return slot->ndims > 0 || object->words ||
           ((object->ident->in_memory || lower_is_per_thread(object)) && object->var_class == IR_VAR_ENTRY &&
            front_is_arithmetic(slot->type));
}

// Of an element of 8 or 16 bits, in a struct of words: its place in bytes behind the word that the field begins in, but
// for the steps of whole words. 0: it is the leaf's own.
static ir_expr part_bytes(struct lower *lw, const struct lower_place *place, base_loc loc) {
    const struct lower_object *object = place->object;
    const struct lower_leaf *leaf = object->slots[place->leaf].leaf;
    ir_expr bytes = 0;
    for (uint32_t i = object->outer; i < place->n; i++) {
        uint64_t stride = leaf->strides[i - object->outer];
        if (stride % 4 == 0) continue;
        ir_expr step = lower_fold2(lw, IR_MUL, lower_as(lw, place->idx[i], IR_I32, loc),
                                   ir_const_i32(lw->u, (int32_t)stride), loc);
        bytes = lower_fold2(lw, IR_ADD, bytes ? bytes : ir_const_i32(lw->u, leaf->byte), step, loc);
    }
    return bytes;
}

ir_expr lower_word(struct lower *lw, const struct lower_place *place, base_loc loc) {
    const struct lower_object *object = place->object;
    const struct lower_leaf *leaf = object->slots[place->leaf].leaf;
    ir_expr bytes = object->unit == 4 && lower_is_part(leaf) ? part_bytes(lw, place, loc) : 0;
    ir_expr word = ir_const_i32(lw->u, (int32_t)((leaf->word * 4 + leaf->byte) / object->unit));
    if (bytes)
        word = lower_fold2(lw, IR_ADD, word, lower_fold2(lw, IR_SHR, bytes, ir_const(lw->u, IR_U32, 2), loc), loc);
    for (uint32_t i = object->outer; i < place->n; i++) {
        if (bytes && leaf->strides[i - object->outer] % 4) continue;
        ir_expr step =
            lower_fold2(lw, IR_MUL, lower_as(lw, place->idx[i], IR_I32, loc),
                        ir_const_i32(lw->u, (int32_t)(leaf->strides[i - object->outer] / object->unit)), loc);
        word = lower_fold2(lw, IR_ADD, word, step, loc);
    }
    return word;
}

uint32_t lower_part_indices(struct lower *lw, const struct lower_place *place, struct lower_slot *slot, ir_expr *out,
                            base_loc loc) {
    struct lower_object *object = place->object;
    if (place->n != slot->ndims)
        base_bug(lw->cx, "'%s' has %u dimensions and is used with %u indices", slot->name, slot->ndims, place->n);
    uint32_t rows = object->words ? object->outer : slot->ndims; // dimensions that a walk may cross
    uint32_t walked = place->walked;                             // 1 + index
    if (!object->ident->flat && walked > 1 && walked <= rows && leaves_row(lw, place, slot, walked - 1)) {
        object->ident->flat = true;
        lw->learned = true;
    }
    bool is_view = lower_is_view(place), row = object->ident->numbers, flat = row || (object->ident->flat && rows > 1);
    if (is_view && !row) object->ident->numbers = lw->learned = true;
    for (uint32_t i = 0; i < place->n; i++)
        if (!is_view && !(flat && i < rows)) check_index(lw, place, slot, i, loc);
    uint32_t n = 0;
    if (is_view) {
        out[n++] = linear(lw, place, slot, place->n, loc);
    } else if (flat) {
        out[n++] = linear(lw, place, slot, rows, loc);
    } else {
        for (; n < rows; n++)
            out[n] = place->idx[n];
    }
    if (object->words && !is_view) {
        const struct lower_leaf *leaf = slot->leaf;
        if (lower_is_part(leaf) && object->unit == 4 && !lw->loads_part)
            base_unsupported(lw->cx, loc,
                             "'%s' is a field of 8 or 16 bits in a struct that is passed: it can only be read, and "
                             "alone; make it an int",
                             slot->name);
        ir_expr word = lower_word(lw, place, loc);
        if (row) {
            out[0] = lower_fold2(lw, IR_MUL, out[0], object->numbers->dims[rows], loc);
            out[0] = lower_fold2(lw, IR_ADD, out[0], word, loc);
        } else {
            out[n++] = word;
        }
    }
    // A run that has just learned that the array is flat still has it with all its dimensions.
    ir_array array = object->words ? object->array : lower_slot_array(lw, object, slot);
    uint32_t all = lw->u->arrays[array].ndims - lower_is_per_thread(object);
    while (n < all)
        out[n++] = ir_const_i32(lw->u, 0);
    return all;
}

ir_array lower_element_indices(struct lower *lw, const struct lower_place *place, ir_expr *out, uint32_t *n,
                               base_loc loc) {
    struct lower_slot *slot = &place->object->slots[place->leaf];
    *n = lower_part_indices(lw, place, slot, out, loc);
    if (lower_is_per_thread(place->object)) { // its thread's
        // OpenMP leaves open which thread runs a 'single': to a reduction it may be any
        if (lower_is_number(place->object)) lower_learn_number(lw, place->object, 0);
        ir_expr thread = !lw->thread && lw->in_single && place->object->reduces ? ir_const_i32(lw->u, 0) : lw->thread;
        if (!thread)
            base_unsupported(
                lw->cx, loc,
                "'%s' differs between the threads of the region: it must not decide whether they come to a "
                "worksharing loop, nor be set in 'single' without copyprivate",
                slot->name);
        memmove(out + 1, out, *n * sizeof *out);
        out[0] = thread;
        ++*n;
    }
    return place->object->words ? place->object->array : slot->array;
}

// ---- one place ------------------------------------------------------------------------------------------------------

static void check_varying(struct lower *lw, const struct lower_object *object, base_loc loc) {
    if (object->varying)
        base_unsupported(
            lw->cx, loc,
            "'%s' is private and was set in a worksharing loop: using it afterwards, when each thread has its own "
            "value, comes in a later version",
            object->name);
}

// A field of 8 or 16 bits of the word that holds it.
static ir_expr part_of_word(struct lower *lw, ir_expr word, const struct lower_place *place, base_loc loc) {
    const struct lower_leaf *leaf = place->object->slots[place->leaf].leaf;
    uint32_t bits = (uint32_t)front_type_size(leaf->type) * 8;
    bool is_signed = !front_is_unsigned(leaf->type);
    ir_expr bytes = part_bytes(lw, place, loc), above = ir_const(lw->u, IR_U32, 32 - bits - leaf->byte * 8u);
    if (bytes) {
        ir_expr at = lower_fold2(lw, IR_AND, bytes, ir_const_i32(lw->u, 3), loc);
        at = lower_fold2(lw, IR_MUL, at, ir_const_i32(lw->u, 8), loc);
        above = lower_fold2(lw, IR_SUB, ir_const_i32(lw->u, 32 - (int32_t)bits), at, loc);
        above = lower_as(lw, above, IR_U32, loc);
    }
    ir_expr e = lower_fold2(lw, IR_SHL, lower_as(lw, word, IR_U32, loc), above, loc);
    if (is_signed) e = lower_as(lw, e, IR_I32, loc);
    return lower_fold2(lw, IR_SHR, e, ir_const(lw->u, IR_U32, 32 - bits), loc);
}

static ir_expr load_leaf(struct lower *lw, const struct lower_place *place, base_loc loc) {
    struct lower_object *object = place->object;
    struct lower_slot *slot = &object->slots[place->leaf];
    enum ir_type type = lower_carrier(slot->type);
    if (object->varying && !lower_is_per_thread(object) && lower_learn_per_thread(lw, object))
        return ir_const(lw->u, type, 0); // the next run knows
    if (lower_is_number(object)) return lower_as(lw, lower_thread_number(lw, loc), type, loc);
    if (!lower_is_per_thread(object)) check_varying(lw, object, loc);
    if (lower_holds_words(lw, object, slot)) return lower_load_words(lw, place, loc);
    if (!lower_lives_in_memory(object, slot)) {
        if (slot->value) return slot->value;
        return ir_var_read(lw->u, lower_slot_var(lw, object, slot), loc);
    }
    ir_expr idx[IR_MAX_DIMS + 1];
    uint32_t n;
    lw->loads_part = lower_is_part(slot->leaf) && object->unit == 4;
    // Which thread runs a 'single' is left open: the first one's value is as good as any
    ir_expr thread = lw->thread;
    if (lw->in_single && !thread) lw->thread = ir_const_i32(lw->u, 0);
    ir_array array = lower_element_indices(lw, place, idx, &n, loc);
    lw->thread = thread;
    bool is_part = object->words && lw->loads_part;
    lw->loads_part = false;
    ir_expr e = ir_load(lw->u, array, idx, n, loc);
    if (is_part) e = part_of_word(lw, e, place, loc);
    enum ir_type got = lower_ir_type_of(lw, e);
    if (got == type) return e;
    if (type == IR_BOOL) return lower_fold2(lw, IR_NE, e, ir_const(lw->u, got, 0), loc);
    if (got == IR_U32 && type == IR_F32) return ir_op1(lw->u, IR_BITS_U2F, e, loc);
    return lower_as(lw, e, type, loc);
}

// What the loop uses in one way alone, and by one name.
static const struct lower_place *check_names(struct lower *lw, const struct lower_place *place, struct lower_place *row,
                                             base_loc loc) {
    if (lw->bests) lower_best_check(lw, place->object, loc);
    if (lw->rows) place = lower_rows_check(lw, place, row, loc);
    if (lw->in_parfor) lower_implied_check(lw, place->object, loc);
    return place;
}

// The bits of a union as the member that is named.
ir_expr lower_load_place(struct lower *lw, const struct lower_place *place, base_loc loc) {
    struct lower_place row;
    place = check_names(lw, place, &row, loc);
    ir_expr e = load_leaf(lw, place, loc);
    if (!place->object->slots[place->leaf].leaf->is_union || !front_is_arithmetic(place->type)) return e;
    enum ir_type member = lower_carrier(place->type);
    return member == IR_F32 ? ir_op1(lw->u, IR_BITS_U2F, e, loc) : lower_as(lw, e, member, loc);
}

bool lower_is_shared(const struct lower *lw, const struct lower_object *object) {
    if (object->var_class != IR_VAR_ENTRY || object->region_private || lw->team == 1) return false;
    return lw->in_parfor || (lw->in_region && !lw->in_single);
}

bool lower_is_reduction(const struct lower *lw, ir_var var) {
    for (uint32_t i = 0; i < lw->reduction_count; i++)
        if (lw->reductions[i] == var) return true;
    return false;
}

// Set in a parallel loop, and no iteration's own.
static bool set_by_iterations(const struct lower *lw, const struct lower_object *object, ir_var var) {
    return lw->in_parfor && object->var_class == IR_VAR_ENTRY && !lower_is_reduction(lw, var);
}

// ---- one thread of a region -----------------------------------------------------------------------------------------

uint32_t lower_begin_alone(struct lower *lw) { return lw->set_alone_count; }

static void note_alone(struct lower *lw, struct lower_object *object) {
    bool own = object->region_private && object->var_class == IR_VAR_ENTRY && !lower_is_per_thread(object);
    if (!lw->in_single || !lw->in_region || lw->in_parfor || !own || lw->team == 1) return;
    BASE_RESERVE(lw->cx, lw->set_alone, lw->set_alone_count, lw->set_alone_cap);
    lw->set_alone[lw->set_alone_count++] = object;
}

void lower_end_alone(struct lower *lw, uint32_t first, const struct front_omp *omp) {
    for (uint32_t i = first; i < lw->set_alone_count; i++) {
        struct lower_object *object = lw->set_alone[i];
        bool copied = false;
        for (uint32_t k = 0; k < omp->var_count; k++)
            copied |= omp->vars[k].sharing & FRONT_OMP_COPYPRIVATE && omp->vars[k].symbol == object->symbol;
        object->varying = false;
        if (!copied) lower_set_varying(lw, object);
    }
    lw->set_alone_count = first;
}

static void store_scalar(struct lower *lw, const struct lower_place *place, ir_expr value, base_loc loc) {
    struct lower_place row;
    place = check_names(lw, place, &row, loc);
    struct lower_object *object = place->object;
    struct lower_slot *slot = &object->slots[place->leaf];
    enum ir_type type = lower_carrier(slot->type);
    if (slot->leaf->is_union && place->type->kind == FRONT_F32)
        value = ir_op1(lw->u, IR_BITS_F2U, lower_as(lw, value, IR_F32, loc), loc);
    if (!lower_lives_in_memory(object, slot)) {
        if (slot->value) {
            base_error(lw->cx, loc, "'%s' counts a parallel loop and must not be assigned in it", object->name);
            return;
        }
        ir_var var = lower_slot_var(lw, object, slot);
        bool by_thread = lw->in_parfor || lw->in_turn;
        if (by_thread && !lower_is_reduction(lw, var) && lower_learn_per_thread(lw, object)) return;
        if (set_by_iterations(lw, object, var)) { // the next run has it in memory
            object->ident->in_memory = lw->learned = true;
            return;
        }
        if (!lw->in_parfor) object->varying = false;
        note_alone(lw, object);
        if (lower_stores_words(lw, object, slot, value)) {
            lower_assign_words(lw, object, slot, value, loc);
            return;
        }
        lower_emit(lw, ir_assign(lw->u, var, lower_as(lw, value, type, loc), loc));
        return;
    }
    if (lower_is_per_thread(object) && slot->ndims == 0 && lower_learn_number(lw, object, value)) return;
    note_alone(lw, object);
    bool private_array = object->region_private && slot->ndims > 0 && object->array_class == IR_ARRAY_SCRATCH;
    if (private_array && (lw->in_parfor || lw->in_turn) && !lower_is_per_thread(object) &&
        lower_learn_per_thread(lw, object))
        return;
    ir_expr idx[IR_MAX_DIMS + 1];
    uint32_t n;
    ir_array array = lower_element_indices(lw, place, idx, &n, loc);
    if (slot->ndims == 0 && !object->words && !lw->in_atomic && !lw->in_critical && !lower_is_per_thread(object) &&
        set_by_iterations(lw, object, 0))
        lower_shared_note(lw, object, array, loc);
    if (object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_TABLE) {
        base_error(lw->cx, loc, "'%s' is const", slot->name);
        return;
    }
    if (lower_stores_words(lw, object, slot, value)) {
        lower_store_words(lw, place, array, idx, n, value, loc);
        return;
    }
    enum ir_type want = ir_elem_type((enum whorl_dtype)lw->u->arrays[array].elem);
    if (want == IR_U32 && lower_ir_type_of(lw, value) == IR_F32) value = ir_op1(lw->u, IR_BITS_F2U, value, loc);
    ir_stmt store = ir_store(lw->u, array, idx, n, lower_as(lw, value, want, loc), loc);
    if (lw->in_atomic) lw->u->stmts[store].flags |= IR_FLAG_ATOMIC;
    lower_emit(lw, store);
}

// ---- structs --------------------------------------------------------------------------------------------------------

struct lower_place lower_leaf_place(const struct lower_place *place, uint32_t k) {
    struct lower_place leaf = *place;
    leaf.leaf += k;
    leaf.leaf_count = 1;
    leaf.type = place->object->slots[leaf.leaf].type;
    return leaf;
}

static void copy_struct(struct lower *lw, const struct lower_place *to, const struct lower_place *from, base_loc loc) {
    bool overlap = to->object == from->object && to->leaf_count > 1 && to->leaf != from->leaf;
    ir_expr *values = base_alloc_array(lw->cx, to->leaf_count + 1, sizeof *values);
    for (int pass = overlap ? 0 : 1; pass < 2; pass++)
        for (uint32_t k = 0; k < to->leaf_count; k++) {
            struct lower_place d = lower_leaf_place(to, k), s = lower_leaf_place(from, k);
            const struct lower_slot *slot = &d.object->slots[d.leaf];
            bool scalar = slot->ndims == d.n;
            if (!scalar) {
                if (pass == 1) lower_copy(lw, &d, &s, loc);
            } else if (slot->type->kind == FRONT_POINTER) {
                if (pass == 1) lower_slot_set_pointer(lw, &d, lower_slot_pointer(lw, &s, loc), loc);
            } else if (pass == 0) {
                values[k] = lower_snapshot(lw, lower_load_place(lw, &s, loc), loc);
            } else {
                store_scalar(lw, &d, overlap ? values[k] : lower_load_place(lw, &s, loc), loc);
            }
        }
}

// ---- any lvalue -----------------------------------------------------------------------------------------------------

static ir_expr chosen(struct lower *lw, ir_expr selector, uint32_t index, base_loc loc) {
    return lower_fold2(lw, IR_EQ, selector, ir_const_i32(lw->u, (int32_t)index), loc);
}

static bool no_target(struct lower *lw, const struct lower_ptr *ptr, base_loc loc) {
    for (uint32_t i = 0; i < ptr->count; i++)
        if (ptr->targets[i].object) return false;
    if (ptr->count == 0)
        base_error(lw->cx, loc, "this pointer is used before it was set");
    else
        base_error(lw->cx, loc, "this pointer is null here");
    return true;
}

struct lower_value lower_load(struct lower *lw, struct lower_ptr *from, struct front_type *type, base_loc loc) {
    struct lower_value value = {.type = type};
    if (type->kind == FRONT_STRUCT || type->kind == FRONT_ARRAY) {
        value.ptr = from;
        return value;
    }
    bool pointer = type->kind == FRONT_POINTER;
    if (no_target(lw, from, loc)) {
        if (pointer)
            value.ptr = lower_null(lw);
        else
            value.e = ir_const(lw->u, lower_carrier(type), 0);
        return value;
    }
    bool first = true;
    for (uint32_t i = from->count; i-- > 0;) {
        const struct lower_place *place = &from->targets[i];
        if (!place->object) continue;
        if (pointer) {
            struct lower_ptr *p = lower_slot_pointer(lw, place, loc);
            value.ptr = first ? p : lower_ptr_select(lw, chosen(lw, from->selector, i, loc), p, value.ptr, loc);
        } else {
            ir_expr e = lower_load_place(lw, place, loc);
            if (!first && lower_is_wide(type)) lower_common(lw, &e, &value.e, loc);
            value.e = first ? e : lower_fold3(lw, IR_SELECT, chosen(lw, from->selector, i, loc), e, value.e, loc);
        }
        first = false;
    }
    return value;
}

void lower_store_place(struct lower *lw, const struct lower_place *place, struct lower_value value, base_loc loc) {
    if (value.type->kind == FRONT_POINTER) {
        lower_slot_set_pointer(lw, place, value.ptr, loc);
        return;
    }
    if (value.type->kind != FRONT_STRUCT) {
        store_scalar(lw, place, value.e, loc);
        return;
    }
    if (no_target(lw, value.ptr, loc)) return;
    struct lower_ptr *from = lower_freeze(lw, value.ptr, loc);
    struct lower_ptr *to = lower_freeze(lw, lower_ptr_to(lw, *place), loc);
    ir_stmt rest = 0;
    for (uint32_t i = from->count; i-- > 0;) {
        if (!from->targets[i].object) continue;
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        copy_struct(lw, &to->targets[0], &from->targets[i], loc);
        lower_leave(lw, before);
        rest = rest ? ir_if(lw->u, chosen(lw, from->selector, i, loc), block.head, rest, loc) : block.head;
    }
    lower_emit(lw, rest);
}

void lower_store(struct lower *lw, struct lower_ptr *to, struct lower_value value, base_loc loc) {
    if (no_target(lw, to, loc)) return;
    if (to->count == 1) {
        lower_store_place(lw, &to->targets[0], value, loc);
        return;
    }
    if (value.e) value.e = lower_snapshot(lw, value.e, loc);
    ir_stmt rest = 0;
    for (uint32_t i = to->count; i-- > 0;) {
        if (!to->targets[i].object) continue;
        struct lower_block block = {0, 0};
        struct lower_block *before = lower_enter(lw, &block);
        lower_store_place(lw, &to->targets[i], value, loc);
        lower_leave(lw, before);
        rest = rest ? ir_if(lw->u, chosen(lw, to->selector, i, loc), block.head, rest, loc) : block.head;
    }
    lower_emit(lw, rest);
}
