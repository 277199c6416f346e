#include "pass/analysis/array_uses.h"

static void use(struct pass_uses *x, ir_array a, uint32_t first, uint32_t n) {
    x->all[a]++;
    for (uint32_t d = 0; d < n && d < IR_MAX_DIMS; d++) {
        const struct ir_node *index = &x->u->nodes[x->u->args[first + d]];
        x->exact[a * IR_MAX_DIMS + d] += x->var && index->op == IR_VAR && index->a == x->var;
    }
}
static bool use_node(void *user, ir_expr e) {
    struct pass_uses *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) use(x, n->a, n->b, n->n);
    return true;
}
static void use_written(struct pass_uses *x, ir_array a, uint32_t first, uint32_t n) {
    x->stores[a]++;
    use(x, a, first, n);
}
static bool use_stmt(void *user, ir_stmt s) {
    struct pass_uses *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) use_written(x, n->store.array, n->store.indices, n->store.index_count);
    if (n->kind == IR_ATOMIC) use_written(x, n->atomic.array, n->atomic.indices, n->atomic.index_count);
    return true;
}
struct pass_uses pass_uses_of(const struct ir_unit *u, ir_stmt block, ir_var var) {
    struct pass_uses x = {.u = u, .var = var};
    x.all = base_alloc_array(u->cx, u->array_count, sizeof *x.all);
    x.stores = base_alloc_array(u->cx, u->array_count, sizeof *x.stores);
    x.exact = base_alloc_array(u->cx, (size_t)u->array_count * IR_MAX_DIMS, sizeof *x.exact);
    struct ir_visitor v = {.on_stmt = use_stmt, .on_node = use_node, .user = &x};
    ir_walk_block(u, block, &v);
    return x;
}
