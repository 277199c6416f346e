// Ownership rests on a mixed-radix argument: an index k0*x0 + k1*x1 + ... + r with 0 <= r < width tells all x apart if,
// sorted by |k|, each coefficient is at least the span of everything below it. Variables of the space that a dimension
// tells apart are "determined"; when all are, no two points of the space touch the same element. Array dimensions are
// independent witnesses, because C indices stay inside their dimension.
#include "pass/analysis/condition_ranges.h"
#include "pass/passes.h"

#include <string.h>

struct collector {
    struct pass_scope *sc;
    struct pass_accesses *out;
    ir_stmt stmt;
    bool conditional;
};

// An index that loads something counts as unknown, also where its value is not, as in x[i][x[i][0] % 1]: who puts loads
// elsewhere finds them by their expressions, and the one in the index would change the other's.
static struct pass_affine index_of(const struct collector *c, ir_expr index) {
    return pass_has_load(c->sc->u, index) ? (struct pass_affine){0} : pass_affine_of(c->sc, index);
}

// ---- ways -----------------------------------------------------------------------------------------------------------

struct ways {
    const struct collector *c;
    struct pass_narrow narrow;
    struct pass_choices choices;
    const uint32_t *indices;
    uint32_t n;
    struct pass_way *list;
    uint32_t count;
    bool all; // the list has all that there are
};

static void find_ways(struct ways *w);

static void choose(struct ways *w, int64_t way) {
    w->choices.list[w->choices.count++].way = way;
    find_ways(w);
    w->choices.count--;
}

static void fork(struct ways *w, ir_expr e) {
    struct pass_scope *sc = w->c->sc;
    const struct ir_node n = sc->u->nodes[e];
    uint32_t mark = w->narrow.count;
    w->choices.list[w->choices.count].e = e;
    if (n.op == IR_SELECT) {
        for (int side = 0; side < 2; side++) {
            pass_assume(&w->narrow, n.a, side == 0);
            choose(w, side);
            pass_widen_again(&w->narrow, mark);
        }
        return;
    }
    struct pass_range a = pass_range_of(sc, n.a), b = pass_range_of(sc, n.b);
    for (int64_t q = a.lo / b.lo; q <= a.hi / b.lo; q++) {
        pass_assume_between(&w->narrow, n.a, q * b.lo, q * b.lo + b.lo - 1);
        choose(w, q);
        pass_widen_again(&w->narrow, mark);
    }
}

// The forms under the choices so far, or under those and each way to make the next one.
static void find_ways(struct ways *w) {
    struct ir_unit *u = w->c->sc->u;
    struct pass_way way = {.sub = base_alloc_array(u->cx, w->n, sizeof *way.sub)};
    ir_expr open = 0;
    for (uint32_t i = 0; i < w->n && !open; i++) {
        w->choices.open = 0;
        w->c->sc->choices = &w->choices;
        way.sub[i] = index_of(w->c, w->indices[i]);
        w->c->sc->choices = NULL;
        open = w->choices.open;
    }
    w->all &= open ? w->choices.count < PASS_CHOICES : w->count < PASS_WAYS;
    if (!w->all) return;
    if (open) {
        fork(w, open);
        return;
    }
    for (uint32_t i = 0; i < w->narrow.count && way.fixed_count < PASS_FIXED; i++) {
        ir_var v = w->narrow.list[i].var;
        struct pass_range r = w->c->sc->range[v];
        if (r.lo != r.hi) continue;
        way.fixed[way.fixed_count] = v;
        way.values[way.fixed_count++] = r.lo;
    }
    if (!w->list) w->list = base_alloc_array(u->cx, PASS_WAYS, sizeof *w->list);
    w->list[w->count++] = way;
}

static void add_ways(const struct collector *c, struct pass_access *a) {
    struct ways w = {.c = c, .narrow = {.sc = c->sc}, .indices = a->indices, .n = a->n, .all = true};
    find_ways(&w);
    if (!w.all || w.count < 2) return;
    a->ways = w.list;
    a->way_count = w.count;
}

// ---- accesses -------------------------------------------------------------------------------------------------------

