// Loops inside of an iteration change places, so that what they add up is added up innermost:
//
//   for (k) for (j) c[i][j] += a[i][k] * b[k][j];   ->   for (j) for (k) c[i][j] += a[i][k] * b[k][j];
//
// Programs for CPUs have them the first way round, along the rows of caches. The second way j may become a dimension of
// the parallel loop (collapse.c), and c[i][j] a register. The interchange is the literature's (R. Allen, K. Kennedy,
// "Optimizing Compilers for Modern Architectures", 2001, chapter 5); each element gets its terms in the order of C.
//
// The law: passes of the inner loop never touch an element that another one writes, where elements that are written
// stand does not depend on the outer loop, nor do the inner loop's bounds, and no variable goes from pass to pass.
#include "pass/loops/distribute.h"

static struct ir_stmt_node *node_of(const struct distributor *x, ir_stmt s) { return &x->u->stmts[s]; }

// The last statement of the loop's body, a FOR behind nothing but what assigns variables; 0: the body is another.
static ir_stmt inner_of(const struct distributor *x, ir_stmt outer) {
    ir_stmt s = node_of(x, outer)->counted.body;
    while (s && node_of(x, s)->kind == IR_ASSIGN && !node_of(x, s)->flags)
        s = node_of(x, s)->next;
    const struct ir_stmt_node *n = node_of(x, s);
    return s && n->kind == IR_FOR && !n->next && !pass_leaves_loop(x->u, n->counted.body) ? s : 0;
}

// Its value is the same whenever the loop's statements run.
static bool is_steady(const struct distributor *x, ir_expr e, const struct ir_effects *inside) {
    struct ir_effects fx = ir_effects_empty(x->u);
    ir_expr_effects(x->u, e, &fx);
    return !ir_reads_written(&fx, inside);
}

// Elements of what is written stand where neither the outer loop nor a variable of its body has a say, but the inner
// counter.
static bool stands_still(const struct pass_access *a, const struct ir_effects *inside, ir_var inner) {
    for (uint32_t d = 0; d < a->n; d++) {
        if (!a->sub[d].ok) return false;
        for (uint32_t i = 0; i < a->sub[d].n; i++)
            if (a->sub[d].vars[i] != inner && ir_bit(inside->vars_written, a->sub[d].vars[i])) return false;
    }
    return true;
}

// In the scope of the outer loop's body, in front of the inner one.
static bool is_apart(struct distributor *x, ir_stmt inner, const struct ir_effects *inside) {
    struct pass_accesses list = {.with_locals = true};
    ir_var j = node_of(x, inner)->counted.var;
    if (!pass_memory_is_apart(x->sc, inner, NULL, NULL)) return false;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, inner);
    pass_collect(x->sc, node_of(x, inner)->counted.body, &list);
    pass_scope_leave(x->sc, mark);
    for (uint32_t i = 0; i < list.count; i++) {
        const struct pass_access *a = &list.items[i];
        if (node_of(x, a->stmt)->kind == IR_ATOMIC) return false;
        if (ir_bit(inside->arrays_written, a->array) && !stands_still(a, inside, j)) return false;
    }
    return true;
}

static bool may_change_places(struct distributor *x, ir_stmt outer, ir_stmt inner) {
    const struct ir_stmt_node n = *node_of(x, outer), m = *node_of(x, inner);
    struct ir_effects inside = ir_effects_of_one(x->u, outer); // its counter included
    struct ir_reduction list[PASS_SIMD_REDUCTIONS];
    uint32_t count;
    if (!is_steady(x, n.counted.lo, &inside) || !is_steady(x, n.counted.hi, &inside) ||
        !is_steady(x, m.counted.lo, &inside) || !is_steady(x, m.counted.hi, &inside) ||
        !pass_simd_reductions(x->u, n.counted.body, x->reads, list, &count) || count)
        return false;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, outer);
    for (ir_stmt s = n.counted.body; s != inner; s = node_of(x, s)->next)
        pass_scope_assign(x->sc, s);
    bool apart = is_apart(x, inner, &inside);
    pass_scope_leave(x->sc, mark);
    return apart;
}

// Puts one loop's head on the other's body. What stands in front of the inner loop goes into it.
static void change_places(struct distributor *x, ir_stmt outer, ir_stmt inner) {
    struct ir_stmt_node *n = node_of(x, outer), *m = node_of(x, inner);
    const struct ir_stmt_node was = *n, was_inner = *m;
    ir_stmt body = was.counted.body, front = body;
    *n = was_inner;
    n->next = was.next;
    n->counted.body = inner;
    *m = was;
    m->next = 0;
    m->counted.body = was_inner.counted.body;
    if (body == inner) return;
    while (node_of(x, front)->next != inner)
        front = node_of(x, front)->next;
    node_of(x, front)->next = was_inner.counted.body;
    m->counted.body = body;
}

static bool reorder_block(struct distributor *x, ir_stmt block, ir_stmt top);

static bool reorder_loop(struct distributor *x, ir_stmt s, ir_stmt top) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_loop(x->sc, s);
    bool changed = reorder_block(x, node_of(x, s)->counted.body, top ? top : s);
    pass_scope_leave(x->sc, mark);
    ir_stmt inner = inner_of(x, s);
    if (!inner || !may_change_places(x, s, inner)) return changed;
    const struct ir_stmt_node was = *node_of(x, s), was_inner = *node_of(x, inner);
    ir_stmt front = was.counted.body;
    while (front != inner && node_of(x, front)->next != inner)
        front = node_of(x, front)->next;
    change_places(x, s, inner);
    if (distribute_is_product(x, top ? top : s)) {
        base_text_format(x->p->explain, "reorder: the loop at line %u goes into the one at line %u\n",
                         u->cx->locs[was.loc].line, u->cx->locs[was_inner.loc].line);
        return true;
    }
    *node_of(x, s) = was;
    *node_of(x, inner) = was_inner;
    if (front != inner) node_of(x, front)->next = inner;
    return changed;
}

static bool reorder_block(struct distributor *x, ir_stmt block, ir_stmt top) {
    bool changed = false;
    uint32_t mark = pass_scope_enter(x->sc);
    for (ir_stmt s = block; s; s = node_of(x, s)->next) {
        if (node_of(x, s)->kind == IR_ASSIGN) pass_scope_assign(x->sc, s);
        if (node_of(x, s)->kind == IR_FOR) changed |= reorder_loop(x, s, top);
    }
    pass_scope_leave(x->sc, mark);
    return changed;
}

bool distribute_reorder(struct distributor *x) {
    uint32_t mark = pass_scope_enter(x->sc);
    pass_scope_parfor(x->sc, x->parfor);
    bool changed = reorder_block(x, node_of(x, x->parfor)->parfor.body, 0);
    pass_scope_leave(x->sc, mark);
    return changed;
}
