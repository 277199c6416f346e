// Pointers. A pointer variable that is written holds a selector (which of the places it was ever seen to point to) and
// one variable for each index that is not always the same; what those places are is learned while lowering (lower.h).
// An array of pointers holds an array for each of these.
#include <string.h>

#include "front/lower/lower.h"
#include "front/parse/parse.h"

struct lower_ptr *lower_null(struct lower *lw) {
    return lower_ptr_to(lw, (struct lower_place){.object = NULL});
}

static struct lower_ptr *copy_ptr(struct lower *lw, const struct lower_ptr *ptr, uint32_t room) {
    struct lower_ptr *copy = base_alloc(lw->cx, sizeof *copy);
    *copy = *ptr;
    copy->targets = base_alloc_array(lw->cx, ptr->count + room + 1, sizeof *ptr->targets);
    memcpy(copy->targets, ptr->targets, ptr->count * sizeof *ptr->targets);
    return copy;
}

static ir_expr moved(struct lower *lw, ir_expr index, ir_expr delta, bool negative, base_loc loc) {
    int64_t value;
    if (lower_const_int(lw, index, &value) && value == 0 && !negative) return delta;
    if (lower_const_int(lw, delta, &value) && value == 0) return index;
    return lower_fold2(lw, negative ? IR_SUB : IR_ADD, lower_as(lw, index, IR_I32, loc),
                       lower_as(lw, delta, IR_I32, loc), loc);
}

struct lower_ptr *lower_ptr_add(struct lower *lw, struct lower_ptr *ptr, ir_expr delta, bool negative, bool walked,
                                base_loc loc) {
    int64_t value;
    bool zero = lower_const_int(lw, delta, &value) && value == 0;
    struct lower_ptr *sum = copy_ptr(lw, ptr, 0);
    for (uint32_t i = 0; i < sum->count; i++) {
        struct lower_place *place = &sum->targets[i];
        if (!place->object) continue;
        if (!place->movable) {
            if (!zero)
                base_error(lw->cx, loc, "'%s' is not an array: only its element 0 can be reached by a pointer",
                           place->object->slots[place->leaf].name);
            continue;
        }
        ir_expr by = delta;
        if (place->flat) by = lower_fold2(lw, IR_MUL, lower_as(lw, delta, IR_I32, loc), lower_row(lw, place), loc);
        place->idx[place->n - 1] = moved(lw, place->idx[place->n - 1], by, negative, loc);
        if (walked && !zero) place->walked = (uint8_t)place->n;
    }
    return sum;
}

// ---- casts ----------------------------------------------------------------------------------------------------------

static const struct front_type *innermost(const struct front_type *type) {
    while (type->kind == FRONT_ARRAY)
        type = type->base;
    return type;
}

static bool same_kind(const struct front_type *x, const struct front_type *y) {
    return x->kind == y->kind && (x->kind != FRONT_STRUCT || x->record == y->record);
}

// A float that was declared as a double has other bits where the memory comes from.
static bool has_other_bits(const struct front_type *is, const struct front_type *want) {
    return is->kind == FRONT_F32 && want->kind == FRONT_F32 && is->was_double != want->was_double;
}

static uint32_t array_depth(const struct front_type *type) {
    uint32_t depth = 0;
    for (; type->kind == FRONT_ARRAY; type = type->base)
        depth++;
    return depth;
}

// C keeps the length that an array's type had where it was declared. The lowering asks its variables anew, which
// therefore have to be the same. What stands in memory, and what other functions see, may change between.
static bool changes_later(const struct front_node *n) {
    if (n->kind != FRONT_VAR) return n->kind == FRONT_INDEX || n->kind == FRONT_DEREF || n->kind == FRONT_CALL;
    bool is_own = n->symbol->kind == FRONT_SYM_LOCAL || n->symbol->kind == FRONT_SYM_PARAM;
    return n->symbol->written && (!is_own || n->symbol->written_at > n->token);
}

