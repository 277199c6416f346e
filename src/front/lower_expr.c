// Expressions. Values are pure trees; whatever has a side effect becomes a statement in the current block, before the
// tree that uses it. Where C orders an operand's effects after a decision (&&, ||, ?:) and it has any, the decision
// becomes an IF.
#include "front/lower.h"

static struct lower_value scalar_value(struct front_type *type, ir_expr e) {
    return (struct lower_value){.type = type, .e = e};
}

static struct lower_value pointer_value(struct front_type *type, struct lower_ptr *ptr) {
    return (struct lower_value){.type = type, .ptr = ptr};
}

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

static ir_var temporary(struct lower *lw, const char *name, enum ir_type type, base_loc loc) {
    return lower_new_var(lw, name, type, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
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
        base_error(lw->cx, loc, "division by zero");
        return a;
    }
    bool cut = lower_is_wide(type) && lw->user->int64_as_int32;
    uint32_t bits = cut ? 32 : front_int_bits(type);
    if ((op == FRONT_OP_SHL || op == FRONT_OP_SHR) && lower_const_int(lw, b, &value) &&
        (value < 0 || value >= (int64_t)bits)) {
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
        return scalar_value(node->type, lower_arith(lw, (enum front_op)node->op, a, b, node->type, node->loc));
    }
    if (node->a->type->kind == FRONT_POINTER) {
        struct lower_ptr *a = lower_expr(lw, node->a).ptr, *b = lower_expr(lw, node->b).ptr;
        return scalar_value(node->type, lower_ptr_compare(lw, (enum front_op)node->op, a, b, node->loc));
    }
    ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->b);
    if (lower_is_wide(node->a->type))
        lower_common(lw, &a, &b, node->loc);
    else if (lower_ir_type_of(lw, a) == IR_BOOL) { // compares of bools are compares of ints in C; they were promoted
        a = lower_as(lw, a, IR_I32, node->loc);
        b = lower_as(lw, b, IR_I32, node->loc);
    }
    return scalar_value(node->type, lower_fold2(lw, arith_op((enum front_op)node->op), a, b, node->loc));
}

static struct lower_value unary(struct lower *lw, struct front_node *node) {
    if (node->op == FRONT_OP_NOT)
        return scalar_value(node->type, lower_fold1(lw, IR_NOT, lower_condition(lw, node->a), node->loc));
    ir_expr a = lower_scalar(lw, node->a);
    if (node->op == FRONT_OP_NEG && lower_is_wide(node->type))
        return scalar_value(node->type,
                            lower_wide_binary(lw, FRONT_OP_SUB, ir_const_i32(lw->u, 0), a, node->type, node->loc));
    if (lower_is_wide(node->type) && !lw->user->int64_as_int32 &&
        (node->type->kind == FRONT_U64 || lower_ir_type_of(lw, a) != IR_I32))
        lower_wide_error(lw, node->loc, "the complement of a 64-bit value");
    if (node->op == FRONT_OP_NEG && lower_ir_type_of(lw, a) == IR_U32) // NEG is for signed types
        return scalar_value(node->type, lower_fold2(lw, IR_SUB, ir_const(lw->u, IR_U32, 0), a, node->loc));
    return scalar_value(node->type, lower_fold1(lw, node->op == FRONT_OP_NEG ? IR_NEG : IR_BITNOT, a, node->loc));
}

// ---- decisions ------------------------------------------------------------------------------------------------------

static struct lower_value logic(struct lower *lw, struct front_node *node) {
    bool conjunction = node->op == FRONT_OP_LAND;
    ir_expr a = lower_condition(lw, node->a);
    int64_t known;
    if (lower_const_int(lw, a, &known) && (known != 0) != conjunction) return scalar_value(node->type, a);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    ir_expr b = lower_condition(lw, node->b);
    if (!block.head) {
        lower_leave(lw, before);
        return scalar_value(node->type, lower_fold2(lw, conjunction ? IR_LAND : IR_LOR, a, b, node->loc));
    }
    ir_var var = temporary(lw, "both", IR_BOOL, node->loc);
    lower_emit(lw, ir_assign(lw->u, var, b, node->loc));
    lower_leave(lw, before);
    lower_emit(lw, ir_assign(lw->u, var, lower_bool(lw, !conjunction), node->loc));
    if (!conjunction) a = lower_fold1(lw, IR_NOT, a, node->loc);
    lower_emit(lw, ir_if(lw->u, a, block.head, 0, node->loc));
    return scalar_value(node->type, ir_var_read(lw->u, var, node->loc));
}

