// What an iteration on lanes loads behind its last shared loop, and could load before the first, it does: memory's
// answer then comes while the lanes are busy. A bias or the element of another vector would else be waited for alone,
// at the end of every phase.
//
// Only what the parallel loop does not write is moved, with addresses that are known in front of the loops; and where
// the load might not be made, one that can do no harm (pass_is_safe_anywhere).
#include "pass/cost.h"
#include "pass/passes.h"

struct issuer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    struct ir_effects effects; // of the parallel loop's body
    uint32_t *known;           // bit set: variables that are assigned in front of the loops, and nowhere else
    uint32_t *assigned;        // by variable: assignments in the body
    ir_expr loads[PASS_ISSUE_MOST];
    uint32_t count, total;
    bool conditional;
};

struct address {
    struct issuer *x;
    bool known;
};
static bool on_address(void *user, ir_expr e) {
    struct address *a = user;
    const struct ir_unit *u = a->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LOAD) a->known = false;
    if (n->op == IR_VAR && u->vars[n->a].klass == IR_VAR_LOCAL && !ir_bit(a->x->known, n->a)) a->known = false;
    return a->known;
}

static void consider(struct issuer *x, ir_expr e) {
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    struct address address = {x, true};
    if (!ir_in_buffer(u, n.a) || ir_bit(x->effects.arrays_written, n.a) || x->count == PASS_ISSUE_MOST) return;
    for (uint32_t i = 0; i < x->count; i++)
        if (ir_same_expr(u, x->loads[i], e)) return;
    for (uint32_t i = 0; i < n.n; i++)
        ir_walk_expr(u, u->args[n.b + i], on_address, &address);
    if (!address.known || (x->conditional && !pass_is_safe_anywhere(x->sc, e))) return;
    x->loads[x->count++] = e;
}

// What is computed in any case comes before what a condition decides.
static bool on_node(void *user, ir_expr e) {
    struct issuer *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op == IR_LOAD) {
        consider(x, e);
        return false;
    }
    if (n.op != IR_SELECT && n.op != IR_LAND && n.op != IR_LOR) return true;
    bool before = x->conditional;
    ir_walk_expr(x->u, n.a, on_node, x);
    x->conditional = true;
    ir_walk_expr(x->u, n.b, on_node, x);
    if (n.op == IR_SELECT) ir_walk_expr(x->u, n.c, on_node, x);
    x->conditional = before;
    return false;
}

static void find_loads(struct issuer *x, ir_stmt block) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        bool before = x->conditional;
        if (n.kind == IR_ASSIGN) ir_walk_expr(x->u, n.assign.value, on_node, x);
        if (n.kind == IR_STORE) ir_walk_expr(x->u, n.store.value, on_node, x);
        if (n.kind != IR_IF) continue;
        ir_walk_expr(x->u, n.branch.cond, on_node, x);
        x->conditional = true;
        find_loads(x, n.branch.then_block);
        find_loads(x, n.branch.else_block);
        x->conditional = before;
    }
}

static bool on_assign(void *user, ir_stmt s) {
    struct issuer *x = user;
    ir_var v = ir_written_var(&x->u->stmts[s]);
    if (v) x->assigned[v]++;
    return true;
}

static void issue_in(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct issuer *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    if (!(n.flags & IR_FLAG_LANES) || n.parfor.lane_var) return;
    ir_stmt before = 0, tail = ir_last_shared(u, n.parfor.body); // the last one in front of the first shared loop
    for (ir_stmt s = n.parfor.body; tail && !ir_has_shared(u, s); s = u->stmts[s].next)
        before = s;
    if (!before) return; // without a statement in front there is nothing that a load could follow
    tail = u->stmts[tail].next;
    x->sc = sc;
    x->effects = ir_effects_of(u, n.parfor.body);
    x->known = base_alloc_array(u->cx, u->var_count / 32 + 1, sizeof *x->known);
    x->assigned = base_alloc_array(u->cx, u->var_count, sizeof *x->assigned);
    x->count = 0;
    x->conditional = false;
    ir_walk_stmts(u, n.parfor.body, on_assign, x);
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    for (ir_stmt s = n.parfor.body;; s = u->stmts[s].next) {
        if (u->stmts[s].kind == IR_ASSIGN) {
            ir_var v = u->stmts[s].assign.var;
            pass_scope_assign(sc, s);
            if (x->assigned[v] == 1) x->known[v / 32] |= 1u << v % 32;
        }
        if (s == before) break;
    }
    find_loads(x, tail);
    pass_scope_leave(sc, mark);
    ir_var vars[PASS_ISSUE_MOST];
    for (uint32_t i = 0; i < x->count; i++) {
        const struct ir_node load = u->nodes[x->loads[i]];
        vars[i] = ir_add_var(u, u->arrays[load.a].name, (enum ir_type)load.type, IR_VAR_LOCAL, load.loc);
        ir_stmt first = ir_assign(u, vars[i], x->loads[i], load.loc);
        u->stmts[first].next = u->stmts[before].next;
        u->stmts[before].next = first;
        before = first;
    }
    pass_replace_loads(u, tail, x->loads, vars, x->count);
    x->total += x->count;
}

void pass_issue(struct pass_cx *p) {
    struct issuer x = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, issue_in, &x);
    if (x.total) base_text_format(p->explain, "issue: %u loads are made before the loops that lanes share\n", x.total);
}
