// Removes what nothing reads. Expressions are pure, so an assignment to an unread variable goes whole; arrays that live
// only on the device (LOCAL, SCRATCH) lose their stores when no load is left.
#include "pass/cost.h"
#include "pass/passes.h"

struct liveness {
    const struct ir_unit *u;
    uint32_t *var_reads;
    bool *array_loaded;
};

static bool live_node(void *user, ir_expr e) {
    struct liveness *l = user;
    const struct ir_node *n = &l->u->nodes[e];
    if (n->op == IR_VAR) l->var_reads[n->a]++;
    if (n->op == IR_LOAD) l->array_loaded[n->a] = true;
    return true;
}

static void live_expr(void *user, ir_stmt s, ir_expr e) {
    struct liveness *l = user;
    const struct ir_stmt_node *n = &l->u->stmts[s];
    if (n->kind == IR_ASSIGN && l->u->nodes[e].op != IR_LOAD) {
        // x = f(x) alone does not keep x alive
        uint32_t before = l->var_reads[n->assign.var];
        ir_walk_expr(l->u, e, live_node, l);
        l->var_reads[n->assign.var] = before;
        return;
    }
    ir_walk_expr(l->u, e, live_node, l);
}

static bool live_stmt(void *user, ir_stmt s) {
    struct liveness *l = user;
    const struct ir_stmt_node *n = &l->u->stmts[s];
    if (n->kind == IR_PARFOR)
        for (uint32_t k = 0; k < n->parfor.reduction_count; k++)
            l->var_reads[l->u->reductions[n->parfor.reductions + k].var]++;
    if (n->kind == IR_ATOMIC) l->array_loaded[n->atomic.array] = true;
    if (n->kind == IR_STAGE) l->array_loaded[n->stage.from] = true;
    if (n->kind == IR_TURN) l->array_loaded[n->turn.from] = true;
    if (n->kind == IR_COMBINE) {
        l->var_reads[n->combine.var]++;
        l->array_loaded[n->combine.array] = true;
    }
    return true;
}

static bool removable(const struct liveness *l, const struct ir_stmt_node *n) {
    switch (n->kind) {
    case IR_NOP: return n->nop.mark != IR_MARK_MEET;
    case IR_AGREE:
    case IR_NEIGHBOUR:
    case IR_ASSIGN: return l->var_reads[ir_written_var(n)] == 0;
    case IR_STORE: {
        uint8_t klass = l->u->arrays[n->store.array].klass;
        return (klass == IR_ARRAY_LOCAL || klass == IR_ARRAY_SCRATCH) && !l->array_loaded[n->store.array];
    }
    case IR_IF: return !n->branch.then_block && !n->branch.else_block;
    case IR_FOR: return !n->counted.body;
    case IR_PARFOR: return !n->parfor.body && n->parfor.reduction_count == 0;
    default: return false;
    }
}

static ir_stmt sweep(struct ir_unit *u, const struct liveness *l, ir_stmt block, bool *changed) {
    ir_stmt head = 0, tail = 0;
    for (ir_stmt s = block, next; s; s = next) {
        struct ir_stmt_node *n = &u->stmts[s];
        next = n->next;
        if (n->kind == IR_IF) {
            n->branch.then_block = sweep(u, l, n->branch.then_block, changed);
            n->branch.else_block = sweep(u, l, n->branch.else_block, changed);
        } else if (n->kind == IR_FOR || n->kind == IR_PARFOR) {
            ir_set_body(n, sweep(u, l, ir_body_of(n), changed));
        } else if (n->kind == IR_LOOP) {
            n->loop.body = sweep(u, l, n->loop.body, changed);
            n->loop.continuing = sweep(u, l, n->loop.continuing, changed);
        }
        if (n->kind == IR_ATOMIC && n->atomic.old && l->var_reads[n->atomic.old] == 0)
            n->atomic.old = 0; // nobody wants the old value
        if (removable(l, n)) {
            *changed = true;
            continue;
        }
        n->next = 0;
        if (tail)
            u->stmts[tail].next = s;
        else
            head = s;
        tail = s;
    }
    return head;
}

void pass_remove_dead(struct ir_unit *u) {
    for (int round = 0; round < PASS_DEAD_ROUNDS; round++) {
        struct liveness l = {.u = u};
        l.var_reads = base_alloc_array(u->cx, u->var_count, sizeof *l.var_reads);
        l.array_loaded = base_alloc_array(u->cx, u->array_count, sizeof *l.array_loaded);
        struct ir_visitor v = {.on_stmt = live_stmt, .on_expr = live_expr, .user = &l};
        ir_walk_block(u, u->root, &v);
        bool changed = false;
        u->root = sweep(u, &l, u->root, &changed);
        if (!changed) return;
    }
}
