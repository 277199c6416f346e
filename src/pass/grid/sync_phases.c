// The phases of a program in one dispatch: each stretch of the entry level that every invocation reaches together, and
// what it touches.
//
// A PARFOR is a phase, so is each other statement without parallel loops inside, and so is what decides about a loop or
// branch around phases, which everybody reads. Sequential code that reads what it writes cannot run everywhere at once:
// it runs alone.
#include <string.h>

#include "pass/grid/sync.h"

bool pass_is_leaf(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind == IR_PARFOR || n->kind == IR_COMBINE) return true;
    if (n->kind == IR_IF) return !pass_has_parallel(u, n->b) && !pass_has_parallel(u, n->c);
    if (n->kind == IR_FOR) return !pass_has_parallel(u, n->e);
    if (n->kind == IR_LOOP) return !pass_has_parallel(u, n->e) && !pass_has_parallel(u, n->b);
    return true;
}

static bool constant_node(void *user, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } *c = user;
    const struct ir_node *n = &c->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && c->u->vars[n->a].klass != IR_VAR_PARAM)) c->ok = false;
    return c->ok;
}

static bool is_fixed(const struct ir_unit *u, ir_expr e) {
    struct {
        const struct ir_unit *u;
        bool ok;
    } c = {u, true};
    ir_walk_expr(u, e, constant_node, &c);
    return c.ok;
}

static void collect_alone(struct pass_syncer *x, ir_stmt s, struct pass_accesses *out) {
    ir_stmt next = x->u->stmts[s].next;
    x->u->stmts[s].next = 0;
    pass_collect(&x->scope, s, out);
    x->u->stmts[s].next = next;
}

static bool reads_what_it_writes(const struct pass_phase *ph) {
    for (uint32_t i = 0; i < ph->list.count; i++)
        for (uint32_t k = 0; ph->list.items[i].store && k < ph->list.count; k++)
            if (!ph->list.items[k].store && ph->list.items[k].array == ph->list.items[i].array) return true;
    return false;
}

static void add_phase(struct pass_syncer *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    BASE_RESERVE(u->cx, x->phases, x->count, x->cap);
    struct pass_phase *ph = &x->phases[x->count++];
    *ph = (struct pass_phase){.stmt = s};
    x->phase_of[s] = x->count;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind == IR_COMBINE && !n.c) { // its values read like any expression
        collect_alone(x, ir_assign(u, n.combine.var, n.combine.value, n.loc), &ph->list);
        return;
    }
    if (n.kind == IR_COMBINE || n.kind == IR_STAGE) {
        BASE_RESERVE(u->cx, ph->list.items, ph->list.count, ph->list.cap);
        struct pass_affine *somewhere = base_alloc(u->cx, sizeof *somewhere);
        ph->list.items[ph->list.count++] =
            (struct pass_access){.array = n.kind == IR_STAGE ? n.b : n.c, .stmt = s, .n = 1, .sub = somewhere};
        return;
    }
    if (!pass_is_leaf(u, s)) { // the condition or the bounds of what stands around phases: read by everybody
        ir_stmt only = ir_if(u, n.kind == IR_FOR ? ir_op2(u, IR_LT, n.b, n.c, n.loc) : n.a, 0, 0, n.loc);
        if (u->stmts[only].a) collect_alone(x, only, &ph->list);
        return;
    }
    collect_alone(x, s, &ph->list);
    ph->parallel = n.kind == IR_PARFOR;
    if (ph->parallel) {
        pass_space_of(&x->scope, s, &ph->space);
        ph->fixed_bounds = true;
        for (uint32_t d = 0; d < n.n; d++)
            ph->fixed_bounds &= is_fixed(u, u->dims[n.a + d].lo) && is_fixed(u, u->dims[n.a + d].hi);
    } else if (reads_what_it_writes(ph)) {
        ph->solo = true;
    }
}

static void find_phases(struct pass_syncer *x, ir_stmt block) {
    struct pass_scope *sc = &x->scope;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        add_phase(x, s);
        if (n.kind == IR_ASSIGN) pass_scope_assign(sc, s);
        if (pass_is_leaf(x->u, s)) continue;
        uint32_t inner = pass_scope_enter(sc);
        if (n.kind == IR_IF) {
            find_phases(x, n.b);
            find_phases(x, n.c);
        } else {
            pass_scope_loop(sc, s);
            find_phases(x, n.e);
        }
        pass_scope_leave(sc, inner);
    }
    pass_scope_leave(sc, mark);
}

void pass_find_phases(struct pass_syncer *x, struct pass_cx *p) {
    memset(x, 0, sizeof *x);
    x->p = p;
    x->u = p->u;
    pass_scope_init(&x->scope, p->u);
    x->phase_of = base_alloc_array(p->u->cx, p->u->stmt_count, sizeof *x->phase_of);
    find_phases(x, p->u->root);
    x->words = x->count / 32 + 1;
}
