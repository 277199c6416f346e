// Two passes of a loop, side by side: does one need what the other does?
//
// Shown by comparing accesses in pairs: along some dimension both are at the same distance from the loop's counter j,
// so that only equal passes meet; or at distances that no whole number of steps brings together; or, with j's bounds in
// its place, at different places always. Or one dimension says which pass the one is of, another one which the other
// is of, and that is the same pass: x[i][j] and x[j'][i] meet where j is i, and j' is i. Or each pass has a strip to
// itself, in which loops inside of it move. Or the passes are played one by one (permuted.c).
//
// Where an index is a choice, as around an edge (`j == 0 ? n - 1 : j - 1`, `(j + 1) % n`), this is shown for each way
// to choose, with what the way says of the pass: cells of one colour, every other one of a row, do not touch each other
// around the edge either.
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

// The form but for its term of v.
static struct pass_affine without(const struct pass_affine *f, ir_var v) {
    struct pass_affine just_v = {.ok = true, .n = 1, .vars = {v}, .coefs = {1}};
    return pass_affine_sum(-pass_affine_coef(f, v), &just_v, f);
}

// The form, with j at the end of its range where that is smallest (or largest).
static struct pass_affine extreme(const struct pair_test *x, const struct pass_affine *f, bool smallest) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    ir_var j = loop->counted.var;
    int64_t factor = pass_affine_coef(f, j);
    bool up = loop->counted.step > 0, first = (factor > 0) == (smallest == up);
    struct pass_affine bound = pass_affine_of(x->sc, first ? loop->counted.lo : loop->counted.hi), rest = without(f, j);
    if (!first) bound.constant -= up ? 1 : -1;
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
    struct pass_affine none = {.ok = true};
    if (!f->ok || !g->ok || pass_affine_coef(g, j) || (factor != 1 && factor != -1)) return (struct pass_affine){0};
    struct pass_affine rest = without(f, j), place = pass_affine_sum(-1, &rest, g);
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

// ---- choices --------------------------------------------------------------------------------------------------------

// The form, with what the way leaves one value: its own pass, too, or only what has one value in all passes.
static struct pass_affine under(const struct pair_test *x, const struct pass_affine *f, const struct pass_way *way,
                                bool own) {
    struct pass_affine out = *f;
    for (uint32_t i = 0; i < way->fixed_count && out.ok; i++) {
        ir_var v = way->fixed[i];
        bool is_pass = v == x->u->stmts[x->loop].counted.var;
        int64_t factor = pass_affine_coef(&out, v);
        if (!factor || (is_pass ? !own : ir_bit(x->inside.vars_written, v))) continue;
        out = without(&out, v);
        out.constant += factor * way->values[i];
    }
    return out;
}

static bool fixes(const struct pass_way *way, ir_var v, int64_t *value) {
    for (uint32_t i = 0; i < way->fixed_count; i++)
        if (way->fixed[i] == v) {
            *value = way->values[i];
            return true;
        }
    return false;
}

// Along a dimension, where the pass of one of them is j: another pass is not at that place. `distance`: what the factor
// of the other one's pass has to make up for.
static bool meets_none(const struct pair_test *x, int64_t j, int64_t factor, int64_t distance) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    struct pass_range all = x->sc->range[loop->counted.var];
    if (distance % factor) return true;
    int64_t other = distance / factor;
    return other == j || (other - j) % loop->counted.step || (all.known && (other < all.lo || other > all.hi));
}

