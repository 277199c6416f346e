// What the pass before stored stays in a register:
//
//   for (b = 1; b < n; b++) below[b] = below[b - 1] + count[b];      becomes
//   before = below[0]; for (b = 1; b < n; b++) { now = before + count[b]; below[b] = now; before = now; }
//
// A recurrence along an array else waits in each pass for the store and the load of one element: in one dispatch past
// the nearest cache, and in all others a driver that fears two bindings of one buffer does the same. Passes then touch
// no element of each other any more, so that loads of others may be made several at a time (gather.c).
//
// The law: the loop has one store to the array, which each pass makes; the load is of the element that is one step of
// the counter back, and each pass makes it. Iterations do not touch each other's elements.
#include "pass/passes.h"

struct carrier {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
    ir_stmt loop;
    struct ir_effects inside; // of its body
};

// The load's element is the store's of the pass before, at a place that the counter alone decides.
static bool follows(const struct carrier *x, const struct pass_access *load, const struct pass_access *store) {
    const struct ir_stmt_node *n = &x->u->stmts[x->loop];
    bool moves = false, known = pass_place_is_known(x->u, x->loop, &x->inside, load->indices, load->n, &moves) && moves;
    for (uint32_t d = 0; d < store->n && known; d++) {
        struct pass_affine back = store->sub[d];
        back.constant -= pass_affine_coef(&back, n->counted.var) * n->counted.step;
        for (uint32_t i = 0; i < back.n && back.ok; i++)
            known &= back.vars[i] == n->counted.var || !ir_bit(x->inside.vars_written, back.vars[i]);
        known &= back.ok && load->sub[d].ok && pass_affine_equal(&back, &load->sub[d]);
    }
    return known;
}

// A store that each pass makes, the only one to its array.
static bool is_only_store(const struct carrier *x, const struct pass_accesses *list, const struct pass_access *store) {
    const struct ir_unit *u = x->u;
    uint32_t stores = 0;
    for (uint32_t k = 0; k < list->count; k++)
        stores += list->items[k].store && list->items[k].array == store->array;
    if (stores != 1 || !store->store || store->conditional || !ir_in_buffer(u, store->array) ||
        store->array == u->log || u->arrays[store->array].atomic ||
        whorl_dtype_size((enum whorl_dtype)u->arrays[store->array].elem) != 4)
        return false;
    ir_stmt s = u->stmts[x->loop].counted.body;
    while (s && s != store->stmt)
        s = u->stmts[s].next;
    return s && u->stmts[s].kind == IR_STORE;
}

// The loop with the load's value in a variable.
static ir_stmt carry(struct carrier *x, const struct pass_access *load, const struct pass_access *store) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->loop];
    const struct ir_node node = u->nodes[load->load];
    const char *name = u->arrays[load->array].name;
    ir_var before = ir_add_var(u, name, (enum ir_type)node.type, IR_VAR_LOCAL, node.loc),
           now = ir_add_var(u, name, (enum ir_type)node.type, IR_VAR_LOCAL, node.loc);
    ir_stmt first = ir_clone_block(u, ir_assign(u, before, load->load, node.loc), NULL, NULL);
    pass_substitute(u, first, n.counted.var, n.counted.lo);
    pass_replace_loads(u, n.counted.body, &load->load, &before, 1);
    ir_stmt keep = ir_add_stmt(u, IR_STORE, u->stmts[store->stmt].loc);
    u->stmts[keep] = u->stmts[store->stmt];
    ir_make_assign(&u->stmts[store->stmt], now, u->stmts[keep].store.value);
    u->stmts[keep].store.value = ir_var_read(u, now, node.loc);
    u->stmts[store->stmt].next = keep;
    ir_append(u, &u->stmts[x->loop].counted.body, ir_assign(u, before, ir_var_read(u, now, node.loc), node.loc));
    base_text_format(x->p->explain, "carry: '%s' of the pass before stays in a register\n", name);
    ir_append(u, &first, x->loop);
    return first;
}

static ir_stmt carry_loop(void *user, ir_stmt done, ir_stmt s) {
    struct carrier *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint64_t trips = 0;
    (void)done;
    if (!ir_const_trips(u, s, &trips) || !trips || n->flags & (IR_FLAG_LANES | IR_FLAG_SIMD) ||
        pass_leaves_loop(u, n->counted.body))
        return s;
    struct pass_accesses list = {0};
    uint32_t mark = pass_scope_enter(&x->sc);
    pass_scope_loop(&x->sc, s);
    pass_collect(&x->sc, n->counted.body, &list);
    x->loop = s;
    x->inside = ir_effects_of(u, n->counted.body);
    const struct pass_access *load = NULL, *store = NULL;
    for (uint32_t k = 0; k < list.count && !load; k++) {
        store = &list.items[k];
        if (!is_only_store(x, &list, store)) continue;
        for (uint32_t i = 0; i < list.count && !load; i++)
            if (list.items[i].array == store->array && list.items[i].load && !list.items[i].conditional &&
                follows(x, &list.items[i], store))
                load = &list.items[i];
    }
    pass_scope_leave(&x->sc, mark);
    return load ? carry(x, load, store) : s;
}

void pass_carry(struct pass_cx *p) {
    struct carrier x = {.p = p, .u = p->u};
    struct pass_rewriter carrying = {.u = p->u, .sc = &x.sc, .user = &x, .replace = carry_loop};
    pass_rewrite_iterations(&carrying);
}