void lower_check_length(struct lower *lw, const struct front_node *n) {
    if (!changes_later(n)) return;
    if (n->kind != FRONT_VAR)
        base_unsupported(lw->cx, n->loc,
                         "the length of an array is read from memory here, which may change: keep it "
                         "in a variable of its own");
    base_unsupported(lw->cx, n->loc,
                     "'%s' is the length of an array, and changes later: use another variable for what it becomes",
                     n->symbol->name);
}

// In a parameter's type, a size may be another parameter, which the call at hand has not yet set.
struct size_query {
    const struct front_node *changing; // a variable, or what is read
    const struct front_function *function;
    bool is_open;
};
static void find_open(void *user, struct front_node **place) {
    struct size_query *q = user;
    const struct front_node *n = *place;
    if (changes_later(n)) q->changing = n;
    bool found = n->kind != FRONT_VAR || n->symbol->kind != FRONT_SYM_PARAM;
    for (uint32_t i = 0; i < q->function->param_count && !found; i++)
        found = q->function->params[i] == n->symbol;
    q->is_open |= !found;
}

// *out: as a number, or 0 and *out_open. `asks`: nothing follows from it, and it need not be known.
static bool length_of(struct lower *lw, struct front_type *array, bool asks, int64_t *out, ir_expr *out_open) {
    struct size_query q = {.function = lw->frame->function};
    *out = (int64_t)array->length;
    if (!array->length_expr) return !array->unsized && *out > 0;
    front_walk(&array->length_expr, find_open, &q);
    if (q.is_open || (q.changing && asks)) return false;
    if (q.changing) lower_check_length(lw, q.changing);
    ir_expr length = lower_int_of(lw, array->length_expr);
    if (lower_const_int(lw, length, out)) return *out > 0;
    *out = 0;
    *out_open = lower_as(lw, length, IR_I32, array->length_expr->loc);
    return true;
}

// Rows of which the run knows how long they are. False: there is no place for it.
static bool flatten_open(struct lower *lw, struct lower_place *place, struct front_type *want, uint32_t depth,
                         base_loc loc) {
    struct front_type *rows[LOWER_FLAT], *type = want;
    ir_expr size = ir_const_i32(lw->u, 1), open;
    int64_t length;
    if (place->n + depth > LOWER_MAX_INDICES) return false;
    for (uint32_t k = 0; k < depth; k++, type = type->base)
        rows[k] = type;
    for (uint32_t k = depth; k-- > 0; place->idx[place->n + k] = size) {
        if (!length_of(lw, rows[k], false, &length, &open) || length > INT32_MAX) return false;
        if (length) open = ir_const_i32(lw->u, (int32_t)length);
        size = lower_fold2(lw, IR_MUL, size, open, loc);
    }
    return true;
}

// Elements in a row are seen as rows of `want`, if its sizes are known.
static bool flatten(struct lower *lw, struct lower_place *place, struct front_type *want, base_loc loc) {
    struct front_type *rows[LOWER_FLAT], *type = want;
    uint32_t depth = array_depth(want);
    ir_expr open;
    int64_t size = 1, length;
    if (!place->movable || !place->n || depth > LOWER_FLAT) return false;
    for (uint32_t k = 0; k < depth; k++, type = type->base)
        rows[k] = type;
    place->is_open = false;
    for (uint32_t k = depth; k-- > 0 && !place->is_open; place->row[k] = (int32_t)size) {
        if (!length_of(lw, rows[k], false, &length, &open) || length > INT32_MAX / size) return false;
        place->is_open = (size *= length) == 0;
    }
    if (place->is_open && !flatten_open(lw, place, want, depth, loc)) return false;
    place->type = want;
    place->flat = (uint8_t)depth;
    return true;
}

// What was seen as rows is seen as `want`: as other rows, or as elements.
static void see_again(struct lower *lw, struct lower_place *place, struct front_type *want, base_loc loc) {
    const struct lower_place was = *place;
    uint32_t need = array_depth(want);
    for (; place->flat; place->flat--)
        place->type = place->type->base;
    if (!need || flatten(lw, place, want, loc)) return;
    if (was.flat != need)
        base_unsupported(lw->cx, loc, "a row of elements cannot be seen as an array of more dimensions");
    *place = was; // a parameter, whose sizes C wants to be those
}