// Two passes, one of which makes its choices so and the other one so, do not meet.
static bool ways_are_apart(const struct pair_test *x, const struct pass_way *a, const struct pass_way *b, uint32_t n) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    ir_var j = loop->counted.var;
    uint64_t trips = pass_most_trips(x->sc, loop->counted.lo, loop->counted.hi, loop->counted.step);
    int64_t of_a = 0, of_b = 0, each = loop->counted.step;
    bool a_known = fixes(a, j, &of_a), b_known = fixes(b, j, &of_b);
    for (uint32_t d = 0; d < n; d++) {
        struct pass_affine f = under(x, &a->sub[d], a, true), g = under(x, &b->sub[d], b, true);
        f = under(x, &f, b, false);
        g = under(x, &g, a, false);
        int64_t factor = pass_affine_coef(&f, j), other = pass_affine_coef(&g, j);
        struct pass_affine rest = without(&f, j), rest_g = without(&g, j),
                           distance = pass_affine_sum(-1, &rest_g, &rest);
        if (!distance.ok || distance.n || !is_steady(x, &rest)) continue;
        int64_t by = distance.constant;
        if (!factor && !other && by) return true;
        if (!factor && !other && a_known && b_known) return of_a == of_b || (of_a - of_b) % each;
        if (factor && factor == other) {
            int64_t passes = by / (factor * each);
            if (!by || by % (factor * each) || (uint64_t)(passes < 0 ? -passes : passes) >= trips) return true;
        }
        if (!factor && other && a_known && meets_none(x, of_a, other, by)) return true;
        if (factor && !other && b_known && meets_none(x, of_b, factor, -by)) return true;
    }
    return false;
}

// Whichever ways they take.
static bool apart_by_choices(const struct pair_test *x, const struct pass_access *a, const struct pass_access *b) {
    struct pass_way plain_a = {.sub = a->sub}, plain_b = {.sub = b->sub};
    const struct pass_way *of_a = a->ways ? a->ways : &plain_a, *of_b = b->ways ? b->ways : &plain_b;
    bool apart = true;
    for (uint32_t i = 0; i < (a->ways ? a->way_count : 1) && apart; i++)
        for (uint32_t k = 0; k < (b->ways ? b->way_count : 1) && apart; k++)
            apart = ways_are_apart(x, &of_a[i], &of_b[k], a->n);
    return apart;
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// Adds c * v, where v is any value that it had in a scope.
static bool add_any(const struct pair_test *x, ir_var v, int64_t c, int64_t *lo, int64_t *hi) {
    struct pass_range r = v < x->sc->var_cap ? x->sc->ever[v] : (struct pass_range){0, 0, false};
    if (c == 0) return true;
    if (!r.known || r.lo < -PASS_MOST_INDEXED || r.hi > PASS_MOST_INDEXED || c > PASS_MOST_INDEXED ||
        c < -PASS_MOST_INDEXED)
        return false;
    *lo += c * (c > 0 ? r.lo : r.hi);
    *hi += c * (c > 0 ? r.hi : r.lo);
    return true;
}

// Each pass has a strip of the dimension to itself: x[8 * j + i] with i below 8, in loops inside of this one. It may be
// another i in each of the two passes.
static bool in_strips(const struct pair_test *x, const struct pass_affine *f, const struct pass_affine *g) {
    const struct ir_stmt_node *loop = &x->u->stmts[x->loop];
    ir_var j = loop->counted.var;
    int64_t factor = pass_affine_coef(f, j), lo = g->constant - f->constant, hi = lo,
            width = factor * loop->counted.step;
    if (!factor || factor != pass_affine_coef(g, j)) return false;
    for (uint32_t i = 0; i < f->n + g->n; i++) {
        bool of_f = i < f->n;
        ir_var v = of_f ? f->vars[i] : g->vars[i - f->n];
        if (v == j) continue;
        bool steady = !ir_bit(x->inside.vars_written, v);
        if (steady && !of_f && pass_affine_coef(f, v)) continue; // both have it: once
        int64_t c = of_f ? (steady ? pass_affine_coef(g, v) : 0) - f->coefs[i] : g->coefs[i - f->n];
        if (!add_any(x, v, c, &lo, &hi)) return false;
    }
    width = width < 0 ? -width : width;
    return lo > -width && hi < width;
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

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
        struct pass_affine rest = without(f, j), other = without(g, j);
        if (!in_front && in_strips(x, f, g)) return true;
        if (!is_steady(x, &rest) || !is_steady(x, &other)) continue;
        if (alike && !factor && distance.constant) return true; // two rows
        if (alike && factor && !in_front &&
            (!distance.constant || distance.constant % (factor * loop->counted.step) != 0))
            return true; // only equal passes meet, or, between two steps, none
        if (factor && !pass_affine_coef(g, j) && never_meet(x, f, g)) return true;
    }
    return !in_front && (meet_in_one(x, a, b) || apart_by_choices(x, a, b));
}

