// Structs of an entry's array, seen as the numbers that they are made of: `(float *)&points[i]`. All fields have one
// type and nothing lies between them, so the array becomes one row of numbers, in which fields have their places, too.
// A pointer to the numbers is a place of one slot more, behind those of the fields.
#include <string.h>

#include "front/lower/lower.h"

// A float that was declared as a double has other bits where the struct comes from.
static bool same_number(const struct front_type *a, const struct front_type *b) {
    return a->kind == b->kind && a->was_double == b->was_double;
}

static bool is_alike(const struct lower_object *object, uint64_t struct_bytes) {
    const struct lower_leaf *first = object->slots[0].leaf;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < object->count; i++) {
        const struct lower_leaf *leaf = object->slots[i].leaf;
        uint64_t size = front_type_size(leaf->type);
        if (!same_number(leaf->type, first->type) || leaf->is_half || leaf->is_union || size != object->unit)
            return false;
        for (uint32_t d = 0; d < leaf->ndims; d++)
            size *= leaf->dims[d];
        bytes += size;
    }
    return bytes == struct_bytes;
}

void lower_view_create(struct lower *lw, struct lower_object *object, const struct front_type *element) {
    uint64_t bytes = front_type_size(element);
    if (element->kind != FRONT_STRUCT || !is_alike(object, bytes)) return;
    struct lower_slot *slot = &object->slots[object->count];
    struct lower_leaf *leaf = base_alloc(lw->cx, sizeof *leaf);
    *leaf = (struct lower_leaf){.name = "",
                                .type = object->slots[0].leaf->type,
                                .ndims = 1,
                                .dims = {bytes / object->unit},
                                .strides = {object->unit}};
    *slot = (struct lower_slot){.type = leaf->type, .name = object->name, .ndims = object->outer + 1, .leaf = leaf};
    memcpy(slot->dims, object->slots[0].dims, object->outer * sizeof *slot->dims);
    slot->dims[object->outer] = ir_const_i32(lw->u, (int32_t)leaf->dims[0]);
    object->numbers = slot;
}

bool lower_is_view(const struct lower_place *place) {
    return place->object->numbers && place->leaf == place->object->count;
}

bool lower_view_cast(struct lower *lw, struct lower_place *place, const struct front_type *number, base_loc loc) {
    const struct lower_object *object = place->object;
    const struct front_type *inner = place->type;
    while (inner->kind == FRONT_ARRAY)
        inner = inner->base;
    if (inner->kind != FRONT_STRUCT || !object->numbers || !same_number(number, object->numbers->type) || place->flat)
        return false;
    while (place->type->kind == FRONT_ARRAY)
        *place = lower_element(lw, *place, ir_const_i32(lw->u, 0), loc);
    if (place->n != object->outer) return false; // of an array in a struct
    const struct lower_leaf *leaf = object->slots[place->leaf].leaf;
    place->idx[place->n++] = ir_const_i32(lw->u, (int32_t)((leaf->word * 4 + leaf->byte) / object->unit));
    place->leaf = object->count;
    place->leaf_count = 1;
    place->type = object->numbers->type;
    place->movable = true;
    place->walked = 0;
    return true;
}

static void see_number(struct lower *lw, struct lower_place *place, base_loc loc) {
    ir_expr word = lower_word(lw, place, loc);
    for (uint32_t i = place->n; i < place->object->outer; i++)
        place->idx[i] = ir_const_i32(lw->u, 0);
    place->n = place->object->outer;
    place->idx[place->n++] = word;
    place->leaf = place->object->count;
}

void lower_view_members(struct lower *lw, struct lower_ptr *ptr, base_loc loc) {
    for (uint32_t i = 0; i < ptr->count; i++) {
        struct lower_place *place = &ptr->targets[i];
        const struct lower_object *object = place->object;
        if (!object || !object->numbers || place->movable || place->flat || lower_is_view(place)) continue;
        if (!front_is_arithmetic(place->type) || place->leaf_count != 1 || place->n != object->outer) continue;
        see_number(lw, place, loc);
        place->movable = true;
        place->walked = 0;
    }
}

void lower_view_both(struct lower *lw, struct lower_place *a, struct lower_place *b, base_loc loc) {
    if (a->object != b->object || !a->object || lower_is_view(a) == lower_is_view(b)) return;
    see_number(lw, lower_is_view(a) ? b : a, loc);
}
