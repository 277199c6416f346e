// Expressions. Values are pure trees; whatever has a side effect becomes a statement in the current block, before the
// tree that uses it.
#include "front/lower/lower.h"

ir_expr lower_scalar(struct lower *lw, struct front_node *node) {
    ir_expr e = lower_expr(lw, node).e;
    if (e == 0) base_bug(lw->cx, "an expression of type '%s' gave no value", front_type_name(lw->cx, node->type));
    if (lower_is_wide(node->type)) return lower_ir_type_of(lw, e) == IR_BOOL ? lower_as(lw, e, IR_I32, node->loc) : e;
    return lower_as(lw, e, lower_carrier(node->type), node->loc);
}

ir_expr lower_condition(struct lower *lw, struct front_node *node) {
    struct lower_value value = lower_expr(lw, node);
    if (value.ptr) return lower_ptr_compare(lw, FRONT_OP_NE, value.ptr, lower_null(lw), node->loc);
    return lower_as(lw, value.e, IR_BOOL, node->loc);
}

ir_expr lower_int_of(struct lower *lw, struct front_node *node) {
    if (lower_is_wide(node->type)) return lower_low32(lw, node, IR_I32);
    ir_expr e = lower_scalar(lw, node);
    return lower_ir_type_of(lw, e) == IR_BOOL ? lower_as(lw, e, IR_I32, node->loc) : e;
}

// ---- arithmetic -----------------------------------------------------------------------------------------------------

static enum ir_op arith_op(enum front_op op) {
    switch (op) {
    case FRONT_OP_ADD: return IR_ADD;
    case FRONT_OP_SUB: return IR_SUB;
    case FRONT_OP_MUL: return IR_MUL;
    case FRONT_OP_DIV: return IR_DIV;
    case FRONT_OP_REM: return IR_REM;
    case FRONT_OP_SHL: return IR_SHL;
    case FRONT_OP_SHR: return IR_SHR;
    case FRONT_OP_AND: return IR_AND;
    case FRONT_OP_OR: return IR_OR;
    case FRONT_OP_XOR: return IR_XOR;
    case FRONT_OP_EQ: return IR_EQ;
    case FRONT_OP_NE: return IR_NE;
    case FRONT_OP_LT: return IR_LT;
    case FRONT_OP_LE: return IR_LE;
    case FRONT_OP_GT: return IR_GT;
    default: return IR_GE;
    }
}

// a op b in `type`; both operands are in its carrier (a shift's count in any).
ir_expr lower_arith(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                    base_loc loc) {
    int64_t value;
    if ((op == FRONT_OP_DIV || op == FRONT_OP_REM) && front_is_integer(type) && lower_const_int(lw, b, &value) &&
        value == 0) {
        base_unwarn(lw->cx, loc);
        base_error(lw->cx, loc, "division by zero");
        return a;
    }
    bool cut = lower_is_wide(type) && lw->user->int64_as_int32;
    uint32_t bits = cut ? 32 : front_int_bits(type);
    if ((op == FRONT_OP_SHL || op == FRONT_OP_SHR) && lower_const_int(lw, b, &value) &&
        (value < 0 || value >= (int64_t)bits)) {
        base_unwarn(lw->cx, loc);
        base_error(lw->cx, loc, "shift by %lld bits of a type that has %u%s", (long long)value, bits,
                   cut ? " with -fint64=int32" : "");
        return a;
    }
    if (lower_is_wide(type)) return lower_wide_binary(lw, op, a, b, type, loc);
    enum ir_type carrier = lower_carrier(type);
    a = lower_as(lw, a, carrier, loc);
    b = lower_as(lw, b, op == FRONT_OP_SHL || op == FRONT_OP_SHR ? IR_U32 : carrier, loc);
    return lower_fold2(lw, arith_op(op), a, b, loc);
}

static bool is_compare(enum front_op op) { return op >= FRONT_OP_EQ && op <= FRONT_OP_GE; }

static struct lower_value binary(struct lower *lw, struct front_node *node) {
    if (!is_compare((enum front_op)node->op)) {
        ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->b);
        return lower_scalar_value(node->type, lower_arith(lw, (enum front_op)node->op, a, b, node->type, node->loc));
    }
    if (node->a->type->kind == FRONT_POINTER) {
        struct lower_ptr *a = lower_expr(lw, node->a).ptr, *b = lower_expr(lw, node->b).ptr;
        return lower_scalar_value(node->type, lower_ptr_compare(lw, (enum front_op)node->op, a, b, node->loc));
    }
    ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->b);
    enum front_op op = (enum front_op)node->op;
    if (lower_is_wide(node->a->type) && lower_common_type(lw, a, b) == LOWER_WIDE)
        return lower_scalar_value(node->type, lower_words_compare(lw, op, a, b, node->a->type, node->loc));
    if (lower_is_wide(node->a->type))
        lower_common(lw, &a, &b, node->loc);
    else if (lower_ir_type_of(lw, a) == IR_BOOL) { // compares of bools are compares of ints in C; they were promoted
        a = lower_as(lw, a, IR_I32, node->loc);
        b = lower_as(lw, b, IR_I32, node->loc);
    }
    return lower_scalar_value(node->type, lower_fold2(lw, arith_op(op), a, b, node->loc));
}

