// By how much an index grows from one iteration, or lane, to the next.
#include "ir/ir.h"

bool ir_step(const struct ir_unit *u, ir_expr x, ir_var var, const ir_expr *definition, int64_t *step) {
    const struct ir_node *n = &u->nodes[x];
    int64_t a, b;
    uint32_t bits;
    switch (n->op) {
    case IR_CONST: *step = 0; return true;
    case IR_VAR:
        *step = n->a == var;
        if (n->a == var || u->vars[n->a].klass != IR_VAR_LOCAL) return true;
        return definition && definition[n->a] && ir_step(u, definition[n->a], var, NULL, step);
    case IR_I2U:
    case IR_U2I: return ir_step(u, n->a, var, definition, step);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
        if (!ir_step(u, n->a, var, definition, &a) || !ir_step(u, n->b, var, definition, &b)) return false;
        *step = n->op == IR_ADD ? a + b : a - b;
        if (n->op != IR_MUL) return true;
        *step = 0;
        if (a == 0 && b == 0) return true;
        if (b != 0 && ir_is_const(u, n->a, &bits)) *step = b * (int32_t)bits;
        if (a != 0 && ir_is_const(u, n->b, &bits)) *step = a * (int32_t)bits;
        return *step != 0;
    default: return false;
    }
}