static struct lower_value conditional(struct lower *lw, struct front_node *node) {
    ir_expr cond = lower_condition(lw, node->a);
    int64_t known;
    if (lower_const_int(lw, cond, &known)) return lower_expr(lw, known ? node->b : node->c);
    struct lower_block yes = {0, 0}, no = {0, 0};
    struct lower_block *before = lower_enter(lw, &yes);
    struct lower_value b = lower_expr(lw, node->b);
    lower_enter(lw, &no);
    struct lower_value c = lower_expr(lw, node->c);
    lower_leave(lw, before);
    bool pure = !yes.head && !no.head;
    enum front_type_kind kind = (enum front_type_kind)node->type->kind;
    struct lower_value result = {.type = node->type};
    // Read once, a condition needs no variable; then a choice inside a choice stays an expression, too.
    if (!pure || kind == FRONT_POINTER || kind == FRONT_STRUCT) cond = lower_snapshot(lw, cond, node->loc);
    if (pure && kind == FRONT_VOID) return result;
    if (pure && (kind == FRONT_POINTER || kind == FRONT_STRUCT)) {
        result.ptr = lower_ptr_select(lw, cond, b.ptr, c.ptr, node->loc);
        return result;
    }
    if (kind != FRONT_VOID && kind != FRONT_POINTER && kind != FRONT_STRUCT) {
        enum ir_type type = lower_carrier(node->type);
        if (lower_is_wide(node->type))
            type = lower_common(lw, &b.e, &c.e, node->loc);
        else if (lower_ir_type_of(lw, b.e) == IR_BOOL && lower_ir_type_of(lw, c.e) == IR_BOOL)
            type = IR_BOOL;
        lower_enter(lw, &yes);
        b.e = lower_as(lw, b.e, type, node->loc);
        lower_enter(lw, &no);
        c.e = lower_as(lw, c.e, type, node->loc);
        lower_leave(lw, before);
        if (pure) return scalar_value(node->type, lower_fold3(lw, IR_SELECT, cond, b.e, c.e, node->loc));
        ir_var var = temporary(lw, "chosen", type, node->loc);
        lower_enter(lw, &yes);
        lower_emit(lw, ir_assign(lw->u, var, b.e, node->loc));
        lower_enter(lw, &no);
        lower_emit(lw, ir_assign(lw->u, var, c.e, node->loc));
        lower_leave(lw, before);
        result.e = ir_var_read(lw->u, var, node->loc);
    } else if (kind != FRONT_VOID) {
        struct lower_object *object = lower_object_create(lw, "chosen", NULL, node, node->type, node->loc);
        struct lower_place place = lower_whole(object);
        lower_enter(lw, &yes);
        lower_store_place(lw, &place, b, node->loc);
        lower_enter(lw, &no);
        lower_store_place(lw, &place, c, node->loc);
        lower_leave(lw, before);
        result = lower_load(lw, lower_ptr_to(lw, place), node->type, node->loc);
    }
    lower_emit(lw, ir_if(lw->u, cond, yes.head, no.head, node->loc));
    return result;
}

// ---- lvalues --------------------------------------------------------------------------------------------------------

static struct lower_ptr *indexed(struct lower *lw, struct front_node *node) {
    struct lower_ptr *ptr = lower_expr(lw, node->a).ptr;
    bool walked = !(node->a->kind == FRONT_CAST && node->a->flags & FRONT_FLAG_DECAY);
    return lower_ptr_add(lw, ptr, lower_int_of(lw, node->b), false, walked, node->loc);
}

// The place that an element of the pointer's type lies at: after a cast from void * the types must meet again.
static void check_target(struct lower *lw, const struct lower_ptr *ptr, const struct front_type *type, base_loc loc) {
    for (uint32_t i = 0; i < ptr->count; i++)
        if (ptr->targets[i].object && ptr->targets[i].type->kind != type->kind)
            base_unsupported(lw->cx, loc, "memory of type '%s' cannot be used as '%s'",
                             front_type_name(lw->cx, ptr->targets[i].type), front_type_name(lw->cx, type));
}

struct lower_ptr *lower_lvalue(struct lower *lw, struct front_node *node) {
    struct lower_ptr *ptr;
    switch (node->kind) {
    case FRONT_VAR: return lower_ptr_to(lw, lower_whole(lower_symbol_object(lw, node->symbol, node->loc)));
    case FRONT_INDEX: ptr = indexed(lw, node); break;
    case FRONT_DEREF: ptr = lower_expr(lw, node->a).ptr; break;
    case FRONT_MEMBER: {
        struct lower_ptr *whole = lower_expr(lw, node->a).ptr;
        struct lower_ptr *part = base_alloc(lw->cx, sizeof *part);
        *part = *whole;
        part->targets = base_alloc_array(lw->cx, whole->count + 1, sizeof *part->targets);
        for (uint32_t i = 0; i < whole->count; i++) {
            part->targets[i] = whole->targets[i];
            if (whole->targets[i].object) part->targets[i] = lower_member(whole->targets[i], node->field);
        }
        return part;
    }
    case FRONT_COMPOUND: {
        struct lower_object *object = lower_object_create(lw, "literal", NULL, node, node->type, node->loc);
        lower_init_object(lw, object, node->inits, node->loc);
        return lower_ptr_to(lw, lower_whole(object));
    }
    default: return lower_expr(lw, node).ptr; // a struct that a call or ?: gave
    }
    check_target(lw, ptr, node->type, node->loc);
    return ptr;
}

