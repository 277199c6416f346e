// Expressions that are equal as they stand, and statements that touch elements side by side.
#include "ir/ir.h"

bool ir_same_expr(const struct ir_unit *u, ir_expr a, ir_expr b) {
    if (a == b) return true;
    if (!a || !b) return false;
    const struct ir_node *x = &u->nodes[a], *y = &u->nodes[b];
    if (x->op != y->op || x->type != y->type) return false;
    if (x->op == IR_CONST || x->op == IR_VAR) return x->a == y->a;
    if (x->op == IR_LOAD) {
        if (x->a != y->a || x->n != y->n) return false;
        for (uint32_t i = 0; i < x->n; i++)
            if (!ir_same_expr(u, u->args[x->b + i], u->args[y->b + i])) return false;
        return true;
    }
    uint32_t arity = ir_ops[x->op].arity;
    return (arity < 1 || ir_same_expr(u, x->a, y->a)) && (arity < 2 || ir_same_expr(u, x->b, y->b)) &&
           (arity < 3 || ir_same_expr(u, x->c, y->c));
}

// An index as something (0: nothing) plus a constant.
static ir_expr without_constant(const struct ir_unit *u, ir_expr index, uint32_t *out) {
    const struct ir_node *n = &u->nodes[index];
    *out = 0;
    if (ir_is_const(u, index, out)) return 0;
    return n->op == IR_ADD && ir_is_const(u, n->b, out) ? n->a : index;
}

// The second list of indices names the element `distance` after that of the first.
static bool apart(const struct ir_unit *u, uint32_t first, uint32_t second, uint32_t n, uint32_t distance) {
    for (uint32_t i = 0; i + 1 < n; i++)
        if (!ir_same_expr(u, u->args[first + i], u->args[second + i])) return false;
    uint32_t a, b;
    ir_expr x = without_constant(u, u->args[first + n - 1], &a), y = without_constant(u, u->args[second + n - 1], &b);
    return ir_same_expr(u, x, y) && b - a == distance;
}

// The array that a statement of a run touches, with its list of indices.
static bool place_of(const struct ir_unit *u, const struct ir_stmt_node *s, ir_array *array, uint32_t *first,
                     uint32_t *n) {
    const struct ir_node *load = s->kind == IR_ASSIGN ? &u->nodes[s->assign.value] : NULL;
    if (load && load->op != IR_LOAD) return false;
    *array = load ? load->a : s->store.array;
    *first = load ? load->b : s->store.indices;
    *n = load ? load->n : s->store.index_count;
    return load || s->kind == IR_STORE;
}

bool ir_is_run(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *head = &u->stmts[s];
    ir_array array, other;
    uint32_t first, second, n, m, at = 1;
    if (!place_of(u, head, &array, &first, &n)) return false;
    for (ir_stmt t = head->next; at < ir_run_of(head); at++, t = u->stmts[t].next)
        if (!t || u->stmts[t].kind != head->kind || ir_run_of(&u->stmts[t]) ||
            !place_of(u, &u->stmts[t], &other, &second, &m) || other != array || m != n ||
            !apart(u, first, second, n, at))
            return false;
    return ir_run_of(head) > 1;
}

uint32_t ir_divisor(const struct ir_unit *u, ir_expr x) {
    enum { LARGEST = 256 };
    const struct ir_node *n = &u->nodes[x];
    uint32_t a, b;
    switch (n->op) {
    case IR_CONST: return n->a ? (n->a & (0u - n->a)) > LARGEST ? LARGEST : n->a & (0u - n->a) : LARGEST;
    case IR_I2U:
    case IR_U2I: return ir_divisor(u, n->a);
    case IR_MUL: a = ir_divisor(u, n->a) * ir_divisor(u, n->b); return a > LARGEST ? LARGEST : a;
    case IR_ADD:
    case IR_SUB:
        a = ir_divisor(u, n->a);
        b = ir_divisor(u, n->b);
        return a < b ? a : b;
    default: return 1;
    }
}
