// What LOCAL variables are made of, for those who look through them (ir_step).
#include "ir/ir.h"

struct finder {
    const struct ir_unit *u;
    ir_expr *definition;
    bool counters;
};

static bool on_written(void *user, ir_stmt s) {
    struct finder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_var v = ir_written_var(n);
    if (!v || x->u->vars[v].klass != IR_VAR_LOCAL) return true;
    ir_expr value = n->kind == IR_ASSIGN ? n->assign.value : n->kind == IR_FOR && x->counters ? n->counted.lo : 0;
    x->definition[v] = value && !x->definition[v] ? value : UINT32_MAX;
    return true;
}

ir_expr *ir_definitions(const struct ir_unit *u, ir_stmt block, bool counters) {
    struct finder x = {u, base_alloc_array(u->cx, u->var_count, sizeof *x.definition), counters};
    ir_walk_stmts(u, block, on_written, &x);
    for (ir_var v = 1; v < u->var_count; v++)
        if (x.definition[v] == UINT32_MAX) x.definition[v] = 0;
    return x.definition;
}