static void add_access(struct collector *c, ir_array array, bool store, ir_expr load, const uint32_t *indices,
                       uint32_t n, bool conditional) {
    struct ir_unit *u = c->sc->u;
    // What stands in workgroup memory may be copied there as late as it is read.
    if (u->arrays[array].is_box) return; // its STAGE is looked at
    if (u->arrays[array].klass == IR_ARRAY_STAGED) array = u->arrays[array].source;
    uint8_t klass = u->arrays[array].klass;
    if ((klass == IR_ARRAY_LOCAL && !c->out->with_locals) || klass == IR_ARRAY_TABLE || array == u->log) return;
    BASE_RESERVE(u->cx, c->out->items, c->out->count, c->out->cap);
    struct pass_access *a = &c->out->items[c->out->count++];
    memset(a, 0, sizeof *a);
    a->array = array;
    a->store = store;
    a->conditional = conditional;
    a->stmt = c->stmt;
    a->load = load;
    a->n = n;
    uint32_t *copy = base_alloc_array(u->cx, n, sizeof *copy);
    a->sub = base_alloc_array(u->cx, n, sizeof *a->sub);
    for (uint32_t i = 0; i < n; i++) {
        copy[i] = indices[i];
        a->sub[i] = index_of(c, indices[i]);
    }
    a->indices = copy;
    if (c->out->with_ways) add_ways(c, a);
}

// A box of the array: elements that nothing more is known of.
static void add_box(struct collector *c, const struct ir_stmt_node *n) {
    uint32_t before = c->out->count;
    add_access(c, n->stage.from, false, 0, c->sc->u->args + n->stage.origins, n->stage.origin_count, false);
    if (c->out->count == before) return;
    for (uint32_t i = 0; i < n->stage.origin_count; i++)
        c->out->items[before].sub[i] = (struct pass_affine){0};
}

// Words of a lane's row; the box itself is none of the arrays.
static void add_turn(struct collector *c, ir_stmt s) {
    const struct ir_stmt_node n = c->sc->u->stmts[s];
    const uint32_t *indices = c->sc->u->args + n.turn.indices;
    bool conditional = c->conditional || n.turn.there;
    uint32_t mark = pass_scope_enter(c->sc);
    pass_scope_loop(c->sc, s);
    add_access(c, n.turn.from, false, 0, indices, n.turn.index_count, conditional);
    add_access(c, n.turn.to, true, 0, indices, n.turn.index_count, conditional);
    pass_scope_leave(c->sc, mark);
}

static void collect_expr(struct collector *c, ir_expr e, bool conditional) {
    if (e == 0) return;
    const struct ir_node n = c->sc->u->nodes[e];
    if (n.op == IR_LOAD) {
        for (uint32_t i = 0; i < n.n; i++)
            collect_expr(c, c->sc->u->args[n.b + i], conditional);
        add_access(c, n.a, false, e, c->sc->u->args + n.b, n.n, conditional);
        return;
    }
    uint32_t arity = ir_ops[n.op].arity;
    bool lazy = n.op == IR_SELECT || n.op == IR_LAND || n.op == IR_LOR;
    if (arity > 0) collect_expr(c, n.a, conditional);
    if (arity > 1) collect_expr(c, n.b, conditional || lazy);
    if (arity > 2) collect_expr(c, n.c, conditional || lazy);
}

static void collect_block(struct collector *c, ir_stmt block);

static void collect_for(struct collector *c, ir_stmt s) {
    struct pass_scope *sc = c->sc;
    const struct ir_stmt_node n = sc->u->stmts[s];
    bool outer = c->conditional;
    uint64_t trips;
    collect_expr(c, n.counted.lo, outer);
    collect_expr(c, n.counted.hi, outer);
    uint32_t inner = pass_scope_enter(sc);
    pass_scope_loop(sc, s);
    c->conditional = outer || !pass_trip_count(sc, n.counted.lo, n.counted.hi, n.counted.step, &trips) || trips == 0;
    collect_block(c, n.counted.body);
    c->conditional = outer;
    pass_scope_leave(sc, inner);
}