// ---- assignment -----------------------------------------------------------------------------------------------------

static bool is_variable(const struct lower_ptr *ptr) {
    return ptr->count == 1 && ptr->targets[0].n == 0 && ptr->targets[0].object && !ptr->targets[0].object->words;
}

// Where the text of an lvalue begins.
static base_loc start_of(const struct lower *lw, const struct front_node *node) {
    base_loc first = node->loc;
    for (; node; node = node->a) {
        const struct base_position *p = &lw->cx->locs[node->loc], *q = &lw->cx->locs[first];
        if (p->file == q->file && (p->line < q->line || (p->line == q->line && p->col < q->col))) first = node->loc;
        if (node->kind != FRONT_INDEX && node->kind != FRONT_MEMBER && node->kind != FRONT_CAST &&
            node->kind != FRONT_DEREF)
            break;
    }
    return first;
}

static struct lower_value assign(struct lower *lw, struct front_node *node, bool want) {
    struct lower_ptr *to = lower_lvalue(lw, node->a);
    lw->allocation_name = node->a->kind == FRONT_VAR ? node->a->symbol->name : NULL;
    struct lower_value value = lower_expr(lw, node->b);
    value.type = node->a->type;
    if (want && value.e && !is_variable(to)) {
        value.e = lower_is_wide(value.type) ? value.e : lower_as(lw, value.e, lower_carrier(value.type), node->loc);
        value.e = lower_snapshot(lw, value.e, node->loc);
    }
    if (want && value.type->kind == FRONT_POINTER) value.ptr = lower_freeze(lw, value.ptr, node->loc);
    lower_store(lw, to, value, start_of(lw, node->a));
    if (want && (value.type->kind == FRONT_STRUCT || (value.e && is_variable(to))))
        return lower_load(lw, to, node->type, node->loc);
    return value;
}

static struct lower_value assign_op(struct lower *lw, struct front_node *node, bool want) {
    struct lower_ptr *to = lower_lvalue(lw, node->a);
    struct front_type *type = node->a->type;
    bool post = node->flags & FRONT_FLAG_POST;
    if (type->kind == FRONT_POINTER) {
        ir_expr delta = lower_int_of(lw, node->b);
        struct lower_ptr *old = lower_load(lw, to, type, node->loc).ptr;
        if (want) old = lower_freeze(lw, old, node->loc);
        struct lower_ptr *sum = lower_ptr_add(lw, old, delta, node->op == FRONT_OP_SUB, true, node->loc);
        if (want) sum = lower_freeze(lw, sum, node->loc);
        lower_store(lw, to, pointer_value(type, sum), start_of(lw, node->a));
        return pointer_value(node->type, post ? old : sum);
    }
    ir_expr b = lower_scalar(lw, node->b);
    ir_expr old = lower_load(lw, to, type, node->loc).e;
    if (want && post) old = lower_snapshot(lw, old, node->loc);
    ir_expr a = lower_convert(lw, old, type, node->calc, node->loc);
    ir_expr sum = lower_arith(lw, (enum front_op)node->op, a, b, node->calc, node->loc);
    sum = lower_convert(lw, sum, node->calc, type, node->loc);
    if (want && !post && !is_variable(to)) sum = lower_snapshot(lw, sum, node->loc);
    lower_store(lw, to, scalar_value(type, sum), start_of(lw, node->a));
    if (!want) return scalar_value(node->type, sum);
    if (post) return scalar_value(node->type, old);
    return is_variable(to) ? lower_load(lw, to, node->type, node->loc) : scalar_value(node->type, sum);
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
    return pointer_value(node->type, first);
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
        if (lower_is_allocation(inner)) return pointer_value(to, lower_allocate(lw, inner, to));
        if (from->kind == FRONT_POINTER)
            return pointer_value(to, lower_ptr_cast(lw, lower_expr(lw, node->a).ptr, to, node->loc));
        if (node->a->kind == FRONT_INT && node->a->integer == 0) return pointer_value(to, lower_null(lw));
        base_unsupported(lw->cx, node->loc, "an integer cannot become a pointer");
    }
    if (from->kind == FRONT_POINTER) {
        if (to->kind != FRONT_BOOL) base_unsupported(lw->cx, node->loc, "a pointer cannot become a number");
        return scalar_value(to, lower_condition(lw, node->a));
    }
    if (to->kind == FRONT_BOOL) return scalar_value(to, lower_condition(lw, node->a));
    if (lower_is_wide(from) && !lower_is_wide(to) && front_is_integer(to)) {
        ir_expr low = lower_low32(lw, node->a, IR_I32);
        return scalar_value(to, lower_convert(lw, low, &(struct front_type){.kind = FRONT_I32}, to, node->loc));
    }
    ir_expr e = lower_scalar(lw, node->a);
    if (node->flags & FRONT_FLAG_DEMOTED && !lw->user->double_as_float && front_is_integer(from)) {
        struct lower_range r = lower_range_of(lw, e);
        if (r.lo < -EXACT_IN_FLOAT || r.hi > EXACT_IN_FLOAT) {
            base_error(lw->cx, node->loc,
                       "this integer may exceed 2^24 and meets a double constant, which is computed in float here: "
                       "cast it to float and write the constant with f, or compile with -fdouble=float");
        }
    }
    return scalar_value(to, lower_convert(lw, e, from, to, node->loc));
}

