// By how much an index grows from one iteration, or lane, to the next.
#include "ir/ir.h"

enum { DEPTH = 4 }; // definitions that are looked through, one inside of the other

static bool step_of(const struct ir_unit *u, ir_expr x, ir_var var, const ir_expr *definition, int depth,
                    int64_t *step) {
    const struct ir_node *n = &u->nodes[x];
    int64_t a, b;
    uint32_t bits;
    switch (n->op) {
    case IR_CONST: *step = 0; return true;
    case IR_VAR:
        *step = n->a == var;
        if (n->a == var || u->vars[n->a].klass != IR_VAR_LOCAL) return true;
        return definition && definition[n->a] && depth &&
               step_of(u, definition[n->a], var, definition, depth - 1, step);
    case IR_I2U:
    case IR_U2I: return step_of(u, n->a, var, definition, depth, step);
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
        if (!step_of(u, n->a, var, definition, depth, &a) || !step_of(u, n->b, var, definition, depth, &b))
            return false;
        *step = n->op == IR_ADD ? a + b : a - b;
        if (n->op != IR_MUL) return true;
        *step = 0;
        if (a == 0 && b == 0) return true;
        if (b != 0 && ir_is_const(u, n->a, &bits)) *step = b * (int32_t)bits;
        if (a != 0 && ir_is_const(u, n->b, &bits)) *step = a * (int32_t)bits;
        return *step != 0;
    // what is the same for neighbours stays so
    case IR_DIV:
    case IR_REM:
        *step = 0;
        return step_of(u, n->a, var, definition, depth, &a) && step_of(u, n->b, var, definition, depth, &b) && !a && !b;
    default: return false;
    }
}

bool ir_step(const struct ir_unit *u, ir_expr x, ir_var var, const ir_expr *definition, int64_t *step) {
    return step_of(u, x, var, definition, DEPTH, step);
}