// Rows of an array that are seen as rows have to be as long. Where a cast is not the program's own, C says so.
static void check_rows(struct lower *lw, const struct lower_place *place, struct front_type *want, bool is_implicit,
                       base_loc loc) {
    const struct lower_slot *slot = &place->object->slots[place->leaf];
    for (uint32_t k = place->n; !place->flat && want->kind == FRONT_ARRAY && k < slot->ndims; k++, want = want->base) {
        ir_expr open = 0;
        int64_t is, wanted = 0;
        if (want->unsized) continue;
        bool is_known = length_of(lw, want, true, &wanted, &open), is_number = lower_const_int(lw, slot->dims[k], &is);
        if (is_known && wanted && is_number && is != wanted)
            base_unsupported(lw->cx, loc, "rows of %lld elements cannot be seen as rows of %lld", (long long)is,
                             (long long)wanted);
        bool is_same = is_known && (wanted ? is_number : ir_same_expr(lw->u, slot->dims[k], open));
        if (!is_same && !is_implicit)
            base_unsupported(lw->cx, loc, "rows are seen as others, and whether these are as long is not known");
    }
}

static void refuse_view(struct lower *lw, const struct front_type *is, const struct front_type *want, base_loc loc) {
    if (has_other_bits(innermost(is), innermost(want)))
        base_unsupported(lw->cx, loc,
                         "floats cannot be seen as doubles, nor doubles as floats, which -fdouble=float makes the same "
                         "here: they have other bits where they come from; declare both the same");
    bool is_struct = innermost(is)->kind == FRONT_STRUCT && front_is_arithmetic(innermost(want));
    base_unsupported(lw->cx, loc, "a pointer to '%s' cannot be seen as a pointer to '%s'%s",
                     front_type_name(lw->cx, is), front_type_name(lw->cx, want),
                     is_struct ? ": a struct can where all its fields are of that type, nothing lies between them, and "
                                 "the caller passes it"
                               : "");
}

struct lower_ptr *lower_ptr_cast(struct lower *lw, struct lower_ptr *ptr, struct front_type *to, bool is_implicit,
                                 base_loc loc) {
    struct front_type *want = to->base;
    struct lower_ptr *cast = copy_ptr(lw, ptr, 0);
    for (uint32_t i = 0; i < cast->count; i++) {
        struct lower_place *place = &cast->targets[i];
        if (!place->object) continue;
        if (want->kind == FRONT_VOID) {
            if (place->flat) see_again(lw, place, want, loc);
            continue;
        }
        bool is_same = same_kind(innermost(place->type), innermost(want)) &&
                       !has_other_bits(innermost(place->type), innermost(want));
        if (!is_same && !lower_view_cast(lw, place, innermost(want), loc)) refuse_view(lw, place->type, want, loc);
        if (place->flat) {
            see_again(lw, place, want, loc);
            continue;
        }
        uint32_t have = array_depth(place->type), need = array_depth(want);
        if (have < need && (have || !flatten(lw, place, want, loc)))
            base_unsupported(lw->cx, loc, "a row of elements cannot be seen as an array of more dimensions");
        for (; have > need; have--) {
            *place = lower_element(lw, *place, ir_const_i32(lw->u, 0), loc);
            place->walked = (uint8_t)place->n;
        }
        check_rows(lw, place, want, is_implicit, loc);
    }
    return cast;
}

static bool same_rows(const struct lower_place *a, const struct lower_place *b) {
    if (a->flat != b->flat || (a->flat && a->is_open != b->is_open)) return false;
    return a->is_open || memcmp(a->row, b->row, a->flat * sizeof *a->row) == 0;
}

// ---- choosing -------------------------------------------------------------------------------------------------------

static bool same_shape(const struct lower_place *a, const struct lower_place *b) {
    return a->object == b->object && a->leaf == b->leaf && a->leaf_count == b->leaf_count && a->n == b->n &&
           a->movable == b->movable && a->walked == b->walked && same_rows(a, b);
}

