// Objects: what declarations become. A type is split into leaves; a leaf gets its variable or array when it is first
// used.
#include <string.h>

#include "front/lower/lower.h"

bool lower_type_is_const(const struct front_type *type) {
    for (; type; type = type->base) {
        if (type->quals & FRONT_CONST) return true;
        if (type->kind != FRONT_ARRAY) return false;
    }
    return false;
}

uint32_t lower_leaf_count(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY)
        type = type->base;
    if (type->kind != FRONT_STRUCT) return 1;
    if (type->record->is_union) return 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->record->count; i++)
        count += lower_leaf_count(type->record->fields[i].type);
    return count;
}

// ---- leaves ---------------------------------------------------------------------------------------------------------

struct leaf_list {
    struct lower *lw;
    struct lower_leaf *items;
    uint32_t count;
};

static void add_leaves(struct leaf_list *list, struct front_type *type, struct lower_leaf so_far, base_loc loc) {
    struct base_cx *cx = list->lw->cx;
    while (type->kind == FRONT_ARRAY) {
        if (type->length_expr || type->unsized)
            base_unsupported(cx, loc, "an array member without a size is not supported: make it an array of its own");
        if (so_far.ndims == IR_MAX_DIMS)
            base_unsupported(cx, loc, "a field has more than %d dimensions; " LOWER_JOIN_DIMS, IR_MAX_DIMS);
        so_far.dims[so_far.ndims] = type->length;
        so_far.strides[so_far.ndims++] = front_type_size(type->base);
        type = type->base;
    }
    if (type->kind != FRONT_STRUCT) {
        so_far.type = type;
        list->items[list->count++] = so_far;
        return;
    }
    if (type->record->is_union) { // its bits
        so_far.is_union = true;
        so_far.type = base_alloc(cx, sizeof *so_far.type);
        so_far.type->kind = FRONT_U32;
        list->items[list->count++] = so_far;
        return;
    }
    for (uint32_t i = 0; i < type->record->count; i++) {
        const struct front_field *field = &type->record->fields[i];
        struct lower_leaf leaf = so_far;
        uint64_t bytes = leaf.byte + field->offset_bytes;
        leaf.word += bytes / 4;
        leaf.byte = (uint8_t)(bytes % 4);
        leaf.is_half = front_is_pair(type);
        if (front_is_pair(type))
            leaf.name = i ? base_format(cx, "%s.lo", so_far.name) : so_far.name;
        else if (field->name && *field->name)
            leaf.name = base_format(cx, "%s.%s", so_far.name, field->name);
        add_leaves(list, field->type, leaf, field->loc);
    }
}

const struct lower_leaf *lower_leaves(struct lower *lw, struct front_type *type, uint32_t *out_count) {
    struct leaf_list list = {lw, NULL, 0};
    list.items = base_alloc_array(lw->cx, lower_leaf_count(type) + 1, sizeof *list.items);
    add_leaves(&list, type, (struct lower_leaf){.name = ""}, 0);
    *out_count = list.count;
    return list.items;
}

// ---- idents ---------------------------------------------------------------------------------------------------------

static uint64_t mix(uint64_t chain, const void *key) {
    uint64_t h = chain ^ ((uint64_t)(uintptr_t)key * 0x9E3779B97F4A7C15ull);
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    return h ^ (h >> 32);
}

struct lower_ident *lower_ident_of(struct lower *lw, const void *key) {
    uint64_t chain = lw->frame ? lw->frame->chain : 0;
    if (lw->ident_count >= lw->ident_mask) {
        uint32_t size = lw->ident_mask ? (lw->ident_mask + 1) * 2 : 256;
        struct lower_ident **table = base_alloc_array(lw->cx, size, sizeof(struct lower_ident *));
        for (uint32_t i = 0; lw->ident_mask && i <= lw->ident_mask; i++)
            for (struct lower_ident *x = lw->idents[i], *next; x; x = next) {
                next = x->hash_next;
                uint32_t at = (uint32_t)mix(x->chain, x->key) & (size - 1);
                x->hash_next = table[at];
                table[at] = x;
            }
        lw->idents = table;
        lw->ident_mask = size - 1;
    }
    uint32_t at = (uint32_t)mix(chain, key) & lw->ident_mask;
    for (struct lower_ident *x = lw->idents[at]; x; x = x->hash_next)
        if (x->chain == chain && x->key == key) return x;
    struct lower_ident *x = base_alloc(lw->cx, sizeof *x);
    x->chain = chain;
    x->key = key;
    x->hash_next = lw->idents[at];
    lw->idents[at] = x;
    lw->ident_count++;
    return x;
}