static void collect_block(struct collector *c, ir_stmt block) {
    struct pass_scope *sc = c->sc;
    uint32_t mark = pass_scope_enter(sc);
    for (ir_stmt s = block; s; s = sc->u->stmts[s].next) {
        const struct ir_stmt_node n = sc->u->stmts[s];
        bool outer = c->conditional;
        c->stmt = s;
        switch (n.kind) {
        case IR_ASSIGN:
            collect_expr(c, n.assign.value, outer);
            pass_scope_assign(sc, s);
            break;
        case IR_STORE:
        case IR_ATOMIC: { // reads and writes: a store that counts as both
            struct ir_write w = ir_write_of(&n);
            for (uint32_t i = 0; i < w.index_count; i++)
                collect_expr(c, sc->u->args[w.indices + i], outer);
            if (w.expected) collect_expr(c, w.expected, outer);
            collect_expr(c, w.value, outer);
            add_access(c, w.array, true, 0, sc->u->args + w.indices, w.index_count, outer);
            break;
        }
        case IR_IF:
            collect_expr(c, n.branch.cond, outer);
            c->conditional = true;
            collect_block(c, n.branch.then_block);
            collect_block(c, n.branch.else_block);
            // Where a branch leaves the loop around, what follows in this body may not happen.
            c->conditional =
                outer || pass_leaves_loop(sc->u, n.branch.then_block) || pass_leaves_loop(sc->u, n.branch.else_block);
            break;
        case IR_NEIGHBOUR: collect_expr(c, n.neighbour.value, outer); break;
        case IR_FOR: collect_for(c, s); break;
        case IR_STAGE:
            if (n.stage.origin_count) add_box(c, &n);
            break;
        case IR_TURN: add_turn(c, s); break;
        case IR_LOOP:
            collect_expr(c, n.loop.cond, outer);
            c->conditional = true;
            collect_block(c, n.loop.body);
            collect_block(c, n.loop.continuing);
            c->conditional = outer;
            break;
        case IR_PARFOR: {
            uint32_t inner = pass_scope_enter(sc);
            pass_scope_parfor(sc, s);
            collect_block(c, n.parfor.body);
            pass_scope_leave(sc, inner);
            break;
        }
        case IR_BREAK:
        case IR_CONTINUE: // what follows in this loop's body may not happen
            c->conditional = true;
            break;
        default: break;
        }
    }
    pass_scope_leave(sc, mark);
}

void pass_collect(struct pass_scope *sc, ir_stmt block, struct pass_accesses *out) {
    struct collector c = {.sc = sc, .out = out};
    collect_block(&c, block);
}

void pass_collect_inside(struct pass_scope *sc, ir_stmt s, struct pass_accesses *out) {
    bool parallel = sc->u->stmts[s].kind == IR_PARFOR;
    uint32_t mark = pass_scope_enter(sc);
    (parallel ? pass_scope_parfor : pass_scope_loop)(sc, s);
    pass_collect(sc, ir_body_of(&sc->u->stmts[s]), out);
    pass_scope_leave(sc, mark);
}

// ---- ownership ------------------------------------------------------------------------------------------------------

struct radix {
    uint64_t coef;        // |coefficient| * |step|
    uint64_t span;        // (extent - 1) * coef
    uint32_t space_index; // UINT32_MAX: not a variable of the space
};

static uint64_t magnitude(int64_t v) { return v < 0 ? (uint64_t)-v : (uint64_t)v; }

static int space_index(const struct pass_space *space, ir_var v) {
    for (uint32_t i = 0; i < space->n; i++)
        if (space->vars[i] == v) return (int)i;
    return -1;
}