static bool same_value(struct lower *lw, ir_expr a, ir_expr b) {
    int64_t x, y;
    return a == b || (lower_const_int(lw, a, &x) && lower_const_int(lw, b, &y) && x == y);
}

struct lower_ptr *lower_ptr_select(struct lower *lw, ir_expr cond, struct lower_ptr *a, struct lower_ptr *b,
                                   base_loc loc) {
    int64_t known;
    if (lower_const_int(lw, cond, &known)) return known ? a : b;
    if (a->count == 0 || b->count == 0) return a->count ? a : b;
    if (a->count == 1 && b->count == 1 && same_shape(&a->targets[0], &b->targets[0])) {
        struct lower_ptr *one = copy_ptr(lw, a, 0);
        for (uint32_t k = 0; k < lower_index_count(&one->targets[0]); k++) {
            ir_expr x = a->targets[0].idx[k], y = b->targets[0].idx[k];
            if (!same_value(lw, x, y))
                one->targets[0].idx[k] =
                    lower_fold3(lw, IR_SELECT, cond, lower_as(lw, x, IR_I32, loc), lower_as(lw, y, IR_I32, loc), loc);
        }
        return one;
    }
    if (a->count + b->count > LOWER_MAX_TARGETS)
        base_unsupported(lw->cx, loc, "a pointer that may point to more than %d places is not supported",
                         LOWER_MAX_TARGETS);
    struct lower_ptr *both = copy_ptr(lw, a, b->count);
    memcpy(both->targets + a->count, b->targets, b->count * sizeof *b->targets);
    both->count = a->count + b->count;
    ir_expr first = a->count > 1 ? a->selector : ir_const_i32(lw->u, 0);
    ir_expr second = ir_const_i32(lw->u, (int32_t)a->count);
    if (b->count > 1) second = lower_fold2(lw, IR_ADD, b->selector, second, loc);
    both->selector = lower_fold3(lw, IR_SELECT, cond, first, second, loc);
    return both;
}

// ---- comparing ------------------------------------------------------------------------------------------------------

// Elements between the array's start and the place, along the dimensions that the place has indices for.
static ir_expr offset_of(struct lower *lw, const struct lower_place *place, base_loc loc) {
    const struct lower_slot *slot = &place->object->slots[place->leaf];
    ir_expr sum = ir_const_i32(lw->u, 0);
    for (uint32_t i = 0; i < place->n; i++) {
        if (i) sum = lower_fold2(lw, IR_MUL, sum, slot->dims[i], loc);
        sum = lower_fold2(lw, IR_ADD, sum, lower_as(lw, place->idx[i], IR_I32, loc), loc);
    }
    return sum;
}

static bool same_row(struct lower *lw, const struct lower_place *a, const struct lower_place *b) {
    if (a->n != b->n || a->n == 0) return false;
    for (uint32_t i = 0; i + 1 < a->n; i++)
        if (!same_value(lw, a->idx[i], b->idx[i])) return false;
    return true;
}

static void offsets(struct lower *lw, const struct lower_place *a, const struct lower_place *b, ir_expr *x, ir_expr *y,
                    base_loc loc) {
    if (same_row(lw, a, b)) {
        *x = lower_as(lw, a->idx[a->n - 1], IR_I32, loc);
        *y = lower_as(lw, b->idx[b->n - 1], IR_I32, loc);
        return;
    }
    *x = offset_of(lw, a, loc);
    *y = offset_of(lw, b, loc);
}

static ir_expr chosen(struct lower *lw, const struct lower_ptr *ptr, uint32_t index, base_loc loc) {
    if (ptr->count < 2) return lower_bool(lw, true);
    return lower_fold2(lw, IR_EQ, ptr->selector, ir_const_i32(lw->u, (int32_t)index), loc);
}

static ir_expr places_equal(struct lower *lw, const struct lower_place *one, const struct lower_place *two,
                            base_loc loc) {
    struct lower_place both[] = {*one, *two}, *a = &both[0], *b = &both[1];
    lower_view_both(lw, a, b, loc);
    if (a->object != b->object || (a->object && a->leaf != b->leaf)) return lower_bool(lw, false);
    if (!a->object) return lower_bool(lw, true);
    ir_expr x, y;
    offsets(lw, a, b, &x, &y, loc);
    return lower_fold2(lw, IR_EQ, x, y, loc);
}

