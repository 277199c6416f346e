// Removes what nothing reads. Expressions are pure, so an assignment to an unread variable goes whole; arrays that live
// only on the device (LOCAL, SCRATCH) lose their stores when no load is left.
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
        uint32_t before = l->var_reads[n->a];
        ir_walk_expr(l->u, e, live_node, l);
        l->var_reads[n->a] = before;
        return;
    }
    ir_walk_expr(l->u, e, live_node, l);
}

static bool live_stmt(void *user, ir_stmt s) {
    struct liveness *l = user;
    const struct ir_stmt_node *n = &l->u->stmts[s];
    if (n->kind == IR_PARFOR)
        for (uint32_t k = 0; k < n->c; k++)
            l->var_reads[l->u->reductions[n->b + k].var]++;
    if (n->kind == IR_ATOMIC) l->array_loaded[n->a] = true;
    if (n->kind == IR_COMBINE) {
        l->var_reads[n->a]++;
        l->array_loaded[n->c] = true;
    }
    return true;
}

static bool removable(const struct liveness *l, const struct ir_stmt_node *n) {
    switch (n->kind) {
    case IR_NOP: return true;
    case IR_AGREE:
    case IR_ASSIGN: return l->var_reads[n->a] == 0;
    case IR_STORE: {
        uint8_t klass = l->u->arrays[n->a].klass;
        return (klass == IR_ARRAY_LOCAL || klass == IR_ARRAY_SCRATCH) && !l->array_loaded[n->a];
    }
    case IR_IF: return !n->b && !n->c;
    case IR_FOR: return !n->e;
    case IR_PARFOR: return !n->e && n->c == 0;
    default: return false;
    }
}

static ir_stmt sweep(struct ir_unit *u, const struct liveness *l, ir_stmt block, bool *changed) {
    ir_stmt head = 0, tail = 0;
    for (ir_stmt s = block, next; s; s = next) {
        struct ir_stmt_node *n = &u->stmts[s];
        next = n->next;
        if (n->kind == IR_IF) {
            n->b = sweep(u, l, n->b, changed);
            n->c = sweep(u, l, n->c, changed);
        } else if (n->kind == IR_FOR || n->kind == IR_PARFOR) {
            n->e = sweep(u, l, n->e, changed);
        } else if (n->kind == IR_LOOP) {
            n->e = sweep(u, l, n->e, changed);
            n->b = sweep(u, l, n->b, changed);
        }
        if (n->kind == IR_ATOMIC && n->e && l->var_reads[n->e] == 0) n->e = 0; // nobody wants the old value
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
    for (int round = 0; round < 32; round++) {
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