// The subscript without the `taken` variables: how far apart its values can be over all accesses, plus one; 0: not
// known.
static uint64_t width_of_rest(const struct pass_scope *sc, const struct pass_accesses *list, ir_array array,
                              const struct pass_space *space, uint32_t dim, const ir_var *taken, uint32_t count) {
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct pass_access *a = &list->items[k];
        if (a->array != array) continue;
        const struct pass_affine *g = &a->sub[dim];
        int64_t rlo = g->constant, rhi = g->constant;
        for (uint32_t i = 0; i < g->n; i++) {
            bool is_taken = false;
            for (uint32_t j = 0; j < count; j++)
                is_taken |= taken[j] == g->vars[i];
            if (is_taken) continue;
            if (space_index(space, g->vars[i]) >= 0) return 0; // only some accesses have it
            struct pass_range r = g->vars[i] < sc->var_cap ? sc->ever[g->vars[i]] : (struct pass_range){0, 0, false};
            if (!r.known) return 0;
            int64_t x = g->coefs[i] * r.lo, y = g->coefs[i] * r.hi;
            rlo += x < y ? x : y;
            rhi += x < y ? y : x;
        }
        lo = rlo < lo ? rlo : lo;
        hi = rhi > hi ? rhi : hi;
    }
    return (uint64_t)(hi - lo) + 1;
}

// Which variables of the space does dimension `dim` tell apart? Sets bits in *determined.
static void determine(const struct pass_scope *sc, const struct pass_accesses *list, ir_array array,
                      const struct pass_space *space, uint32_t dim, uint32_t *determined) {
    const struct pass_access *first = NULL;
    struct radix radices[PASS_AFFINE_VARS];
    uint32_t radix_count = 0;
    ir_var shared[PASS_AFFINE_VARS];
    for (uint32_t k = 0; k < list->count; k++) {
        const struct pass_access *a = &list->items[k];
        if (a->array != array) continue;
        if (!a->sub[dim].ok) return;
        if (!first) first = a;
    }
    if (!first) return;
    // Variables that stand with one coefficient in every access and have a known range take part; the rest widens r.
    const struct pass_affine *f = &first->sub[dim];
    for (uint32_t i = 0; i < f->n; i++) {
        bool everywhere = true;
        for (uint32_t k = 0; k < list->count && everywhere; k++)
            if (list->items[k].array == array && pass_affine_coef(&list->items[k].sub[dim], f->vars[i]) != f->coefs[i])
                everywhere = false;
        int si = space_index(space, f->vars[i]);
        if (!everywhere) {
            if (si >= 0) return; // the owner would differ between accesses
            continue;
        }
        struct radix r = {.space_index = UINT32_MAX};
        if (si >= 0) {
            r.coef = magnitude(f->coefs[i]) * magnitude(space->steps[si]);
            r.span = (space->extents[si] ? space->extents[si] - 1 : 0) * r.coef;
            r.space_index = (uint32_t)si;
        } else {
            // The values may differ from access to access; that they stay in the range is all the argument needs.
            if (f->vars[i] >= sc->var_cap || !sc->ever[f->vars[i]].known) continue;
            r.coef = magnitude(f->coefs[i]);
            r.span = (uint64_t)(sc->ever[f->vars[i]].hi - sc->ever[f->vars[i]].lo) * r.coef;
        }
        shared[radix_count] = f->vars[i];
        radices[radix_count++] = r;
    }
    // Span + 1 of all that is smaller so far: r, first.
    uint64_t width = width_of_rest(sc, list, array, space, dim, shared, radix_count);
    if (width == 0) return;
    bool used[PASS_AFFINE_VARS] = {false};
    for (uint32_t round = 0; round < radix_count; round++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t j = 0; j < radix_count; j++)
            if (!used[j] && (best == UINT32_MAX || radices[j].coef < radices[best].coef)) best = j;
        used[best] = true;
        if (radices[best].coef < width) return;
        width += radices[best].span;
    }
    for (uint32_t j = 0; j < radix_count; j++)
        if (radices[j].space_index != UINT32_MAX) *determined |= 1u << radices[j].space_index;
}

bool pass_owned(const struct pass_scope *sc, const struct pass_accesses *list, ir_array array,
                const struct pass_space *space) {
    uint32_t determined = 0, all = 0;
    for (uint32_t i = 0; i < space->n; i++)
        if (space->extents[i] > 1) all |= 1u << i;
    for (uint32_t d = 0; d < sc->u->arrays[array].ndims; d++)
        determine(sc, list, array, space, d, &determined);
    return (determined & all) == all;
}