static struct lower_value unary(struct lower *lw, struct front_node *node) {
    if (node->op == FRONT_OP_NOT)
        return lower_scalar_value(node->type, lower_fold1(lw, IR_NOT, lower_condition(lw, node->a), node->loc));
    ir_expr a = lower_scalar(lw, node->a);
    if (node->op == FRONT_OP_NEG && lower_is_wide(node->type))
        return lower_scalar_value(
            node->type, lower_wide_binary(lw, FRONT_OP_SUB, ir_const_i32(lw->u, 0), a, node->type, node->loc));
    if (lower_is_wide(node->type) && !lw->user->int64_as_int32 &&
        (node->type->kind == FRONT_U64 || lower_ir_type_of(lw, a) != IR_I32))
        return lower_scalar_value(node->type, lower_words_complement(lw, a, node->loc));
    if (node->op == FRONT_OP_NEG && lower_ir_type_of(lw, a) == IR_U32) // NEG is for signed types
        return lower_scalar_value(node->type, lower_fold2(lw, IR_SUB, ir_const(lw->u, IR_U32, 0), a, node->loc));
    return lower_scalar_value(node->type, lower_fold1(lw, node->op == FRONT_OP_NEG ? IR_NEG : IR_BITNOT, a, node->loc));
}

// ---- casts ----------------------------------------------------------------------------------------------------------

static struct lower_ptr *string_table(struct lower *lw, struct front_node *node) {
    struct lower_object *object = lower_object_create(lw, "string", NULL, node, node->type, node->loc);
    object->array_class = IR_ARRAY_TABLE;
    object->region_private = false;
    ir_array array = lower_slot_array(lw, object, &object->slots[0]);
    uint32_t count = node->string_size + 1;
    uint32_t *data = base_alloc_array(lw->cx, count, sizeof *data);
    for (uint32_t i = 0; i < node->string_size; i++)
        data[i] = (uint32_t)(int32_t)(int8_t)node->string[i];
    lw->u->arrays[array].data = data;
    lw->u->arrays[array].data_count = count;
    return lower_ptr_to(lw, lower_whole(object));
}

static struct lower_value decay(struct lower *lw, struct front_node *node) {
    struct lower_ptr *array = node->a->kind == FRONT_STRING ? string_table(lw, node->a) : lower_lvalue(lw, node->a);
    struct lower_ptr *first = base_alloc(lw->cx, sizeof *first);
    *first = *array;
    first->targets = base_alloc_array(lw->cx, array->count + 1, sizeof *first->targets);
    for (uint32_t i = 0; i < array->count; i++) {
        first->targets[i] = array->targets[i];
        if (array->targets[i].object)
            first->targets[i] = lower_element(lw, array->targets[i], ir_const_i32(lw->u, 0), node->loc);
    }
    return lower_pointer_value(node->type, first);
}

#define EXACT_IN_FLOAT (1 << 24)

static struct lower_value cast(struct lower *lw, struct front_node *node) {
    struct front_type *to = node->type, *from = node->a->type;
    if (node->flags & FRONT_FLAG_DECAY) return decay(lw, node);
    if (to->kind == FRONT_VOID) {
        lower_discard(lw, node->a);
        return (struct lower_value){.type = to};
    }
    if (to->kind == FRONT_STRUCT) {
        struct lower_value value = lower_expr(lw, node->a);
        value.type = to;
        return value;
    }
    if (to->kind == FRONT_POINTER) {
        struct front_node *inner = node->a;
        while (inner->kind == FRONT_CAST && inner->type->kind == FRONT_POINTER)
            inner = inner->a;
        if (lower_is_allocation(inner)) return lower_pointer_value(to, lower_allocate(lw, inner, to));
        if (from->kind == FRONT_POINTER)
            return lower_pointer_value(
                to, lower_ptr_cast(lw, lower_expr(lw, node->a).ptr, to, node->flags & FRONT_FLAG_IMPLICIT, node->loc));
        if (node->a->kind == FRONT_INT && node->a->integer == 0) return lower_pointer_value(to, lower_null(lw));
        base_unsupported(lw->cx, node->loc, "an integer cannot become a pointer");
    }
    if (from->kind == FRONT_POINTER) {
        if (to->kind != FRONT_BOOL) base_unsupported(lw->cx, node->loc, "a pointer cannot become a number");
        return lower_scalar_value(to, lower_condition(lw, node->a));
    }
    if (to->kind == FRONT_BOOL) return lower_scalar_value(to, lower_condition(lw, node->a));
    if (lower_is_wide(from) && !lower_is_wide(to) && front_is_integer(to)) {
        ir_expr low = lower_low32(lw, node->a, IR_I32);
        return lower_scalar_value(to, lower_convert(lw, low, &(struct front_type){.kind = FRONT_I32}, to, node->loc));
    }
    ir_expr e = lower_scalar(lw, node->a);
    if (node->flags & FRONT_FLAG_DEMOTED && !lw->user->double_as_float && front_is_integer(from)) {
        struct lower_range r = lower_range_of(lw, e);
        if (r.lo < -EXACT_IN_FLOAT || r.hi > EXACT_IN_FLOAT) {
            base_error(lw->cx, node->loc,
                       "this integer may exceed 2^24, and what C computes in double here is computed in float: cast "
                       "it to float (and write constants with f), or compile with -fdouble=float or -fdouble=pair");
        }
    }
    return lower_scalar_value(to, lower_convert(lw, e, from, to, node->loc));
}

