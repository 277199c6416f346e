// malloc and calloc at entry level: each call is an array of the program's own, of a size that is known when it is
// compiled, or follows from scalars that --uniform keeps open. The elements' type is that of the pointer which takes
// the memory. free does nothing: the array lives as long as the program.
#include <string.h>

#include "front/lower/lower.h"

// Bytes in 64 bits: a size may be larger than the 32 bits in which lowering computes the program's own integers.
static bool byte_count(struct lower *lw, struct front_node *node, int64_t *out) {
    int64_t a, b;
    switch (node->kind) {
    case FRONT_INT: *out = (int64_t)node->integer; return true;
    case FRONT_CAST:
        if (!front_is_integer(node->type) || !front_is_integer(node->a->type)) break;
        return byte_count(lw, node->a, out);
    case FRONT_BINARY:
        if (!byte_count(lw, node->a, &a) || !byte_count(lw, node->b, &b)) return false;
        if (node->op == FRONT_OP_ADD) return !__builtin_add_overflow(a, b, out);
        if (node->op == FRONT_OP_SUB) return !__builtin_sub_overflow(a, b, out);
        if (node->op == FRONT_OP_MUL) return !__builtin_mul_overflow(a, b, out);
        break;
    default: break;
    }
    return lower_const_int(lw, lower_int_of(lw, node), out);
}

// Of an element, whose own lengths may be scalars of the entry.
static bool element_bytes(struct lower *lw, const struct front_type *type, int64_t *out) {
    int64_t inner, length;
    if (type->kind != FRONT_ARRAY) {
        *out = (int64_t)front_type_size(type);
        return true;
    }
    if (!element_bytes(lw, type->base, &inner)) return false;
    length = (int64_t)type->length;
    if (type->length_expr && !byte_count(lw, type->length_expr, &length)) return false;
    return !__builtin_mul_overflow(inner, length, out);
}

// ---- sizes of scalars that --uniform keeps open ---------------------------------------------------------------------

enum { MOST_FACTORS = 16 };

struct product {
    uint64_t number;
    struct front_node *factors[MOST_FACTORS]; // which only a run knows
    uint32_t count;
};

static bool multiply(struct lower *lw, struct front_node *node, struct product *out) {
    int64_t value;
    while (node->kind == FRONT_CAST && front_is_integer(node->type) && front_is_integer(node->a->type))
        node = node->a;
    if (byte_count(lw, node, &value)) return value > 0 && !__builtin_mul_overflow(out->number, value, &out->number);
    if (node->kind == FRONT_BINARY && node->op == FRONT_OP_MUL)
        return multiply(lw, node->a, out) && multiply(lw, node->b, out);
    if (out->count == MOST_FACTORS || !lower_is_entry_constant(lw, lower_int_of(lw, node))) return false;
    out->factors[out->count++] = node;
    return true;
}

static bool divide(struct product *bytes, const struct product *by) {
    if (!by->number || bytes->number % by->number) return false;
    bytes->number /= by->number;
    for (uint32_t i = 0; i < by->count; i++) {
        uint32_t k = 0;
        while (k < bytes->count && !lower_same(bytes->factors[k], by->factors[i]))
            k++;
        if (k == bytes->count) return false;
        bytes->factors[k] = bytes->factors[--bytes->count];
    }
    return bytes->number <= INT32_MAX;
}

static struct front_node *as_int(struct lower *lw, struct front_node node) {
    struct front_node *out = base_alloc(lw->cx, sizeof *out);
    node.type = front_basic_type(FRONT_I32);
    *out = node;
    return out;
}

// How many elements the bytes are, as an expression of such scalars; NULL: they are no product of the element's size.
static struct front_node *open_length(struct lower *lw, struct front_node *call, const struct front_type *element) {
    struct product bytes = {.number = 1}, size = {.number = 1};
    for (struct front_node *n = call->a; n; n = n->next)
        if (!multiply(lw, n, &bytes)) return NULL;
    for (; element->kind == FRONT_ARRAY; element = element->base) {
        if (element->length_expr ? !multiply(lw, element->length_expr, &size)
                                 : __builtin_mul_overflow(size.number, element->length, &size.number))
            return NULL;
    }
    if (__builtin_mul_overflow(size.number, front_type_size(element), &size.number) || !divide(&bytes, &size))
        return NULL;
    struct front_node *length =
        as_int(lw, (struct front_node){.kind = FRONT_INT, .loc = call->loc, .integer = bytes.number});
    for (uint32_t i = 0; i < bytes.count; i++) {
        struct front_node *factor =
            as_int(lw, (struct front_node){.kind = FRONT_CAST, .loc = call->loc, .a = bytes.factors[i]});
        length = as_int(lw, (struct front_node){
                                .kind = FRONT_BINARY, .op = FRONT_OP_MUL, .loc = call->loc, .a = length, .b = factor});
    }
    return length;
}