// fn of the two offsets for whichever pair of places in one array is the one at run time; any other pair is undefined
// in C.
static ir_expr pairwise(struct lower *lw, const struct lower_ptr *a, const struct lower_ptr *b, enum ir_op op,
                        base_loc loc) {
    ir_expr result = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count; k++) {
            struct lower_place places[] = {a->targets[i], b->targets[k]}, *p = &places[0], *q = &places[1];
            lower_view_both(lw, p, q, loc);
            if (!p->object || p->object != q->object || p->leaf != q->leaf) continue;
            if (op == IR_SUB && (p->flat || q->flat))
                base_unsupported(lw->cx, loc, "how many rows are between pointers to elements that are seen as rows");
            ir_expr x, y;
            offsets(lw, p, q, &x, &y, loc);
            ir_expr value = lower_fold2(lw, op, x, y, loc);
            ir_expr both = lower_fold2(lw, IR_LAND, chosen(lw, a, i, loc), chosen(lw, b, k, loc), loc);
            result = result ? lower_fold3(lw, IR_SELECT, both, value, result, loc) : value;
        }
    if (!result) {
        base_error(lw->cx, loc, "these pointers do not point into one array");
        return op == IR_SUB ? ir_const_i32(lw->u, 0) : lower_bool(lw, false);
    }
    return result;
}

ir_expr lower_ptr_compare(struct lower *lw, enum front_op op, struct lower_ptr *a, struct lower_ptr *b, base_loc loc) {
    if (op == FRONT_OP_EQ || op == FRONT_OP_NE) {
        ir_expr equal = lower_bool(lw, false);
        for (uint32_t i = 0; i < a->count; i++)
            for (uint32_t k = 0; k < b->count; k++) {
                ir_expr both = lower_fold2(lw, IR_LAND, chosen(lw, a, i, loc), chosen(lw, b, k, loc), loc);
                both = lower_fold2(lw, IR_LAND, both, places_equal(lw, &a->targets[i], &b->targets[k], loc), loc);
                equal = lower_fold2(lw, IR_LOR, equal, both, loc);
            }
        return op == FRONT_OP_EQ ? equal : lower_fold1(lw, IR_NOT, equal, loc);
    }
    enum ir_op ir = op == FRONT_OP_LT ? IR_LT : op == FRONT_OP_LE ? IR_LE : op == FRONT_OP_GT ? IR_GT : IR_GE;
    return pairwise(lw, a, b, ir, loc);
}

ir_expr lower_ptr_diff(struct lower *lw, struct lower_ptr *a, struct lower_ptr *b, base_loc loc) {
    return pairwise(lw, a, b, IR_SUB, loc);
}

// ---- variables ------------------------------------------------------------------------------------------------------

static struct lower_facts *facts_of(struct lower *lw, struct lower_object *object, uint32_t leaf) {
    struct lower_ident *ident = object->ident;
    if (ident->facts_count < object->count) {
        ident->facts = base_alloc_array(lw->cx, object->count, sizeof *ident->facts);
        ident->facts_count = object->count;
    }
    return &ident->facts[leaf];
}

static ir_var own_var(struct lower *lw, struct lower_object *object, ir_var *var, const char *what) {
    if (!*var)
        *var = lower_new_var(lw, base_format(lw->cx, "%s.%s", object->name, what), IR_I32,
                             (enum ir_var_class)object->var_class, object->loc);
    return *var;
}

// Of an array of pointers: what a variable holds for a pointer, as an array of the same dimensions. part 0: the
// selector; from 1 on: positions.
static struct lower_slot *own_part(struct lower *lw, struct lower_slot *slot, uint32_t part) {
    if (!slot->parts) slot->parts = base_alloc_array(lw->cx, LOWER_MAX_INDICES + 1, sizeof *slot->parts);
    if (!slot->parts[part]) {
        struct front_type *number = base_alloc(lw->cx, sizeof *number);
        number->kind = FRONT_I32;
        slot->parts[part] = base_alloc(lw->cx, sizeof *slot->parts[part]);
        *slot->parts[part] = *slot;
        slot->parts[part]->type = number;
        slot->parts[part]->name = base_format(lw->cx, "%s.%s", slot->name, part ? "at" : "which");
    }
    return slot->parts[part];
}

