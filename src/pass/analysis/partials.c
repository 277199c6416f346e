// Partial results of a reduction: a scratch array that one PARFOR fills and one COMBINE reads, and nobody else touches.
#include "pass/passes.h"

static bool on_load(void *user, ir_expr e) {
    struct pass_partials *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) x->uses[n->a] += 2; // never such an array
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct pass_partials *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) x->uses[n->store.array]++;
    if (n->kind == IR_COMBINE) x->uses[n->combine.array]++;
    if (n->kind == IR_ATOMIC) x->uses[n->atomic.array] += 2;
    if (n->kind == IR_STAGE) x->uses[n->stage.from] += 2;
    if (n->kind == IR_TURN) x->uses[n->turn.from] += 2, x->uses[n->turn.to] += 2;
    return true;
}

void pass_partials_find(struct pass_partials *x, const struct ir_unit *u) {
    *x = (struct pass_partials){.u = u, .arrays = u->array_count};
    x->uses = base_alloc_array(u->cx, x->arrays, sizeof *x->uses);
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_load, .user = x};
    ir_walk_block(u, u->root, &visitor);
}

ir_stmt pass_partials_store(const struct pass_partials *x, ir_stmt parfor, ir_stmt combine) {
    const struct ir_unit *u = x->u;
    ir_array a = u->stmts[combine].kind == IR_COMBINE ? u->stmts[combine].combine.array : 0;
    if (!a || a >= x->arrays || x->uses[a] != 2) return 0;
    for (ir_stmt s = u->stmts[parfor].parfor.body; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_STORE && u->stmts[s].store.array == a) return s;
    return 0;
}
