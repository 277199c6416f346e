// A parallel loop's iterations by one number: what loops over blocks of iterations need.
#include "pass/passes.h"

// With another step than 1, the distance between the ends may be more than an int holds, although the count is not.
static ir_expr strided_trips(struct ir_unit *u, ir_expr from, ir_expr to, uint32_t step) {
    bool is_u32 = u->nodes[from].type == IR_U32;
    ir_expr first = is_u32 ? from : ir_op1(u, IR_I2U, from, 0), end = is_u32 ? to : ir_op1(u, IR_I2U, to, 0),
            between = ir_op2(u, IR_SUB, ir_op2(u, IR_SUB, end, first, 0), ir_const(u, IR_U32, 1), 0),
            trips =
                ir_op2(u, IR_ADD, ir_op2(u, IR_DIV, between, ir_const(u, IR_U32, step), 0), ir_const(u, IR_U32, 1), 0);
    return ir_op3(u, IR_SELECT, ir_op2(u, IR_LT, from, to, 0), ir_op1(u, IR_U2I, trips, 0), ir_const_i32(u, 0), 0);
}

ir_expr pass_block_trips(const struct pass_scope *sc, const struct ir_dim *d) {
    struct ir_unit *u = sc->u;
    uint64_t known;
    if (pass_trip_count(sc, d->lo, d->hi, d->step, &known) && known <= INT32_MAX)
        return ir_const_i32(u, (int32_t)known);
    ir_expr from = d->step > 0 ? d->lo : d->hi, to = d->step > 0 ? d->hi : d->lo;
    if (d->step != 1 && d->step != -1)
        return strided_trips(u, from, to, d->step > 0 ? (uint32_t)d->step : 0u - (uint32_t)d->step);
    ir_expr span = ir_op2(u, IR_SUB, to, from, 0);
    if (u->nodes[span].type == IR_U32) span = ir_op1(u, IR_U2I, span, 0);
    return ir_op2(u, IR_MAX, span, ir_const_i32(u, 0), 0);
}

ir_stmt pass_block_indices(const struct pass_scope *sc, const struct ir_stmt_node *n, ir_var k) {
    struct ir_unit *u = sc->u;
    base_loc loc = n->loc;
    ir_stmt out = 0;
    ir_expr rest = ir_var_read(u, k, loc);
    for (uint32_t at = n->parfor.dim_count; at-- > 0;) {
        const struct ir_dim d = u->dims[n->parfor.dims + at];
        ir_expr index = at ? ir_op2(u, IR_REM, rest, pass_block_trips(sc, &d), loc) : rest;
        if (d.step != 1) index = ir_op2(u, IR_MUL, index, ir_const_i32(u, d.step), loc);
        if (u->vars[d.var].type == IR_U32) index = ir_op1(u, IR_I2U, index, loc);
        ir_append(u, &out, ir_assign(u, d.var, ir_op2(u, IR_ADD, index, d.lo, loc), loc));
        if (at) rest = ir_op2(u, IR_DIV, rest, pass_block_trips(sc, &d), loc);
        u->vars[d.var].klass = IR_VAR_LOCAL;
    }
    return out;
}