// ---- creation -------------------------------------------------------------------------------------------------------

static bool is_uniform(const struct lower *lw, ir_expr e) {
    const struct ir_node *n = &lw->u->nodes[e];
    return n->op == IR_VAR && lw->u->vars[n->a].klass == IR_VAR_PARAM && !lw->in_parfor;
}

static ir_expr dimension(struct lower *lw, struct front_type *array, const char *name, base_loc loc) {
    if (array->unsized) base_fatal(lw->cx, loc, "the size of '%s' is not known", name);
    if (!array->length_expr) {
        if (array->length > INT32_MAX) base_fatal(lw->cx, loc, "'%s' is too large", name);
        return ir_const_i32(lw->u, (int32_t)array->length);
    }
    const struct front_node *length = array->length_expr; // by its low word it might be a small one
    while (length->kind == FRONT_CAST)
        length = length->a;
    if (length->kind == FRONT_VAR && lower_is_wide(length->type) &&
        lower_is_words(lw, lower_scalar(lw, (struct front_node *)(uintptr_t)length)))
        base_fatal(lw->cx, array->length_expr->loc, "'%s' would have more than 2^31 elements", name);
    ir_expr size = lower_as(lw, lower_int_of(lw, array->length_expr), IR_I32, array->length_expr->loc);
    int64_t value;
    if (lower_const_int(lw, size, &value)) {
        if (value <= 0)
            base_fatal(lw->cx, array->length_expr->loc,
                       "'%s' would have a size of %lld: arrays have at least one element, so the scalars that its "
                       "length is made of have to be larger",
                       name, (long long)value);
    } else if (is_uniform(lw, size)) { // an array of that size exists, so it is at least 1
        struct lower_range r = lower_range_of(lw, size);
        lower_set_range(lw, lw->u->nodes[size].a, (struct lower_range){r.lo < 1 ? 1 : r.lo, r.hi});
        lw->node_done[size] = 0;
    } else if (!lower_is_entry_constant(lw, size)) {
        base_unsupported(lw->cx, array->length_expr->loc,
                         "the size of '%s' must follow from the entry function's parameters alone", name);
    } else if (lw->in_parfor) {
        base_unsupported(
            lw->cx, array->length_expr->loc,
            "the size of an array inside a parallel loop cannot depend on a scalar that is kept dynamic (--uniform)");
    }
    return size;
}