static struct lower_value address_of(struct lower *lw, struct front_node *node) {
    struct lower_ptr *ptr = lower_lvalue(lw, node->a);
    if (node->a->kind == FRONT_MEMBER) lower_view_members(lw, ptr, node->loc);
    return lower_pointer_value(node->type, ptr);
}

// ---- all ------------------------------------------------------------------------------------------------------------

struct lower_value lower_expr(struct lower *lw, struct front_node *node) {
    base_loc loc = node->loc;
    ir_expr e;
    if (node->flags & FRONT_FLAG_LENGTH) lower_check_length(lw, node);
    switch (node->kind) {
    case FRONT_INT:
        if (lower_is_wide(node->type)) {
            int64_t v = (int64_t)node->integer;
            bool fits_signed = v >= INT32_MIN && v <= INT32_MAX, fits_unsigned = v >= 0 && v <= (int64_t)UINT32_MAX;
            if (!lw->user->int64_as_int32 &&
                ((node->type->kind == FRONT_U64 && v < 0) || (!fits_signed && !fits_unsigned)))
                return lower_scalar_value(node->type, lower_words_constant(lw, node->integer, node->type, loc));
            if (lw->user->int64_as_int32 && !fits_signed && !fits_unsigned)
                base_error(lw->cx, loc, "this constant does not fit in 32 bits, which -fint64=int32 computes in");
            return lower_scalar_value(node->type, ir_const(lw->u, fits_signed ? IR_I32 : IR_U32, (uint32_t)v));
        }
        e = ir_const(lw->u, lower_carrier(node->type), (uint32_t)node->integer);
        lw->u->nodes[e].loc = loc; // for messages about indices
        return lower_scalar_value(node->type, e);
    case FRONT_FLOAT: return lower_scalar_value(node->type, ir_const_f32(lw->u, (float)node->real));
    case FRONT_STRING: return (struct lower_value){.type = node->type, .ptr = string_table(lw, node)};
    case FRONT_VAR:
    case FRONT_INDEX:
    case FRONT_DEREF:
    case FRONT_MEMBER:
    case FRONT_COMPOUND: return lower_load(lw, lower_lvalue(lw, node), node->type, loc);
    case FRONT_CAST: return cast(lw, node);
    case FRONT_UNARY: return unary(lw, node);
    case FRONT_BINARY: return binary(lw, node);
    case FRONT_LOGIC: return lower_logic(lw, node);
    case FRONT_COND: return lower_conditional(lw, node);
    case FRONT_ASSIGN: return lower_assign(lw, node, true);
    case FRONT_ASSIGN_OP: return lower_assign_op(lw, node, true);
    case FRONT_CALL: return lower_call(lw, node);
    case FRONT_ADDR: return address_of(lw, node);
    case FRONT_PTR_ADD: {
        struct lower_ptr *ptr = lower_expr(lw, node->a).ptr;
        return lower_pointer_value(node->type,
                                   lower_ptr_add(lw, ptr, lower_int_of(lw, node->b), node->op == FRONT_OP_SUB,
                                                 !(node->a->flags & FRONT_FLAG_DECAY), loc));
    }
    case FRONT_PTR_DIFF: {
        struct lower_ptr *a = lower_expr(lw, node->a).ptr, *b = lower_expr(lw, node->b).ptr;
        return lower_scalar_value(node->type, lower_ptr_diff(lw, a, b, loc));
    }
    case FRONT_COMMA: lower_discard(lw, node->a); return lower_expr(lw, node->b);
    case FRONT_MULHI: {
        ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->b);
        return lower_scalar_value(node->type, lower_fold2(lw, IR_MULHI, a, b, loc));
    }
    default: base_bug(lw->cx, "statement %u where an expression should be", node->kind);
    }
}

void lower_discard(struct lower *lw, struct front_node *node) {
    switch (node->kind) {
    case FRONT_ASSIGN: lower_assign(lw, node, false); break;
    case FRONT_ASSIGN_OP: lower_assign_op(lw, node, false); break;
    case FRONT_COMMA:
        lower_discard(lw, node->a);
        lower_discard(lw, node->b);
        break;
    case FRONT_CAST:
        if (node->type->kind == FRONT_VOID) {
            lower_discard(lw, node->a);
            break;
        }
        lower_expr(lw, node);
        break;
    case FRONT_CALL:
        if (!node->symbol->function && lower_log_call(lw, node, false)) break;
        lower_expr(lw, node);
        break;
    case FRONT_BLOCK: lower_statement(lw, node); break; // of a statement expression
    default: lower_expr(lw, node); break;
    }
}