static ir_expr read_part(struct lower *lw, const struct lower_place *place, uint32_t part, base_loc loc) {
    struct lower_object *object = place->object;
    struct lower_slot *slot = &object->slots[place->leaf];
    if (!slot->ndims)
        return ir_var_read(lw->u,
                           part ? own_var(lw, object, &slot->position[part - 1], "at")
                                : own_var(lw, object, &slot->selector, "which"),
                           loc);
    ir_expr idx[IR_MAX_DIMS + 1];
    struct lower_slot *own = own_part(lw, slot, part);
    uint32_t n = lower_part_indices(lw, place, own, idx, loc);
    return ir_load(lw->u, own->array, idx, n, loc);
}

static void refuse_array(struct lower *lw, const struct lower_object *object, base_loc loc) {
    if (object->words || object->array_class == IR_ARRAY_IN || object->array_class == IR_ARRAY_INOUT ||
        object->array_class == IR_ARRAY_TABLE || lower_is_per_thread(object))
        base_unsupported(lw->cx, loc,
                         "this array of pointers is not supported: only one that the program itself fills; use an "
                         "array and an index");
}

struct lower_ptr *lower_slot_pointer(struct lower *lw, const struct lower_place *at, base_loc loc) {
    struct lower_object *object = at->object;
    struct lower_slot *slot = &object->slots[at->leaf];
    if (slot->pointer) return slot->pointer;
    const struct lower_facts *facts = facts_of(lw, object, at->leaf);
    if (slot->ndims && (!facts->count || object->is_const)) refuse_array(lw, object, loc);
    struct lower_ptr *ptr = base_alloc(lw->cx, sizeof *ptr);
    ptr->targets = base_alloc_array(lw->cx, facts->count + 1, sizeof *ptr->targets);
    ptr->count = facts->count;
    for (uint32_t i = 0; i < facts->count; i++) {
        const struct lower_base *base = &facts->bases[i];
        struct lower_place place = base->shape;
        place.object = base->ident ? base->ident->object : NULL; // NULL too where this run has not come to it yet
        for (uint32_t k = 0; place.object && k < lower_index_count(&place); k++)
            place.idx[k] =
                base->varying[k] ? read_part(lw, at, k + 1, loc) : ir_const_i32(lw->u, (int32_t)base->value[k]);
        ptr->targets[i] = place;
    }
    if (ptr->count > 1) ptr->selector = read_part(lw, at, 0, loc);
    return ptr;
}

// The number of the place among those that the variable is known to meet; learns.
static uint32_t find_base(struct lower *lw, struct lower_facts *facts, const struct lower_place *place, base_loc loc) {
    struct lower_ident *ident = place->object ? place->object->ident : NULL;
    struct lower_base *base = NULL;
    uint32_t at = 0;
    for (; at < facts->count && !base; at++) {
        struct lower_base *b = &facts->bases[at];
        if (b->ident == ident &&
            (!ident || (b->shape.leaf == place->leaf && b->shape.leaf_count == place->leaf_count &&
                        same_kind(innermost(b->shape.type), innermost(place->type)) && b->shape.n == place->n &&
                        b->shape.movable == place->movable && same_rows(&b->shape, place))))
            base = b;
    }
    bool fresh = base == NULL;
    if (fresh) {
        if (facts->count == LOWER_MAX_TARGETS)
            base_unsupported(lw->cx, loc, "a pointer that may point to more than %d places is not supported",
                             LOWER_MAX_TARGETS);
        BASE_RESERVE(lw->cx, facts->bases, facts->count, facts->cap);
        base = &facts->bases[facts->count++];
        *base = (struct lower_base){.ident = ident, .shape = *place};
        base->shape.object = NULL;
        at = facts->count;
        lw->learned = true;
    } else if (place->walked && !base->shape.walked) {
        base->shape.walked = place->walked;
        lw->learned = true;
    }
    for (uint32_t k = 0; k < lower_index_count(place) && place->object; k++) {
        int64_t value = 0;
        bool constant = lower_const_int(lw, place->idx[k], &value);
        if (fresh && constant) {
            base->value[k] = value;
        } else if (!base->varying[k] && (!constant || value != base->value[k])) {
            base->varying[k] = true;
            lw->learned = true;
        }
    }
    return at - 1;
}

