// Decisions inside expressions: &&, || and ?:. Where C orders an operand's effects after the decision and it has any,
// the decision becomes an IF; where it has none, an operation of a tree.
#include "front/lower/lower.h"

static ir_var temporary(struct lower *lw, const char *name, enum ir_type type, base_loc loc) {
    return lower_new_var(lw, name, type, lw->in_parfor ? IR_VAR_LOCAL : IR_VAR_ENTRY, loc);
}

struct lower_value lower_logic(struct lower *lw, struct front_node *node) {
    bool conjunction = node->op == FRONT_OP_LAND;
    ir_expr a = lower_condition(lw, node->a);
    int64_t known;
    if (lower_const_int(lw, a, &known) && (known != 0) != conjunction) return lower_scalar_value(node->type, a);
    struct lower_block block = {0, 0};
    struct lower_block *before = lower_enter(lw, &block);
    ir_expr b = lower_condition(lw, node->b);
    if (!block.head) {
        lower_leave(lw, before);
        return lower_scalar_value(node->type, lower_fold2(lw, conjunction ? IR_LAND : IR_LOR, a, b, node->loc));
    }
    ir_var var = temporary(lw, "both", IR_BOOL, node->loc);
    lower_emit(lw, ir_assign(lw->u, var, b, node->loc));
    lower_leave(lw, before);
    lower_emit(lw, ir_assign(lw->u, var, lower_bool(lw, !conjunction), node->loc));
    if (!conjunction) a = lower_fold1(lw, IR_NOT, a, node->loc);
    lower_emit(lw, ir_if(lw->u, a, block.head, 0, node->loc));
    return lower_scalar_value(node->type, ir_var_read(lw->u, var, node->loc));
}

// What either block leaves.
static ir_expr choose(struct lower *lw, enum ir_type type, struct lower_block *yes, ir_expr b, struct lower_block *no,
                      ir_expr c, base_loc loc) {
    if (type == LOWER_WIDE) {
        struct lower_words x = lower_words_of(lw, b, loc), y = lower_words_of(lw, c, loc), w;
        w.lo = choose(lw, IR_U32, yes, x.lo, no, y.lo, loc);
        w.hi = choose(lw, IR_U32, yes, x.hi, no, y.hi, loc);
        return lower_words_node(lw, w, loc);
    }
    ir_var var = temporary(lw, "chosen", type, loc);
    struct lower_block *before = lower_enter(lw, yes);
    lower_emit(lw, ir_assign(lw->u, var, b, loc));
    lower_enter(lw, no);
    lower_emit(lw, ir_assign(lw->u, var, c, loc));
    lower_leave(lw, before);
    return ir_var_read(lw->u, var, loc);
}

struct lower_value lower_conditional(struct lower *lw, struct front_node *node) {
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
            type = lower_common_type(lw, b.e, c.e);
        else if (lower_ir_type_of(lw, b.e) == IR_BOOL && lower_ir_type_of(lw, c.e) == IR_BOOL)
            type = IR_BOOL;
        lower_enter(lw, &yes);
        b.e = lower_as(lw, b.e, type, node->loc);
        lower_enter(lw, &no);
        c.e = lower_as(lw, c.e, type, node->loc);
        lower_leave(lw, before);
        pure = !yes.head && !no.head;
        if (!pure) cond = lower_snapshot(lw, cond, node->loc);
        if (pure) return lower_scalar_value(node->type, lower_fold3(lw, IR_SELECT, cond, b.e, c.e, node->loc));
        result.e = choose(lw, type, &yes, b.e, &no, c.e, node->loc);
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
