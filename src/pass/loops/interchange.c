// for (t) { parallel for (i) B }  ->  parallel for (i) { for (t) B }, where no iteration i touches an element that
// another one writes at any t: the time loop then runs inside the kernel, without a barrier. Runs together with fuse
// until nothing changes. Where nobody but autopar.c made the inner loop parallel, that asks for it at once, for all
// strategies.
#include "pass/passes.h"

struct mover {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope *sc;
    bool changed;
    bool complain; // last round: say why loops stay
};

static void say(struct mover *m, ir_stmt loop, const char *why, const char *name) {
    if (m->complain)
        base_text_format(m->p->explain, "interchange: the loop at line %u stays outside: %s%s%s%s\n",
                         m->u->cx->locs[m->u->stmts[loop].loc].line, why, name ? " '" : "", name ? name : "",
                         name ? "'" : "");
}

static bool try_move(struct mover *m, ir_stmt loop) {
    struct ir_unit *u = m->u;
    const struct ir_stmt_node n = u->stmts[loop];
    if (n.kind != IR_FOR || !n.counted.body || !pass_has_parallel(u, n.counted.body)) return false;
    if (u->stmts[n.counted.body].next || u->stmts[n.counted.body].kind != IR_PARFOR) {
        say(m, loop, "its body is more than one parallel loop", NULL);
        return false;
    }
    ir_stmt parfor = n.counted.body;
    const struct ir_stmt_node p = u->stmts[parfor];
    if (p.parfor.reduction_count) {
        say(m, loop, "a reduction over the whole grid each pass", NULL);
        return false;
    }
    if (p.flags & IR_FLAG_LONG) return false; // pass_confine made it as long as it should be
    // The space must be the same for every t, and the loop's own bounds must not be written inside.
    struct ir_effects bounds = ir_effects_empty(u), body = ir_effects_of(u, p.parfor.body);
    for (uint32_t k = 0; k < p.parfor.dim_count; k++) {
        ir_expr_effects(u, u->dims[p.parfor.dims + k].lo, &bounds);
        ir_expr_effects(u, u->dims[p.parfor.dims + k].hi, &bounds);
    }
    if (ir_bit(bounds.vars_read, n.counted.var)) {
        say(m, loop, "the parallel loop's bounds depend on it", NULL);
        return false;
    }
    ir_expr_effects(u, n.counted.lo, &bounds);
    ir_expr_effects(u, n.counted.hi, &bounds);
    if (ir_sets_meet(bounds.arrays_read, body.arrays_written, body.array_words)) return false;
    struct pass_accesses list = {0};
    struct pass_space space;
    uint32_t mark = pass_scope_enter(m->sc);
    pass_scope_loop(m->sc, loop);
    pass_scope_parfor(m->sc, parfor);
    pass_collect(m->sc, p.parfor.body, &list);
    pass_space_of(m->sc, parfor, &space);
    ir_array culprit = 0;
    for (ir_array a = 1; a < u->array_count && !culprit; a++)
        if (ir_bit(body.arrays_written, a) && u->arrays[a].klass != IR_ARRAY_LOCAL && a != u->log &&
            !pass_owned(m->sc, &list, a, &space))
            culprit = a;
    pass_scope_leave(m->sc, mark);
    if (culprit) {
        say(m, loop, "between steps, iterations need what others wrote to", u->arrays[culprit].name);
        return false;
    }
    struct ir_stmt_node *inner = &u->stmts[loop];
    ir_stmt after = inner->next;
    inner->counted.body = p.parfor.body;
    inner->next = 0;
    u->vars[n.counted.var].klass = IR_VAR_LOCAL;
    u->stmts[parfor].parfor.body = loop;
    u->stmts[parfor].next = after;
    if (!m->complain)
        base_text_format(m->p->explain, "interchange: the loop at line %u moved inside the iterations of line %u\n",
                         u->cx->locs[n.loc].line, u->cx->locs[p.loc].line);
    m->changed = true;
    return true;
}

static ir_stmt move_loop(void *user, ir_stmt done, ir_stmt s) {
    struct mover *m = user;
    ir_stmt parfor = m->u->stmts[s].kind == IR_FOR ? m->u->stmts[s].counted.body : 0;
    (void)done;
    return try_move(m, s) ? parfor : s;
}

bool pass_move_inside(struct pass_cx *p, struct pass_scope *sc, ir_stmt loop) {
    struct mover m = {.p = p, .u = p->u, .sc = sc};
    return try_move(&m, loop);
}

static bool round_of(struct pass_cx *p, bool complain) {
    struct mover m = {.p = p, .u = p->u, .complain = complain};
    struct pass_scope sc;
    pass_scope_init(&sc, p->u);
    m.sc = &sc;
    struct pass_rewriter moving = {.u = p->u, .sc = &sc, .user = &m, .replace = move_loop};
    p->u->root = pass_rewrite_block(&moving, p->u->root);
    return m.changed;
}

void pass_interchange(struct pass_cx *p) {
    while (round_of(p, false))
        pass_fuse(p);
    round_of(p, true);
}
