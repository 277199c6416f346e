// Variables of type bool as numbers, of which is known what the passes of a long loop make (recurrence.c):
//
//   if (a[i] == '"') quoted = !quoted;  in = letter;      becomes      quoted = 1 - quoted;  in = letter ? 1 : 0;
#include "pass/passes.h"

struct flags {
    struct ir_unit *u;
    uint32_t vars;
    ir_var *number; // by variable, 0: it stays
};

static ir_expr number_node(void *user, ir_expr e) {
    const struct flags *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_VAR || n.a >= x->vars || !x->number[n.a]) return e;
    return ir_op2(x->u, IR_NE, ir_var_read(x->u, x->number[n.a], n.loc), ir_const_i32(x->u, 0), n.loc);
}

void pass_flags_as_numbers(struct ir_unit *u) {
    struct flags x = {.u = u, .vars = u->var_count};
    x.number = base_alloc_array(u->cx, x.vars, sizeof *x.number);
    for (ir_var v = 1; v < x.vars; v++) {
        const struct ir_var_info info = u->vars[v];
        if (info.type == IR_BOOL && info.klass == IR_VAR_LOCAL)
            x.number[v] = ir_add_var(u, info.name, IR_I32, IR_VAR_LOCAL, info.loc);
    }
    for (ir_stmt s = 1; s < u->stmt_count; s++) {
        const struct ir_stmt_node n = u->stmts[s];
        ir_var v = n.kind == IR_ASSIGN ? x.number[n.assign.var] : 0;
        if (!v) continue;
        ir_expr e = n.assign.value, one = ir_const_i32(u, 1);
        const struct ir_node not = u->nodes[e], old = u->nodes[not .a];
        if (not .op == IR_NOT && old.op == IR_VAR && old.a == n.assign.var)
            e = ir_op2(u, IR_SUB, one, ir_var_read(u, v, n.loc), n.loc);
        else
            e = ir_op3(u, IR_SELECT, e, one, ir_const_i32(u, 0), n.loc);
        u->stmts[s].assign.var = v;
        u->stmts[s].assign.value = e;
    }
    if (u->var_count > x.vars) ir_map_block(u, u->root, number_node, &x);
}