// ---- the loop -------------------------------------------------------------------------------------------------------

static bool on_capture(void *user, ir_stmt s) {
    struct pair_test *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->captures |= n->kind == IR_ATOMIC && n->atomic.old;
    return true;
}

// Updates alone, by one operator that commutes, whose order nobody sees.
static bool only_updates(const struct ir_unit *u, const struct pass_accesses *list, ir_array a) {
    uint32_t op = IR_CONST;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct pass_access *access = &list->items[i];
        const struct ir_stmt_node *n = &u->stmts[access->stmt];
        if (access->array != a) continue;
        if (!access->store || n->kind != IR_ATOMIC || n->atomic.op == IR_SELECT || n->atomic.expected ||
            (op != IR_CONST && op != n->atomic.op))
            return false;
        op = n->atomic.op;
    }
    return true;
}

// In the loop, with all that its passes access; `ways`: for each way to choose an index.
static struct pair_test enter(struct pass_scope *sc, ir_stmt loop, bool ways, struct pass_accesses *list,
                              uint32_t *mark) {
    ir_stmt body = sc->u->stmts[loop].counted.body;
    *mark = pass_scope_enter(sc);
    pass_scope_loop(sc, loop);
    *list = (struct pass_accesses){.with_locals = true, .with_ways = ways};
    pass_collect(sc, body, list);
    return (struct pair_test){.u = sc->u, .sc = sc, .loop = loop, .inside = ir_effects_of(sc->u, body)};
}

// own: by array, each pass has its own; or NULL.
static bool is_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front, const bool *own,
                     const uint8_t *updates) {
    struct pass_accesses list;
    uint32_t mark;
    struct pair_test x = enter(sc, loop, true, &list, &mark);
    ir_walk_stmts(x.u, x.u->stmts[loop].counted.body, on_capture, &x);
    bool apart = !x.captures;
    for (uint32_t i = 0; i < list.count && apart; i++) {
        const struct pass_access *store = &list.items[i];
        if (!store->store || (own && own[store->array]) || (updates && updates[store->array] != IR_CONST)) continue;
        bool atomic = only_updates(x.u, &list, store->array);
        for (uint32_t k = 0; k < list.count && !atomic && apart; k++)
            apart = list.items[k].array != store->array || are_apart(&x, store, &list.items[k], false);
        for (uint32_t k = 0; in_front && k < in_front->count && apart; k++)
            apart = in_front->items[k].array != store->array || are_apart(&x, store, &in_front->items[k], true);
    }
    pass_scope_leave(sc, mark);
    return apart || (!in_front && !updates && !x.captures && pass_is_permuted(sc, loop));
}

bool pass_memory_is_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front,
                          const uint8_t *updates) {
    return is_apart(sc, loop, in_front, NULL, updates);
}
bool pass_runs_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front,
                         const uint8_t *updates) {
    return is_apart(sc, loop, in_front, pass_own_locals(sc->u, loop), updates);
}

bool pass_loads_are_apart(struct pass_scope *sc, ir_stmt loop, const struct pass_accesses *in_front) {
    struct pass_accesses list;
    uint32_t mark;
    struct pair_test x = enter(sc, loop, false, &list, &mark);
    bool apart = true;
    for (uint32_t i = 0; i < list.count && apart; i++)
        for (uint32_t k = 0; k < in_front->count && apart; k++)
            apart = list.items[i].store || !in_front->items[k].store ||
                    list.items[i].array != in_front->items[k].array ||
                    are_apart(&x, &list.items[i], &in_front->items[k], true);
    pass_scope_leave(sc, mark);
    return apart;
}

bool pass_in_other_column(const struct pass_access *a, const struct pass_access *b, const uint32_t *changed,
                          ir_var counter) {
    bool apart = false;
    for (uint32_t d = 0; d < a->n && d < b->n && !apart; d++) {
        apart = pass_affine_distinct(&a->sub[d], &b->sub[d]);
        for (uint32_t i = 0; i < a->sub[d].n && apart; i++)
            apart = a->sub[d].vars[i] != counter && !ir_bit(changed, a->sub[d].vars[i]);
    }
    return apart;
}
