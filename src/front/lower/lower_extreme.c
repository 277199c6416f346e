// What the copies of a reduced variable begin with. In 32 bits the smallest and the largest of a type of 8 or 16 bits
// would begin beyond what the type holds, which shows where the value that is compared is cut when it is kept:
//
//   unsigned char top = 0; ... if (top < x[i]) top = x[i];      no x[i] below 0 is ever kept
//
// Such a loop's iterations bring the variable into its type first; others, which is most, need not.
#include "front/lower/lower_omp.h"

static bool is_narrow_extreme(const struct front_type *type, uint8_t op) {
    return (op == IR_MIN || op == IR_MAX) && front_is_integer(type) && type->kind != FRONT_BOOL &&
           front_int_bits(type) < 32;
}

ir_expr lower_neutral(struct lower *lw, const struct front_type *type, uint8_t op, base_loc loc) {
    enum ir_type carrier = lower_carrier(type);
    if (!is_narrow_extreme(type, op)) return ir_const(lw->u, carrier, ir_identity(op, carrier));
    uint32_t values = UINT32_C(1) << front_int_bits(type), below = front_is_unsigned(type) ? 0 : values / 2;
    return lower_as(lw, ir_const_i32(lw->u, (int32_t)(op == IR_MIN ? values - 1 - below : 0 - below)), carrier, loc);
}

struct cut {
    const struct ir_unit *u;
    ir_var var;
    uint32_t mask, shift; // of the type
    bool found;
};
static bool on_cut(void *user, ir_expr e) {
    struct cut *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t by = 0;
    bool known = (n->op == IR_AND || n->op == IR_SHR) && ir_is_const(x->u, n->b, &by);
    x->found |= known && by == (n->op == IR_AND ? x->mask : x->shift);
    return !x->found;
}
static bool on_kept(void *user, ir_stmt s) {
    struct cut *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ASSIGN && n->assign.var == x->var) ir_walk_expr(x->u, n->assign.value, on_cut, x);
    return !x->found;
}

ir_stmt lower_extremes_begin(struct lower *lw, const struct lower_reduced *list, const struct ir_reduction *irs,
                             uint32_t count, ir_stmt body, base_loc loc) {
    struct ir_unit *u = lw->u;
    for (uint32_t i = 0; i < count; i++) {
        const struct front_type *type = list[i].symbol->type;
        if (!is_narrow_extreme(type, irs[i].op)) continue;
        uint32_t bits = front_int_bits(type);
        struct cut x = {.u = u, .var = list[i].var, .mask = (UINT32_C(1) << bits) - 1, .shift = 32 - bits};
        ir_walk_stmts(u, body, on_kept, &x);
        if (!x.found) continue;
        ir_expr least = lower_neutral(lw, type, irs[i].op, loc); // no folding: the type's range does not hold yet
        ir_expr start = ir_op2(u, irs[i].op == IR_MIN ? IR_MIN : IR_MAX, ir_var_read(u, x.var, loc), least, loc);
        ir_stmt front = ir_assign(u, x.var, start, loc);
        ir_append(u, &front, body);
        body = front;
    }
    return body;
}
