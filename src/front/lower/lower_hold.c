// Where 64-bit integers of two words are: two variables, two arrays, or neighbours in a caller's array.
#include "front/lower/lower.h"

bool lower_holds_words(const struct lower *lw, const struct lower_object *object, const struct lower_slot *slot) {
    if (!lower_is_wide(slot->type) || lw->user->int64_as_int32) return false;
    return object->words || object->ident->two_words;
}

struct lower_slot *lower_high_slot(struct lower *lw, struct lower_slot *slot) {
    if (slot->high) return slot->high;
    struct lower_slot *high = base_alloc(lw->cx, sizeof *high);
    *high = *slot;
    slot->high = high; // which has none itself
    slot->high->type = front_basic_type(FRONT_U32);
    slot->high->name = base_format(lw->cx, "%s.hi", slot->name);
    slot->high->var = slot->high->array = slot->high->value = 0;
    return slot->high;
}

// Of the second of two words, whose first is in `array`.
static ir_array high_indices(struct lower *lw, const struct lower_place *place, ir_array array, ir_expr *idx,
                             uint32_t n, base_loc loc) {
    struct lower_object *object = place->object;
    if (!object->words) return lower_slot_array(lw, object, lower_high_slot(lw, &object->slots[place->leaf]));
    idx[n - 1] = lower_fold2(lw, IR_ADD, idx[n - 1], ir_const_i32(lw->u, 1), loc);
    return array;
}

ir_expr lower_load_words(struct lower *lw, const struct lower_place *place, base_loc loc) {
    struct lower_object *object = place->object;
    struct lower_slot *slot = &object->slots[place->leaf];
    struct lower_words w;
    if (!lower_lives_in_memory(object, slot)) {
        if (slot->value) return slot->value;
        w.lo = ir_var_read(lw->u, lower_slot_var(lw, object, slot), loc);
        w.hi = ir_var_read(lw->u, lower_slot_var(lw, object, lower_high_slot(lw, slot)), loc);
    } else {
        ir_expr idx[IR_MAX_DIMS + 1];
        uint32_t n;
        ir_array array = lower_element_indices(lw, place, idx, &n, loc);
        w.lo = ir_load(lw->u, array, idx, n, loc);
        array = high_indices(lw, place, array, idx, n, loc);
        w.hi = ir_load(lw->u, array, idx, n, loc);
    }
    w.lo = lower_as(lw, w.lo, IR_U32, loc);
    return lower_words_node(lw, w, loc);
}

bool lower_stores_words(struct lower *lw, struct lower_object *object, const struct lower_slot *slot, ir_expr value) {
    if (!lower_is_wide(slot->type)) return false;
    if (!lower_holds_words(lw, object, slot) && !lower_fits_wide(lw, value, slot->type))
        object->ident->two_words = lw->learned = true;
    return lower_holds_words(lw, object, slot);
}

// The low word is set first. Where the high one needs none of what it was, each is an update by itself, which lanes may
// share (won |= bit << s).
void lower_assign_words(struct lower *lw, struct lower_object *object, struct lower_slot *slot, ir_expr value,
                        base_loc loc) {
    struct lower_words w = lower_words_of(lw, value, loc);
    ir_var lo = lower_slot_var(lw, object, slot), hi = lower_slot_var(lw, object, lower_high_slot(lw, slot));
    if (ir_mentions(lw->u, w.hi, lo)) w.hi = lower_snapshot(lw, w.hi, loc);
    lower_emit(lw, ir_assign(lw->u, lo, lower_as(lw, w.lo, (enum ir_type)lw->u->vars[lo].type, loc), loc));
    lower_emit(lw, ir_assign(lw->u, hi, w.hi, loc));
}

void lower_store_words(struct lower *lw, const struct lower_place *place, ir_array array, ir_expr *idx, uint32_t n,
                       ir_expr value, base_loc loc) {
    if (lw->in_atomic)
        base_unsupported(
            lw->cx, loc,
            "an atomic write of a 64-bit integer that may not fit in 32 bits: no device writes two words at "
            "once; use an element for each iteration, or int or unsigned");
    struct lower_words w = lower_words_of(lw, lower_words_snapshot(lw, value, loc), loc);
    enum ir_type want = ir_elem_type((enum whorl_dtype)lw->u->arrays[array].elem);
    lower_emit(lw, ir_store(lw->u, array, idx, n, lower_as(lw, w.lo, want, loc), loc));
    array = high_indices(lw, place, array, idx, n, loc);
    lower_emit(lw, ir_store(lw->u, array, idx, n, w.hi, loc));
}

static void atomic_word(struct lower *lw, ir_array array, const ir_expr *idx, uint32_t n, enum ir_op op, ir_expr value,
                        ir_var old, base_loc loc) {
    enum ir_type have = ir_elem_type((enum whorl_dtype)lw->u->arrays[array].elem);
    lower_emit(lw, ir_atomic(lw->u, array, idx, n, op, lower_as(lw, value, have, loc), old, loc));
}

// By & | ^ each word is combined for itself. A sum takes two steps that others may come between: the low word's old
// value says whether this addition carried, and of all that were made to a word each that carried says so. So the high
// word is right when all have ended, and nobody may look before.
void lower_update_words(struct lower *lw, const struct lower_place *place, enum ir_op op, ir_expr value, base_loc loc) {
    struct ir_unit *u = lw->u;
    struct lower_words w = lower_words_of(lw, value, loc);
    ir_expr idx[IR_MAX_DIMS + 1];
    uint32_t n;
    ir_array low = lower_element_indices(lw, place, idx, &n, loc);
    if (op != IR_ADD) {
        atomic_word(lw, low, idx, n, op, w.lo, 0, loc);
        ir_array high = high_indices(lw, place, low, idx, n, loc);
        atomic_word(lw, high, idx, n, op, w.hi, 0, loc);
        return;
    }
    w.lo = lower_snapshot(lw, w.lo, loc);
    ir_var old = lower_new_var(lw, "old", ir_elem_type((enum whorl_dtype)u->arrays[low].elem), IR_VAR_LOCAL, loc);
    atomic_word(lw, low, idx, n, op, w.lo, old, loc);
    ir_expr sum = lower_fold2(lw, IR_ADD, lower_as(lw, ir_var_read(u, old, loc), IR_U32, loc), w.lo, loc);
    ir_expr carry = lower_as(lw, lower_fold2(lw, IR_LT, sum, w.lo, loc), IR_U32, loc);
    ir_expr more = lower_snapshot(lw, lower_fold2(lw, IR_ADD, w.hi, carry, loc), loc);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    ir_array high = high_indices(lw, place, low, idx, n, loc);
    atomic_word(lw, high, idx, n, op, more, 0, loc);
    lower_leave(lw, before);
    ir_expr some = lower_fold2(lw, IR_NE, more, ir_const(u, IR_U32, 0), loc);
    lower_emit(lw, ir_if(u, some, block.head, 0, loc));
}
