// Two passes of a loop, side by side: does one need what the other does?
//
// Shown by comparing accesses in pairs: along some dimension both are at the same distance from the loop's counter j,
// so that only equal passes meet; or at distances that no whole number of steps brings together; or, with j's bounds in
// its place, at different places always. Or one dimension says which pass the one is of, another one which the other
// is of, and that is the same pass: x[i][j] and x[j'][i] meet where j is i, and j' is i.
#include "pass/passes.h"

struct pair_test {
    struct ir_unit *u;
    const struct pass_scope *sc; // inside the loop
    ir_stmt loop;
    struct ir_effects inside;
    bool captures;
};

// The variables of the form, but j, have one value in all passes.
static bool is_steady(const struct pair_test *x, const struct pass_affine *f) {
    for (uint32_t i = 0; i < f->n; i++)
        if (ir_bit(x->inside.vars_written, f->vars[i])) return false;
    return true;
}

// The form, with j at the end of its range where that is smallest (or largest).
static struct pass_affine extreme(const struct pair_test *x, const struct pass_affine *f, bool smallest) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    ir_var j = loop->counted.var;
    int64_t factor = pass_affine_coef(f, j);
    bool up = loop->counted.step > 0, first = (factor > 0) == (smallest == up);
    struct pass_affine bound = pass_affine_of(x->sc, first ? loop->counted.lo : loop->counted.hi),
                       just_j = {.ok = true};
    if (!first) bound.constant -= up ? 1 : -1;
    just_j.n = 1;
    just_j.vars[0] = j;
    just_j.coefs[0] = 1;
    struct pass_affine rest = pass_affine_sum(-factor, &just_j, f);
    return pass_affine_sum(factor, &bound, &rest);
}

// Never the same element, whichever passes they are of; `a` may depend on j, `b` may not.
static bool never_meet(const struct pair_test *x, const struct pass_affine *a, const struct pass_affine *b) {
    struct pass_affine apart = pass_affine_sum(-1, b, a), least = extreme(x, &apart, true),
                       most = extreme(x, &apart, false);
    return (least.ok && least.n == 0 && least.constant > 0) || (most.ok && most.n == 0 && most.constant < 0);
}

// The pass in which the two are at one place along the dimension, where that depends on the pass of the first alone.
static struct pass_affine meeting(const struct pair_test *x, const struct pass_affine *f, const struct pass_affine *g) {
    ir_var j = x->u->stmts[x->loop].counted.var;
    int64_t factor = pass_affine_coef(f, j);
    struct pass_affine just_j = {.ok = true, .n = 1, .vars = {j}, .coefs = {1}}, none = {.ok = true};
    if (!f->ok || !g->ok || pass_affine_coef(g, j) || (factor != 1 && factor != -1)) return (struct pass_affine){0};
    struct pass_affine rest = pass_affine_sum(-factor, &just_j, f), place = pass_affine_sum(-1, &rest, g);
    return is_steady(x, &rest) && is_steady(x, g) ? pass_affine_sum(factor, &place, &none) : (struct pass_affine){0};
}

// Only equal passes meet, as each dimension says which.
static bool meet_in_one(const struct pair_test *x, const struct pass_access *a, const struct pass_access *b) {
    for (uint32_t d = 0; d < a->n; d++)
        for (uint32_t e = 0; e < a->n; e++) {
            struct pass_affine own = meeting(x, &a->sub[d], &b->sub[d]), other = meeting(x, &b->sub[e], &a->sub[e]);
            if (own.ok && other.ok && pass_affine_equal(&own, &other)) return true;
        }
    return false;
}