// Storage class and dimensions; variables and arrays are made on first use.
struct lower_object *lower_object_create(struct lower *lw, const char *name, struct front_symbol *symbol,
                                         const void *key, struct front_type *type, base_loc loc) {
    struct lower_object *object = base_alloc(lw->cx, sizeof *object);
    object->ident = lower_ident_of(lw, key);
    object->ident->object = object;
    object->name = name;
    object->symbol = symbol;
    object->type = type;
    object->loc = loc;
    object->is_const = lower_type_is_const(type);
    object->var_class = lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY;
    object->array_class = lw->in_parfor ? IR_ARRAY_LOCAL : IR_ARRAY_SCRATCH;
    bool is_own = lw->in_region && !lw->in_parfor;
    object->region_private = is_own && !lw->in_turn; // of a turn: no other thread is on its way there
    object->of_thread = is_own || lw->in_passes;
    object->pass = lw->pass;
    ir_expr dims[IR_MAX_DIMS];
    while (type->kind == FRONT_ARRAY) {
        if (object->outer == IR_MAX_DIMS)
            base_unsupported(lw->cx, loc, "'%s' has more than %d dimensions; " LOWER_JOIN_DIMS, name, IR_MAX_DIMS);
        dims[object->outer++] = dimension(lw, type, name, loc);
        type = type->base;
    }
    const struct lower_leaf *leaves = lower_leaves(lw, type, &object->count);
    object->slots = base_alloc_array(lw->cx, object->count + 1, sizeof *object->slots);
    for (uint32_t i = 0; i < object->count; i++) {
        struct lower_slot *slot = &object->slots[i];
        const struct lower_leaf *leaf = &leaves[i];
        slot->leaf = leaf;
        slot->type = leaf->type;
        slot->name = *leaf->name ? base_format(lw->cx, "%s%s", name, leaf->name) : name;
        if (object->outer + leaf->ndims > IR_MAX_DIMS)
            base_unsupported(lw->cx, loc,
                             "'%s' has more than %d dimensions, those of the array and of its field; " LOWER_JOIN_DIMS,
                             slot->name, IR_MAX_DIMS);
        memcpy(slot->dims, dims, object->outer * sizeof *dims);
        slot->ndims = object->outer + leaf->ndims;
        double elements = 1;
        for (uint32_t d = 0; d < leaf->ndims; d++)
            slot->dims[object->outer + d] = ir_const_i32(lw->u, (int32_t)leaf->dims[d]);
        bool known = slot->ndims > 0; // sizes of uniform scalars are checked when the plan runs
        for (uint32_t d = 0; d < slot->ndims; d++) {
            int64_t size = 0;
            known &= lower_const_int(lw, slot->dims[d], &size);
            elements *= (double)size;
        }
        if (known && elements > INT32_MAX)
            base_fatal(lw->cx, loc, "'%s' would have more than 2^31 elements", slot->name);
    }
    return object;
}

// `exact`: as C stores it; else as it is computed with, where nobody looks.
static enum whorl_dtype element_kind(struct lower *lw, const struct front_type *type, bool exact, base_loc loc) {
    if (type->kind == FRONT_POINTER)
        base_unsupported(lw->cx, loc, "arrays of pointers are not supported; use an array and an index");
    if (!front_is_arithmetic(type) || type->kind == FRONT_F64)
        base_fatal(lw->cx, loc, "an array cannot have elements of type '%s'", front_type_name(lw->cx, type));
    if (exact && lower_is_wide(type))
        base_unsupported(lw->cx, loc, "arrays of 64-bit integers cannot be passed; use a 32-bit type");
    enum whorl_dtype carrier = base_dtype(front_dtype(type))->carrier;
    if (exact) return front_dtype(type);
    return carrier == WHORL_BOOL ? WHORL_I32 : carrier;
}

enum whorl_dtype lower_elem_of(struct lower *lw, const struct front_type *type, bool scratch, base_loc loc) {
    return element_kind(lw, type, !scratch, loc);
}

// The IR array of a slot: its dimensions, or one row where the array is seen flat.
ir_array lower_slot_array(struct lower *lw, struct lower_object *object, struct lower_slot *slot) {
    if (slot->array) return slot->array;
    bool entry = object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_INOUT;
    enum whorl_dtype elem =
        lower_holds_words(lw, object, slot) ? WHORL_U32 : element_kind(lw, slot->type, entry, object->loc);
    uint32_t n = slot->ndims;
    ir_expr dims[IR_MAX_DIMS];
    memcpy(dims, slot->dims, sizeof dims);
    bool per_thread = lower_is_per_thread(object);
    if (per_thread && n == IR_MAX_DIMS)
        base_unsupported(lw->cx, object->loc,
                         "'%s', one for each thread, can have %d dimensions at most; " LOWER_JOIN_DIMS, slot->name,
                         IR_MAX_DIMS - 1);
    if (n == 0 && !per_thread) dims[n++] = ir_const_i32(lw->u, 1); // a scalar that lives in memory
    if (object->ident->flat) {
        for (uint32_t d = 1; d < n; d++)
            dims[0] = lower_fold2(lw, IR_MUL, dims[0], dims[d], object->loc);
        n = n > 0;
    }
    if (per_thread) {
        memmove(dims + 1, dims, n * sizeof *dims);
        dims[0] = ir_const_i32(lw->u, (int32_t)lw->team);
        n++;
    }
    slot->array = ir_add_array(lw->u, slot->name, elem, (enum ir_array_class)object->array_class, n, dims, object->loc);
    lw->u->arrays[slot->array].of_thread = object->of_thread;
    lw->u->arrays[slot->array].pass = object->pass;
    lw->u->arrays[slot->array].zeroed = object->zeroed;
    return slot->array;
}

