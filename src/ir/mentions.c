// Which variables an expression reads.
#include "ir/ir.h"

struct mention {
    const struct ir_unit *u;
    const uint32_t *vars; // a bit each; NULL: the one
    ir_var var;
    bool found;
};
static bool on_node(void *user, ir_expr e) {
    struct mention *m = user;
    const struct ir_node *n = &m->u->nodes[e];
    m->found |= n->op == IR_VAR && (m->vars ? ir_bit(m->vars, n->a) : n->a == m->var);
    return !m->found;
}

bool ir_mentions(const struct ir_unit *u, ir_expr e, ir_var v) {
    struct mention m = {.u = u, .var = v};
    ir_walk_expr(u, e, on_node, &m);
    return m.found;
}

bool ir_mentions_any(const struct ir_unit *u, ir_expr e, const uint32_t *vars) {
    struct mention m = {.u = u, .vars = vars};
    ir_walk_expr(u, e, on_node, &m);
    return m.found;
}