// Two accesses to one array, of which one writes: two passes do not meet in an element.
static bool are_apart(const struct pair_test *x, const struct pass_access *a, const struct pass_access *b,
                      bool in_front) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    ir_var j = loop->counted.var;
    for (uint32_t d = 0; d < a->n; d++) {
        const struct pass_affine *f = &a->sub[d], *g = &b->sub[d];
        if (!f->ok || !g->ok) continue;
        int64_t factor = pass_affine_coef(f, j);
        struct pass_affine distance = pass_affine_sum(-1, g, f);
        bool alike = factor == pass_affine_coef(g, j) && distance.ok && distance.n == 0;
        // j is written by the loop; its terms are looked at apart.
        struct pass_affine just_j = {.ok = true, .n = 1, .vars = {j}, .coefs = {1}};
        struct pass_affine rest = pass_affine_sum(-factor, &just_j, f),
                           other = pass_affine_sum(-pass_affine_coef(g, j), &just_j, g);
        if (!is_steady(x, &rest) || !is_steady(x, &other)) continue;
        if (alike && !factor && distance.constant) return true; // two rows
        if (alike && factor && !in_front &&
            (!distance.constant || distance.constant % (factor * loop->counted.step) != 0))
            return true; // only equal passes meet, or, between two steps, none
        if (factor && !pass_affine_coef(g, j) && never_meet(x, f, g)) return true;
    }
    return !in_front && meet_in_one(x, a, b);
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static bool on_capture(void *user, ir_stmt s) {
    struct pair_test *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->captures |= n->kind == IR_ATOMIC && n->atomic.old;
    return true;
}

// Updates alone, whose order nobody sees.
static bool only_updates(const struct ir_unit *u, const struct pass_accesses *list, ir_array a) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].array == a && u->stmts[list->items[i].stmt].kind != IR_ATOMIC) return false;
    return true;
}

// In the loop, with all that its passes access.
static struct pair_test enter(struct pass_scope *sc, ir_stmt loop, struct pass_accesses *list, uint32_t *mark) {
    ir_stmt body = sc->u->stmts[loop].counted.body;
    *mark = pass_scope_enter(sc);
    pass_scope_loop(sc, loop);
    *list = (struct pass_accesses){.with_locals = true};
    pass_collect(sc, body, list);
    return (struct pair_test){.u = sc->u, .sc = sc, .loop = loop, .inside = ir_effects_of(sc->u, body)};
}

// own: by array, of passes; or NULL.
static bool is_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front, const bool *own) {
    struct pass_accesses list;
    uint32_t mark;
    struct pair_test x = enter(sc, loop, &list, &mark);
    ir_walk_stmts(x.u, x.u->stmts[loop].counted.body, on_capture, &x);
    bool apart = !x.captures;
    for (uint32_t i = 0; i < list.count && apart; i++) {
        const struct pass_access *store = &list.items[i];
        if (!store->store || (own && own[store->array])) continue;
        bool updates = only_updates(x.u, &list, store->array);
        for (uint32_t k = 0; k < list.count && !updates && apart; k++)
            apart = list.items[k].array != store->array || are_apart(&x, store, &list.items[k], false);
        for (uint32_t k = 0; in_front && k < in_front->count && apart; k++)
            apart = in_front->items[k].array != store->array || are_apart(&x, store, &in_front->items[k], true);
    }
    pass_scope_leave(sc, mark);
    return apart;
}

bool pass_memory_is_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front) {
    return is_apart(sc, loop, in_front, NULL);
}
bool pass_runs_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front) {
    return is_apart(sc, loop, in_front, pass_own_locals(sc->u, loop));
}

bool pass_loads_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front) {
    struct pass_accesses list;
    uint32_t mark;
    struct pair_test x = enter(sc, loop, &list, &mark);
    bool apart = true;
    for (uint32_t i = 0; i < list.count && apart; i++)
        for (uint32_t k = 0; k < in_front->count && apart; k++)
            apart = list.items[i].store || !in_front->items[k].store ||
                    list.items[i].array != in_front->items[k].array ||
                    are_apart(&x, &list.items[i], &in_front->items[k], true);
    pass_scope_leave(sc, mark);
    return apart;
}