ir_var lower_slot_var(struct lower *lw, struct lower_object *object, struct lower_slot *slot) {
    if (slot->var) return slot->var;
    enum ir_type type = lower_holds_words(lw, object, slot) ? IR_U32 : lower_carrier(slot->type);
    slot->var = lower_new_var(lw, slot->name, type, (enum ir_var_class)object->var_class, object->loc);
    lw->var_symbols[slot->var] = object->symbol;
    lw->u->vars[slot->var].named = object->symbol != NULL;
    lw->u->vars[slot->var].shared = object->symbol && !object->of_thread;
    switch (slot->type->kind) {
    case FRONT_I8: lower_set_range(lw, slot->var, (struct lower_range){-128, 127}); break;
    case FRONT_U8: lower_set_range(lw, slot->var, (struct lower_range){0, 255}); break;
    case FRONT_I16: lower_set_range(lw, slot->var, (struct lower_range){-32768, 32767}); break;
    case FRONT_U16: lower_set_range(lw, slot->var, (struct lower_range){0, 65535}); break;
    default: break;
    }
    return slot->var;
}

struct lower_place lower_whole(struct lower_object *object) {
    return (struct lower_place){.object = object, .leaf_count = object->count, .type = object->type};
}

struct lower_ptr *lower_ptr_to(struct lower *lw, struct lower_place place) {
    struct lower_ptr *ptr = base_alloc(lw->cx, sizeof *ptr);
    ptr->targets = base_alloc(lw->cx, sizeof *ptr->targets);
    ptr->targets[0] = place;
    ptr->count = 1;
    return ptr;
}

// A file-scope or static variable, on its first use: a table, or entry-level state that is set before anything runs.
static struct lower_object *static_object(struct lower *lw, struct front_symbol *symbol, base_loc loc) {
    bool in_parfor = lw->in_parfor, in_region = lw->in_region, in_passes = lw->in_passes;
    struct lower_call_frame *frame = lw->frame;
    lw->in_parfor = lw->in_region = lw->in_passes = false;
    lw->frame = NULL;
    bool each = lower_is_threadprivate(symbol);
    struct front_type *type = each ? lower_threadprivate_type(lw, symbol) : symbol->type;
    struct lower_object *object = lower_object_create(lw, symbol->name, symbol, symbol, type, symbol->loc);
    lw->objects[symbol->id] = object;
    static const struct front_inits none;
    if (symbol->is_extern && !symbol->has_init)
        base_fatal(lw->cx, loc, "'%s' is declared extern and defined nowhere", symbol->name);
    bool constant = object->is_const || (!symbol->written && type->kind != FRONT_ARRAY);
    if (!constant || !lower_init_table(lw, object, &symbol->inits)) {
        struct lower_block *before = lower_enter(lw, &lw->prologue);
        const struct front_inits *inits = symbol->has_init ? &symbol->inits : &none;
        if (each)
            lower_init_each(lw, object, inits, symbol->loc);
        else
            lower_init_object(lw, object, inits, symbol->loc);
        lower_leave(lw, before);
    }
    lw->frame = frame;
    lw->in_parfor = in_parfor;
    lw->in_region = in_region;
    lw->in_passes = in_passes;
    return object;
}

struct lower_object *lower_symbol_object(struct lower *lw, struct front_symbol *symbol, base_loc loc) {
    struct lower_object *object = lw->objects[symbol->id];
    if (object) return object;
    if (symbol->kind == FRONT_SYM_GLOBAL || symbol->kind == FRONT_SYM_STATIC) return static_object(lw, symbol, loc);
    // A declaration that control jumped over (into a switch): it lives, without a value.
    object = lower_object_create(lw, symbol->name, symbol, symbol, symbol->type, symbol->loc);
    lw->objects[symbol->id] = object;
    return object;
}