// ---- calls ----------------------------------------------------------------------------------------------------------

static void check_place(struct lower *lw, const char *name, base_loc loc) {
    if (lw->in_parfor)
        base_unsupported(lw->cx, loc, "'%s' inside a parallel loop is not supported; declare an array there", name);
    if (lw->in_region && !lw->in_single)
        base_unsupported(lw->cx, loc, "'%s' in a parallel region, by every thread, is not supported; move it in front",
                         name);
    if (lw->loop_depth)
        base_unsupported(lw->cx, loc,
                         "'%s' inside a loop allocates again in every pass, which is not supported; allocate once, in "
                         "front of the loop",
                         name);
}

bool lower_is_allocation(const struct front_node *node) {
    if (node->kind != FRONT_CALL || node->symbol->function) return false;
    return strcmp(node->symbol->name, "malloc") == 0 || strcmp(node->symbol->name, "calloc") == 0;
}

static void set_length(struct lower *lw, struct front_node *call, bool zeroed, struct front_type *array) {
    const char *function = call->symbol->name;
    base_loc loc = call->loc;
    int64_t bytes = 0, each = 1, size = 0;
    if (!byte_count(lw, call->a, &bytes) || (zeroed && !byte_count(lw, call->a->next, &each)) ||
        __builtin_mul_overflow(bytes, each, &bytes) || !element_bytes(lw, array->base, &size)) {
        array->length_expr = open_length(lw, call, array->base);
        if (array->length_expr) return;
        base_unsupported(lw->cx, loc,
                         "the size given to '%s' must be known when the program is compiled: constants and scalars of "
                         "the entry (--uniform ones in a product with the element's size, as in 'n * sizeof(float)')",
                         function);
    }
    if (bytes <= 0)
        base_fatal(lw->cx, loc, "'%s' would take %lld bytes; an array has at least one element", function,
                   (long long)bytes);
    if (size > 0 && bytes / size > INT32_MAX)
        base_fatal(lw->cx, loc, "'%s' would take %lld elements of %lld bytes; an array has at most %d", function,
                   (long long)(bytes / size), (long long)size, INT32_MAX);
    if (size <= 0 || bytes % size)
        base_fatal(lw->cx, loc, "'%s' of %lld bytes is no whole number of elements of %lld bytes", function,
                   (long long)bytes, (long long)size);
    array->length = (uint64_t)(bytes / size);
}

struct lower_ptr *lower_allocate(struct lower *lw, struct front_node *call, struct front_type *to) {
    const char *function = call->symbol->name;
    base_loc loc = call->loc;
    bool zeroed = strcmp(function, "calloc") == 0;
    check_place(lw, function, loc);
    if (to->base->kind == FRONT_VOID)
        base_unsupported(lw->cx, loc, "assign what '%s' gives to a pointer of the elements' type", function);
    if (!call->a || (zeroed && !call->a->next)) base_fatal(lw->cx, loc, "too few arguments for '%s'", function);
    struct front_type *array = base_alloc(lw->cx, sizeof *array);
    array->kind = FRONT_ARRAY;
    array->base = to->base;
    set_length(lw, call, zeroed, array);
    const char *name = lw->allocation_name ? lw->allocation_name : function;
    struct lower_object *object = lower_object_create(lw, name, NULL, call, array, loc);
    object->zeroed = zeroed;
    object->region_private = false;
    object->of_thread = lw->in_region && !lw->in_single;
    return lower_ptr_to(lw, lower_element(lw, lower_whole(object), ir_const_i32(lw->u, 0), loc));
}

struct lower_value lower_free(struct lower *lw, struct front_node *call) {
    check_place(lw, "free", call->loc);
    if (call->a) lower_expr(lw, call->a);
    return (struct lower_value){.type = call->type};
}
