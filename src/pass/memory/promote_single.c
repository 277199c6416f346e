// Single elements of an array that iterations share:
//
//   parallel for (i = k + 1 .. n) { a[i][k] /= a[k][k]; for (j = k + 1 .. n) a[i][j] -= a[i][k] * a[k][j]; }
//
// a[i][k] is in row i, of iteration i alone, and in a column left of all that the loop changes; a[k][j] is in another
// row. So it may live in a register, though the array may not.
//
// The law: whatever passes of loops and whatever iterations the two accesses are of, along some dimension one is always
// beyond the other, by the loops' bounds; or only one iteration has both elements, and the same holds in it.
#include "pass/memory/promote.h"

// Which values a loop's counter or a dimension takes.
struct counter {
    bool seen, known;
    struct pass_affine least, most;
};
struct searcher {
    struct promoter *x;
    ir_stmt body;                                           // of the parallel loop
    const struct pass_access *access[PASS_SINGLE_ACCESSES]; // to the array
    uint32_t count;
    struct pass_access *near; // room for as many
    struct counter *of;       // by variable
    uint32_t vars;
    bool *dim; // by variable: of the parallel loop
};

// ---- bounds ---------------------------------------------------------------------------------------------------------

static void note(struct searcher *q, ir_var v, ir_expr lo, ir_expr hi, int32_t step) {
    struct counter *c = &q->of[v], now = {.seen = true};
    now.least = pass_affine_of(q->x->sc, step > 0 ? lo : hi);
    now.most = pass_affine_of(q->x->sc, step > 0 ? hi : lo);
    if (step > 0)
        now.most.constant--;
    else
        now.least.constant++;
    now.known = now.least.ok && now.most.ok && q->x->u->vars[v].type == IR_I32;
    // One that several loops count is known only if all of them agree.
    if (c->seen && !(c->known && pass_affine_equal(&c->least, &now.least) && pass_affine_equal(&c->most, &now.most)))
        now.known = false;
    *c = now;
}
static bool on_loop(void *user, ir_stmt s) {
    struct searcher *q = user;
    const struct ir_stmt_node *n = &q->x->u->stmts[s];
    if (n->kind == IR_FOR) note(q, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step);
    return true;
}

// The form where it is least, or largest, in variables that are no counters; `dims`: dimensions are counters, too.
static struct pass_affine end_of(const struct searcher *q, struct pass_affine f, bool least, bool dims) {
    for (int step = 0; step < PASS_SINGLE_BOUNDS && f.ok; step++) {
        uint32_t i = 0;
        while (i < f.n && !(f.vars[i] < q->vars && q->of[f.vars[i]].known && (dims || !q->dim[f.vars[i]])))
            i++;
        if (i == f.n) return f;
        const struct counter *c = &q->of[f.vars[i]];
        struct pass_affine just = {.ok = true, .n = 1, .vars = {f.vars[i]}, .coefs = {1}};
        int64_t factor = f.coefs[i];
        struct pass_affine rest = pass_affine_sum(-factor, &just, &f);
        f = pass_affine_sum(factor, (factor > 0) == least ? &c->least : &c->most, &rest);
    }
    return (struct pass_affine){0};
}

// Of a constant.
static bool is_above(const struct pass_affine *f) { return f->ok && f->n == 0 && f->constant > 0; }

// `a` is at one place in an iteration, `b` wherever its counters take it; of another iteration, or of the same.
static bool never_meet(const struct searcher *q, const struct pass_access *a, const struct pass_access *b, bool same) {
    for (uint32_t d = 0; d < a->n; d++) {
        if (!a->sub[d].ok || !b->sub[d].ok) continue;
        for (int up = 0; up < 2; up++) { // a - b above zero, or b - a
            struct pass_affine one = end_of(q, a->sub[d], !up, !same), other = end_of(q, b->sub[d], up, !same);
            struct pass_affine apart = up ? pass_affine_sum(-1, &one, &other) : pass_affine_sum(-1, &other, &one);
            if (same) apart = end_of(q, apart, true, true);
            if (is_above(&apart)) return true;
        }
    }
    return false;
}

