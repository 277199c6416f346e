// Loads whose address does not change while a loop runs move in front of it, from arrays that the parallel loop never
// writes and from local ones that the loop does not: a policy's weights are read once instead of once a step. The
// register budget of the target limits how many words are kept.
//
// A load that might not happen is only moved if evaluating it can do no harm.
#include "pass/passes.h"

struct hoister {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    const struct ir_effects *kernel; // of the parallel loop's body
    const bool *chosen;              // by array: only loads of these, each harmless if its indices are; NULL: all loads
    uint32_t moved, denied;
};

struct invariance {
    struct ir_unit *u;
    const struct ir_effects *loop;
    bool ok;
};

static bool check_node(void *user, ir_expr e) {
    struct invariance *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if ((n->op == IR_VAR && ir_bit(x->loop->vars_written, n->a)) ||
        (n->op == IR_LOAD && ir_bit(x->loop->arrays_written, n->a)))
        x->ok = false;
    return x->ok;
}

static bool invariant(struct ir_unit *u, ir_expr e, const struct ir_effects *loop) {
    struct invariance x = {u, loop, true};
    ir_walk_expr(u, e, check_node, &x);
    return x.ok;
}

struct replacement {
    struct ir_unit *u;
    const ir_expr *loads;
    const ir_var *vars;
    uint32_t count;
};

static ir_expr replace_load(void *user, ir_expr e) {
    struct replacement *r = user;
    if (r->u->nodes[e].op != IR_LOAD) return e;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->u->nodes[r->loads[i]].a == r->u->nodes[e].a && ir_same_expr(r->u, r->loads[i], e))
            return ir_var_read(r->u, r->vars[i], r->u->nodes[e].loc);
    return e;
}

void pass_replace_loads(struct ir_unit *u, ir_stmt block, const ir_expr *loads, const ir_var *vars, uint32_t count) {
    struct replacement r = {u, loads, vars, count};
    ir_map_block(u, block, replace_load, &r);
}

// Words that the loop keeps alive anyway: what it reads from outside and what it carries from pass to pass.
uint32_t pass_live_words(struct ir_unit *u, ir_stmt loop) {
    struct base_scratch scratch = base_scratch_begin(u->cx); // the sets are of all variables
    uint32_t *exposed = pass_exposed(u, ir_body_of(&u->stmts[loop])), count = 0;
    for (ir_var v = 1; v < u->var_count; v++)
        count += ir_bit(exposed, v) && u->vars[v].klass == IR_VAR_LOCAL;
    base_scratch_end(u->cx, &scratch);
    return count;
}

// A flag for each access: it is a load whose value is the same in every pass, as far as the loop itself goes.
static const bool *invariant_loads(struct hoister *h, const struct ir_stmt_node *n, const struct pass_accesses *list) {
    struct ir_unit *u = h->u;
    struct base_scratch scratch = base_scratch_begin(u->cx); // the sets are of all variables
    struct ir_effects fx = ir_effects_of(u, ir_body_of(n));
    if (n->kind == IR_FOR)
        fx.vars_written[n->counted.var / 32] |= 1u << n->counted.var % 32;
    else if (n->loop.continuing) {
        struct ir_effects cont = ir_effects_of(u, n->loop.continuing);
        for (uint32_t w = 0; w < fx.var_words; w++)
            fx.vars_written[w] |= cont.vars_written[w];
        for (uint32_t w = 0; w < fx.array_words; w++)
            fx.arrays_written[w] |= cont.arrays_written[w];
    }
    bool *same = base_alloc_array(u->cx, list->count, sizeof *same);
    for (uint32_t k = 0; k < list->count; k++)
        same[k] = !list->items[k].store && list->items[k].load && invariant(u, list->items[k].load, &fx);
    same = base_scratch_keep(u->cx, &scratch, same, list->count * sizeof *same);
    base_scratch_end(u->cx, &scratch);
    return same;
}

// Of a load that might not happen. Those that its indices are made from would say how long a loop around it is at most
// (lanes/walks.c), so they have to be within their arrays; those of the chosen arrays themselves are not left.
static bool does_no_harm(const struct hoister *h, ir_expr load) {
    const struct ir_node *n = &h->u->nodes[load];
    if (!h->chosen) return pass_is_safe_anywhere(h->sc, load);
    for (uint32_t d = 0; d < n->n; d++)
        if (!pass_is_safe_anywhere(h->sc, h->u->args[n->b + d])) return false;
    return true;
}