// Sets selector and positions, of a variable or of an element of an array.
static void set_parts(struct lower *lw, const struct lower_place *to, const uint32_t *parts, ir_expr *values,
                      uint32_t n, base_loc loc) {
    struct lower_object *object = to->object;
    struct lower_slot *slot = &object->slots[to->leaf];
    for (uint32_t i = 0; i < n && n > 1; i++) // they may read each other
        values[i] = lower_snapshot(lw, values[i], loc);
    for (uint32_t i = 0; i < n; i++) {
        if (!slot->ndims) {
            ir_var var = parts[i] ? slot->position[parts[i] - 1] : slot->selector;
            lower_emit(lw, ir_assign(lw->u, var, values[i], loc));
            continue;
        }
        ir_expr idx[IR_MAX_DIMS + 1];
        struct lower_slot *own = own_part(lw, slot, parts[i]);
        uint32_t count = lower_part_indices(lw, to, own, idx, loc);
        lower_emit(lw, ir_store(lw->u, own->array, idx, count, lower_as(lw, values[i], IR_I32, loc), loc));
    }
}

void lower_slot_set_pointer(struct lower *lw, const struct lower_place *to, struct lower_ptr *ptr, base_loc loc) {
    struct lower_object *object = to->object;
    struct lower_slot *slot = &object->slots[to->leaf];
    if (slot->ndims) refuse_array(lw, object, loc);
    if (slot->pointer) base_bug(lw->cx, "pointer '%s' is written after all", slot->name);
    if (lw->in_parfor && object->var_class == IR_VAR_ENTRY && !slot->ndims) lower_shared_error(lw, object, loc);
    struct lower_facts *facts = facts_of(lw, object, to->leaf);
    ir_expr selector = 0, position[LOWER_MAX_INDICES] = {0};
    for (uint32_t i = ptr->count; i-- > 0;) {
        const struct lower_place *place = &ptr->targets[i];
        uint32_t number = find_base(lw, facts, place, loc);
        ir_expr this_one = ptr->count > 1 ? chosen(lw, ptr, i, loc) : 0;
        ir_expr value = ir_const_i32(lw->u, (int32_t)number);
        selector = selector ? lower_fold3(lw, IR_SELECT, this_one, value, selector, loc) : value;
        for (uint32_t k = 0; k < lower_index_count(place) && place->object; k++) {
            if (!facts->bases[number].varying[k]) continue;
            ir_expr at = lower_as(lw, place->idx[k], IR_I32, loc);
            position[k] = position[k] ? lower_fold3(lw, IR_SELECT, this_one, at, position[k], loc) : at;
        }
    }
    uint32_t parts[LOWER_MAX_INDICES + 1], n = 0;
    ir_expr values[LOWER_MAX_INDICES + 1];
    if (facts->count > 1 && selector) {
        if (!slot->ndims) own_var(lw, object, &slot->selector, "which");
        parts[n] = 0;
        values[n++] = selector;
    }
    for (uint32_t k = 0; k < LOWER_MAX_INDICES; k++) {
        if (!position[k]) continue;
        if (!slot->ndims) {
            ir_var var = own_var(lw, object, &slot->position[k], "at");
            const struct ir_node *node = &lw->u->nodes[position[k]];
            if (node->op == IR_VAR && node->a == var) continue; // stays where it is
        }
        parts[n] = k + 1;
        values[n++] = position[k];
    }
    set_parts(lw, to, parts, values, n, loc);
}