// ---- elements -------------------------------------------------------------------------------------------------------

// Its indices are the same all through the iteration.
static bool is_fixed(const struct searcher *q, const struct pass_access *a, const struct ir_effects *inside) {
    for (uint32_t d = 0; d < a->n; d++) {
        if (!a->sub[d].ok) return false;
        for (uint32_t i = 0; i < a->sub[d].n; i++)
            if (ir_bit(inside->vars_written, a->sub[d].vars[i])) return false;
    }
    return q->x->u->stmts[a->stmt].kind != IR_ATOMIC;
}

// Counts the accesses to the element. -> it is worth a register: a load and a store are made anyway
static bool count_accesses(const struct searcher *q, const struct pass_access *first, struct group *out) {
    struct promoter *x = q->x;
    bool again = false; // a loop comes to it
    *out = (struct group){.first = first};
    for (uint32_t k = 0; k < q->count; k++) {
        const struct pass_access *a = q->access[k];
        if (!promote_same_element(first, a)) continue;
        again |= pass_in_loop(x->sc, q->body, a->stmt);
        out->accesses++;
        out->stored |= a->store;
        out->loaded |= !a->store;
        out->own |= a->store && x->u->stmts[a->stmt].flags & IR_FLAG_OWN;
        out->sure |= !a->conditional;
    }
    return out->stored && (again || out->accesses > 2);
}

// Nothing else meets the element. Fills in q->near.
static bool is_single(struct searcher *q, const struct pass_access *first, const struct pass_space *space) {
    struct pass_accesses near = {.items = q->near};
    for (uint32_t k = 0; k < q->count; k++) {
        const struct pass_access *a = q->access[k];
        bool same = promote_same_element(first, a);
        if (!same && never_meet(q, first, a, false)) continue;
        if (!same && !never_meet(q, first, a, true)) return false;
        near.items[near.count++] = *a;
    }
    return pass_owned(q->x->sc, &near, q->x->array, space);
}

static bool is_new(const struct promoter *x, const struct pass_access *a) {
    for (uint32_t g = 0; g < x->group_count; g++)
        if (promote_same_element(x->groups[g].first, a)) return false;
    return true;
}

bool promote_find_single(struct promoter *x, ir_stmt parfor, const struct pass_space *space) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[parfor];
    struct searcher q = {.x = x, .body = n.parfor.body, .vars = u->var_count};
    x->group_count = 0;
    for (uint32_t k = 0; k < x->list->count; k++) {
        if (x->list->items[k].array != x->array) continue;
        if (q.count == PASS_SINGLE_ACCESSES) return false;
        q.access[q.count++] = &x->list->items[k];
    }
    if (n.flags & IR_FLAG_LANES) return false;
    struct base_scratch scratch = base_scratch_begin(u->cx); // the tables are of all variables
    struct ir_effects inside = ir_effects_of(u, n.parfor.body);
    q.near = base_alloc_array(u->cx, q.count + 1, sizeof *q.near);
    q.of = base_alloc_array(u->cx, q.vars, sizeof *q.of);
    q.dim = base_alloc_array(u->cx, q.vars, sizeof *q.dim);
    for (uint32_t d = 0; d < n.parfor.dim_count; d++) {
        const struct ir_dim dim = u->dims[n.parfor.dims + d];
        q.dim[dim.var] = true;
        note(&q, dim.var, dim.lo, dim.hi, dim.step);
    }
    ir_walk_stmts(u, n.parfor.body, on_loop, &q);
    for (uint32_t k = 0; k < q.count && x->group_count < PASS_SINGLE_MOST; k++) {
        const struct pass_access *a = q.access[k];
        struct group group;
        if (is_fixed(&q, a, &inside) && is_new(x, a) && count_accesses(&q, a, &group) && is_single(&q, a, space))
            x->groups[x->group_count++] = group;
    }
    base_scratch_end(u->cx, &scratch);
    return x->group_count > 0;
}
