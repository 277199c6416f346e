// Critical sections that keep the best of each of several places: `if (v < best[cell[i]]) best[cell[i]] = v;`. An
// iteration has one best to itself (lower_best.c), but no array of them. What says the same in two loops is known.
#include "front/lower/lower_best.h"

struct chosen {
    struct lower *lw;
    const struct front_node *place; // NULL: there is none
    bool larger, alone;             // is better; nothing is kept beside it
};

// Of `list[k].most` the place is chosen, too.
static bool is_chosen(const struct chosen *c, const struct front_node *place) {
    const struct front_node *n = place;
    for (; n; n = n->a)
        if (n->kind == FRONT_INDEX && !lower_best_is_fixed(c->lw, c->lw->bests, n->b)) return true;
    return false;
}

struct setting {
    const struct front_node *compared;
    uint32_t count;
    bool found; // what is compared is set
};

static bool find_setting(void *user, const struct front_node *n) {
    struct setting *s = user;
    if (n->kind != FRONT_ASSIGN) return true;
    s->count++;
    for (const struct front_node *m = s->compared; m; m = m->kind == FRONT_MEMBER ? m->a : NULL)
        s->found |= lower_same(m, n->a);
    return true;
}

static void take(struct chosen *c, const struct front_node *place, bool larger, bool alone) {
    if (!c->place && is_chosen(c, place)) *c = (struct chosen){c->lw, place, larger, alone};
}

// if (value > place ...) { place = value; ... }
static void read_branch(struct chosen *c, const struct front_node *n) {
    struct front_node *test = n->a, *sides[2];
    while (test->kind == FRONT_LOGIC || test->kind == FRONT_CAST)
        test = test->a;
    enum front_op op = lower_best_comparison(test, &sides[0], &sides[1]);
    if (op != FRONT_OP_LT && op != FRONT_OP_GT) return;
    for (uint32_t k = 0; k < 2; k++) {
        struct setting s = {.compared = sides[k]};
        lower_scan(n->b, find_setting, &s);
        if (s.found) take(c, sides[k], (op == FRONT_OP_GT) == (k == 1), s.count == 1);
    }
}

static bool find_chosen(void *user, const struct front_node *n) {
    struct chosen *c = user;
    struct lower_update up = {0};
    struct front_node *statement = (struct front_node *)(uintptr_t)n;
    bool reads =
        n->kind == FRONT_EXPR && (lower_read_update(statement, &up) || lower_best_extreme_call(statement, &up));
    if (reads && (up.op == FRONT_OP_MIN || up.op == FRONT_OP_MAX)) take(c, up.x, up.op == FRONT_OP_MAX, true);
    if (n->kind == FRONT_IF) read_branch(c, n);
    return true;
}

void lower_best_refuse_chosen(struct lower *lw, struct front_node *section, base_loc loc) {
    struct chosen c = {.lw = lw};
    if (!lw->bests || lw->user->target.cpu_only) return;
    lower_scan(section, find_chosen, &c);
    if (!c.place) return;
    const struct front_symbol *base = lower_base_of(c.place);
    const char *name = base ? base->name : "best", *op = c.larger ? "max" : "min";
    if (c.alone)
        base_unsupported(lw->cx, loc,
                         "this 'critical' keeps the best of each of several places of '%s', and iterations choose the "
                         "place: on a GPU write reduction(%s : %s[:LENGTH]) at the loop, and leave the critical out",
                         name, op, name);
    base_unsupported(lw->cx, loc,
                     "this 'critical' keeps the best of each of several places of '%s', and iterations choose the "
                     "place: on a GPU that takes two loops, one with reduction(%s : %s[:LENGTH]) that keeps the values "
                     "alone, and one behind it in which the iterations whose value was kept set the rest: 'if (value "
                     "== %s[k]) { critical: if (i < at[k]) at[k] = i; }', where at[k] begins with INT_MAX (values in "
                     "structs: in an array of their own)",
                     name, op, name, name);
}