// Returns the assignments to put in front of the loop.
static ir_stmt hoist_from(struct hoister *h, ir_stmt loop) {
    struct ir_unit *u = h->u;
    const struct ir_stmt_node n = u->stmts[loop];
    uint64_t trips = 0;
    bool runs =
        n.kind == IR_FOR && pass_trip_count(h->sc, n.counted.lo, n.counted.hi, n.counted.step, &trips) && trips > 0;
    if (n.kind == IR_FOR && pass_most_trips(h->sc, n.counted.lo, n.counted.hi, n.counted.step) <= 1) return 0;
    struct pass_accesses list = {.with_locals = true};
    pass_collect_inside(h->sc, loop, &list);
    const bool *same = invariant_loads(h, &n, &list);

    uint32_t live = pass_live_words(u, loop);
    uint32_t room = h->p->target->register_budget > live ? h->p->target->register_budget - live : 0;
    ir_expr *loads = base_alloc_array(u->cx, list.count + 1, sizeof *loads);
    ir_var *vars = base_alloc_array(u->cx, list.count + 1, sizeof *vars);
    struct replacement r = {u, loads, vars, 0};
    ir_stmt before = 0;
    for (uint32_t k = 0; k < list.count; k++) {
        const struct pass_access *a = &list.items[k];
        bool local = u->arrays[a->array].klass == IR_ARRAY_LOCAL; // then nobody else writes it
        if (!same[k] || (!local && ir_bit(h->kernel->arrays_written, a->array))) continue;
        if (h->chosen && !h->chosen[a->array]) continue;
        if ((a->conditional || !runs) && !does_no_harm(h, a->load)) continue;
        bool seen = false;
        for (uint32_t i = 0; i < r.count && !seen; i++)
            seen = ir_same_expr(u, loads[i], a->load);
        if (seen) continue;
        if (room == 0) {
            h->denied++;
            continue;
        }
        room--;
        h->moved++;
        const struct ir_node load = u->nodes[a->load];
        loads[r.count] = a->load;
        vars[r.count] =
            ir_add_var(u, base_format(u->cx, "%s_kept", u->arrays[load.a].name), load.type, IR_VAR_LOCAL, load.loc);
        ir_append(u, &before, ir_assign(u, vars[r.count], a->load, load.loc));
        r.count++;
    }
    if (r.count == 0) return 0;
    pass_replace_loads(u, ir_body_of(&n), loads, vars, r.count);
    if (n.kind == IR_LOOP && n.loop.continuing) pass_replace_loads(u, n.loop.continuing, loads, vars, r.count);
    return before;
}

static ir_stmt before_loop(void *user, ir_stmt s) {
    struct hoister *h = user;
    uint8_t kind = h->u->stmts[s].kind;
    return kind == IR_FOR || kind == IR_LOOP ? hoist_from(h, s) : 0;
}

static void hoist_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    struct hoister *h = user;
    struct ir_effects fx = ir_effects_of(h->u, h->u->stmts[parfor].parfor.body);
    h->kernel = &fx;
    h->sc = sc;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    struct pass_rewriter hoisting = {.u = h->u, .sc = sc, .user = h, .before = before_loop};
    ir_stmt body = pass_rewrite_block(&hoisting, h->u->stmts[parfor].parfor.body);
    h->u->stmts[parfor].parfor.body = body;
    pass_scope_leave(sc, mark);
}

void pass_hoist_chosen(struct pass_cx *p, struct pass_scope *sc, ir_stmt parfor, const bool *arrays) {
    struct hoister h = {.p = p, .u = p->u, .chosen = arrays};
    hoist_parfor(&h, sc, parfor);
}

void pass_hoist(struct pass_cx *p) {
    struct hoister h = {.p = p, .u = p->u};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, hoist_parfor, &h);
    if (h.moved)
        base_text_format(p->explain, "hoist: %u load%s kept in registers across a loop\n", h.moved, base_s(h.moved));
    if (h.denied)
        base_text_format(p->explain, "hoist: %u invariant load%s left in the loop: the register budget is %u words\n",
                         h.denied, base_s(h.denied), p->target->register_budget);
}
