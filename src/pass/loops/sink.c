// Uniform scalar code at entry level (`int cur = t & 1;`, a row's base, a day's signal) is computed again by every
// iteration that reads it, as OpenMP's threads would. It then no longer stands between the parallel loops, and needs no
// dispatch of its own.
#include "pass/cost.h"
#include "pass/passes.h"

struct sinker {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    ir_expr *value; // by variable: its single definition while that is in scope and can be repeated anywhere
    uint32_t *size; // by variable with a value: definitions that it takes, each as often as it is named
    bool changed;
};

struct repeatable {
    struct sinker *x;
    bool ok, pure; // pure: no loads at all
    uint32_t size;
};

static bool check_node(void *user, ir_expr e) {
    struct repeatable *r = user;
    const struct ir_unit *u = r->x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_VAR && !pass_scope_stable(r->x->sc, n->a)) r->ok = false;
    if (n->op == IR_VAR && n->a < r->x->sc->var_cap && r->x->value[n->a]) r->size += r->x->size[n->a];
    if (n->op == IR_LOAD) {
        r->pure = false;
        if (u->arrays[n->a].klass != IR_ARRAY_IN && u->arrays[n->a].klass != IR_ARRAY_TABLE) r->ok = false;
    }
    return r->ok;
}

static struct repeatable classify(struct sinker *x, ir_expr e) {
    struct repeatable r = {x, true, true, 1};
    ir_walk_expr(x->u, e, check_node, &r);
    return r;
}

// First entry-level variable with a known value that the block reads; 0: none.
static ir_var find_read(struct sinker *x, ir_stmt block, uint32_t limit) {
    uint32_t *reads = base_alloc_array(x->u->cx, x->u->var_count, sizeof *reads);
    pass_count_reads(x->u, block, reads);
    for (ir_var v = 1; v < limit; v++)
        if (reads[v] && x->value[v]) return v;
    return 0;
}

static void sink_parfor(struct sinker *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    ir_var v;
    while ((v = find_read(x, u->stmts[s].parfor.body, x->sc->var_cap)) != 0) {
        ir_var local = ir_add_var(u, u->vars[v].name, u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
        pass_substitute(u, u->stmts[s].parfor.body, v, ir_var_read(u, local, u->stmts[s].loc));
        ir_stmt set = ir_assign(u, local, x->value[v], u->stmts[s].loc);
        u->stmts[set].next = u->stmts[s].parfor.body;
        u->stmts[s].parfor.body = set;
        x->changed = true;
    }
}

static ir_expr replace_pure(void *user, ir_expr e) {
    struct sinker *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_VAR || n->a >= x->sc->var_cap || !x->value[n->a]) return e;
    struct repeatable r = classify(x, x->value[n->a]);
    if (!r.pure) return e;
    x->changed = true;
    return ir_map_expr(x->u, x->value[n->a], replace_pure, x);
}

static ir_expr sink_bound(struct sinker *x, ir_expr e) { return e ? ir_map_expr(x->u, e, replace_pure, x) : 0; }

static void sink_block(struct sinker *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    uint32_t mark = pass_scope_enter(x->sc);
    ir_var *mine = NULL;
    uint32_t mine_count = 0, mine_cap = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        struct ir_stmt_node n = u->stmts[s];
        switch (n.kind) {
        case IR_ASSIGN:
            pass_scope_assign(x->sc, s);
            if (n.assign.var < x->sc->var_cap && x->sc->in_scope[n.assign.var] &&
                u->vars[n.assign.var].klass == IR_VAR_ENTRY) {
                struct repeatable r = classify(x, n.assign.value);
                if (!r.ok || r.size > PASS_SUNK_DEFINITIONS) break;
                x->value[n.assign.var] = n.assign.value;
                x->size[n.assign.var] = r.size;
                BASE_RESERVE(u->cx, mine, mine_count, mine_cap);
                mine[mine_count++] = n.assign.var;
            }
            break;
        case IR_PARFOR:
            for (uint32_t k = 0; k < n.parfor.dim_count; k++) {
                ir_expr lo = sink_bound(x, u->dims[n.parfor.dims + k].lo),
                        hi = sink_bound(x, u->dims[n.parfor.dims + k].hi);
                u->dims[n.parfor.dims + k].lo = lo;
                u->dims[n.parfor.dims + k].hi = hi;
            }
            sink_parfor(x, s);
            break;
        case IR_IF: {
            ir_expr cond = sink_bound(x, n.branch.cond);
            u->stmts[s].branch.cond = cond;
            sink_block(x, n.branch.then_block);
            sink_block(x, n.branch.else_block);
            break;
        }
        case IR_FOR: {
            ir_expr lo = sink_bound(x, n.counted.lo), hi = sink_bound(x, n.counted.hi);
            u->stmts[s].counted.lo = lo;
            u->stmts[s].counted.hi = hi;
            uint32_t inner = pass_scope_enter(x->sc);
            pass_scope_loop(x->sc, s);
            sink_block(x, n.counted.body);
            pass_scope_leave(x->sc, inner);
            break;
        }
        case IR_LOOP: sink_block(x, n.loop.body); break;
        default: break;
        }
    }
    for (uint32_t i = 0; i < mine_count; i++)
        x->value[mine[i]] = 0;
    pass_scope_leave(x->sc, mark);
}

void pass_sink(struct pass_cx *p) {
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    struct sinker x = {.p = p, .u = p->u, .sc = &sc};
    x.size = base_alloc_array(p->u->cx, p->u->var_count, sizeof *x.size);
    x.value = base_alloc_array(p->u->cx, p->u->var_count, sizeof *x.value);
    sink_block(&x, p->u->root);
    if (x.changed) pass_fold(p);
}