// ---- all ------------------------------------------------------------------------------------------------------------

struct lower_value lower_expr(struct lower *lw, struct front_node *node) {
    base_loc loc = node->loc;
    ir_expr e;
    switch (node->kind) {
    case FRONT_INT:
        if (lower_is_wide(node->type)) {
            int64_t v = (int64_t)node->integer;
            bool fits_signed = v >= INT32_MIN && v <= INT32_MAX, fits_unsigned = v >= 0 && v <= (int64_t)UINT32_MAX;
            if (!lw->user->int64_as_int32 &&
                ((node->type->kind == FRONT_U64 && v < 0) || (!fits_signed && !fits_unsigned)))
                lower_wide_error(lw, loc, "this constant");
            if (lw->user->int64_as_int32 && !fits_signed && !fits_unsigned)
                base_error(lw->cx, loc, "this constant does not fit in 32 bits, which -fint64=int32 computes in");
            return scalar_value(node->type, ir_const(lw->u, fits_signed ? IR_I32 : IR_U32, (uint32_t)v));
        }
        e = ir_const(lw->u, lower_carrier(node->type), (uint32_t)node->integer);
        lw->u->nodes[e].loc = loc; // for messages about indices
        return scalar_value(node->type, e);
    case FRONT_FLOAT: return scalar_value(node->type, ir_const_f32(lw->u, (float)node->real));
    case FRONT_STRING: return (struct lower_value){.type = node->type, .ptr = string_table(lw, node)};
    case FRONT_VAR:
    case FRONT_INDEX:
    case FRONT_DEREF:
    case FRONT_MEMBER:
    case FRONT_COMPOUND: return lower_load(lw, lower_lvalue(lw, node), node->type, loc);
    case FRONT_CAST: return cast(lw, node);
    case FRONT_UNARY: return unary(lw, node);
    case FRONT_BINARY: return binary(lw, node);
    case FRONT_LOGIC: return logic(lw, node);
    case FRONT_COND: return conditional(lw, node);
    case FRONT_ASSIGN: return assign(lw, node, true);
    case FRONT_ASSIGN_OP: return assign_op(lw, node, true);
    case FRONT_CALL: return lower_call(lw, node);
    case FRONT_ADDR: return pointer_value(node->type, lower_lvalue(lw, node->a));
    case FRONT_PTR_ADD: {
        struct lower_ptr *ptr = lower_expr(lw, node->a).ptr;
        return pointer_value(node->type, lower_ptr_add(lw, ptr, lower_int_of(lw, node->b), node->op == FRONT_OP_SUB,
                                                       !(node->a->flags & FRONT_FLAG_DECAY), loc));
    }
    case FRONT_PTR_DIFF: {
        struct lower_ptr *a = lower_expr(lw, node->a).ptr, *b = lower_expr(lw, node->b).ptr;
        return scalar_value(node->type, lower_ptr_diff(lw, a, b, loc));
    }
    case FRONT_COMMA: lower_discard(lw, node->a); return lower_expr(lw, node->b);
    case FRONT_MULHI: {
        ir_expr a = lower_scalar(lw, node->a), b = lower_scalar(lw, node->b);
        return scalar_value(node->type, lower_fold2(lw, IR_MULHI, a, b, loc));
    }
    default: base_bug(lw->cx, "statement %u where an expression should be", node->kind);
    }
}

void lower_discard(struct lower *lw, struct front_node *node) {
    switch (node->kind) {
    case FRONT_ASSIGN: assign(lw, node, false); break;
    case FRONT_ASSIGN_OP: assign_op(lw, node, false); break;
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
    default: lower_expr(lw, node); break;
    }
}
