// Lists that a loop fills: if (keep(a[i])) list[k++] = a[i];
//
// Two passes never store to one element where the index grows with each store: all assignments of k add what is not
// negative, and behind the store, in its block, k has grown. So passes may be made in any order, if each knows its k.
#include "pass/loops/recurrence.h"

// What a block makes of variables, as far as they are `v` where it began, plus a constant.
struct growth {
    const struct recurrence *x;
    bool *known;
    int64_t *by;
};
static bool is_grown(const struct growth *g, ir_expr e, int64_t *by) {
    const struct ir_node *n = &g->x->u->nodes[e];
    uint32_t bits = 0;
    *by = 0;
    if ((n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(g->x->u, n->b, &bits)) {
        *by = n->op == IR_ADD ? (int32_t)bits : -(int64_t)(int32_t)bits;
        n = &g->x->u->nodes[n->a];
    }
    if (n->op != IR_VAR || n->a >= g->x->vars || !g->known[n->a]) return false;
    *by += g->by[n->a];
    return true;
}

static struct growth growth_of(const struct recurrence *x, ir_var v) {
    struct growth g = {.x = x};
    g.known = base_alloc_array(x->u->cx, x->vars, sizeof *g.known);
    g.by = base_alloc_array(x->u->cx, x->vars, sizeof *g.by);
    g.known[v] = true;
    return g;
}

static void set_grown(struct growth *g, ir_var v, ir_expr value) {
    int64_t by;
    g->known[v] = is_grown(g, value, &by);
    g->by[v] = by;
}

// A statement with blocks inside. Where these set v, it has risen by something: all that is known begins here, with v.
static bool pass_over(struct growth *g, ir_stmt s, ir_var v) {
    struct ir_effects fx = ir_effects_of_one(g->x->u, s);
    bool rose = ir_bit(fx.vars_written, v);
    for (ir_var w = 1; w < g->x->vars; w++)
        g->known[w] &= !rose && !ir_bit(fx.vars_written, w);
    if (rose) {
        g->known[v] = true;
        g->by[v] = 0;
    }
    return rose;
}

// In each run of its block the store's element is the one at v, plus a constant, and v has grown behind it, before the
// block may be left.
static bool grows(const struct recurrence *x, ir_stmt block, ir_stmt store, ir_var v) {
    struct growth g = growth_of(x, v);
    bool stored = false;
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        int64_t by;
        if (stored && !(g.known[v] && g.by[v] > 0) && pass_may_leave(x->u, s)) return false;
        for (uint32_t d = 0; s == store && d < n->store.index_count; d++)
            stored |= is_grown(&g, x->u->args[n->store.indices + d], &by);
        if (n->kind == IR_ASSIGN) {
            set_grown(&g, n->assign.var, n->assign.value);
        } else {
            struct ir_effects fx = ir_effects_of_one(x->u, s);
            for (ir_var w = 1; w < x->vars; w++)
                g.known[w] &= !ir_bit(fx.vars_written, w);
        }
    }
    return stored && g.known[v] && g.by[v] > 0;
}

// All of its assignments add constants that are not negative.
struct riser {
    const struct recurrence *x;
    ir_var v;
    bool rises;
    ir_stmt block, store; // of the only store to `array`
    ir_array array;
    uint32_t stores;
};
static void find_store(struct riser *k, ir_stmt block) {
    for (ir_stmt s = block; s; s = k->x->u->stmts[s].next) {
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&k->x->u->stmts[s], inner);
        if (k->x->u->stmts[s].kind == IR_STORE && k->x->u->stmts[s].store.array == k->array)
            k->block = block, k->store = s, k->stores++;
        for (uint32_t b = 0; b < blocks; b++)
            find_store(k, inner[b]);
    }
}
// Behind each assignment in its block it is not less than before.
static void look_at_rise(struct riser *k, ir_stmt block) {
    const struct recurrence *x = k->x;
    struct growth g = growth_of(x, k->v);
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        for (uint32_t b = 0; b < blocks; b++)
            look_at_rise(k, inner[b]);
        if (n->kind == IR_ASSIGN) {
            int64_t before = g.by[k->v];
            set_grown(&g, n->assign.var, n->assign.value);
            if (n->assign.var == k->v) k->rises &= g.known[k->v] && g.by[k->v] >= before;
        } else if (blocks) {
            pass_over(&g, s, k->v);
        }
    }
}

// Several stores to one array: in each run of a block none of their elements lies before v at its beginning, or at v or
// beyond at its end. As v only rises, what a pass stores lies between what it was given and what it hands on.
struct filler {
    const struct recurrence *x;
    ir_var v;
    ir_array array;
    uint32_t dimension; // 1 + that with the element, 0: no store yet
};

// The element, from v at the beginning on.
static bool find_element(struct filler *f, const struct growth *g, const struct ir_stmt_node *store, int64_t *at) {
    for (uint32_t d = 0; d < store->store.index_count; d++) {
        if ((f->dimension && f->dimension != d + 1) || !is_grown(g, f->x->u->args[store->store.indices + d], at))
            continue;
        f->dimension = d + 1;
        return true;
    }
    return false;
}

static bool fills_block(struct filler *f, ir_stmt block) {
    const struct recurrence *x = f->x;
    struct growth g = growth_of(x, f->v);
    int64_t last = -1; // of the elements that are stored
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner);
        int64_t at = 0;
        if (pass_may_leave(x->u, s) && !(g.known[f->v] && g.by[f->v] > last)) return false;
        if (n->kind == IR_STORE && n->store.array == f->array) {
            if (!find_element(f, &g, n, &at) || at < 0) return false;
            last = at > last ? at : last;
        } else if (n->kind == IR_ASSIGN) {
            set_grown(&g, n->assign.var, n->assign.value);
        } else if (blocks) {
            for (uint32_t b = 0; b < blocks; b++)
                if (!fills_block(f, inner[b])) return false;
            int64_t before = g.by[f->v];
            if (pass_over(&g, s, f->v)) last -= before; // from here on
        }
    }
    return g.known[f->v] && g.by[f->v] > last;
}

bool recurrence_fills(const struct recurrence *x, ir_array a) {
    ir_stmt body = x->u->stmts[x->loop].counted.body;
    struct riser k = {.x = x, .array = a};
    struct ir_effects inside = ir_effects_of(x->u, body);
    find_store(&k, body);
    if (!k.stores || ir_bit(inside.arrays_read, a)) return false;
    for (uint32_t j = 0; j < x->count; j++) {
        k.v = x->handed[j];
        k.rises = x->op[j] == IR_CONST && x->shifted[k.v] && x->u->vars[k.v].type != IR_F32;
        if (k.rises) look_at_rise(&k, body);
        struct filler f = {.x = x, .v = k.v, .array = a};
        if (k.rises && (k.stores == 1 ? grows(x, k.block, k.store, k.v) : fills_block(&f, body))) return true;
    }
    return false;
}
