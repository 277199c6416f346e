// A parallel loop that stores all elements of an array, each once, though nobody sees which iteration stores which:
//
//   parallel for (i < n / 2) { b[2 * i] = ...; b[2 * i + 1] = ...; }      p = i / s, q = i % s: b[q + 2 * s * p], ...
//
// The law: as many stores are made as the array has elements; no two iterations store the same one, for that would be a
// race; and no two stores of an iteration do, for the difference of their places is never 0. So none is left out. A
// place that is read from memory says nothing: there, programs let iterations store equal values in one place.
#include "pass/passes.h"

struct term {
    int64_t factor;
    ir_var vars[PASS_COVER_FACTORS]; // ascending
    uint32_t count;
};
struct sum {
    struct term terms[PASS_COVER_TERMS];
    uint32_t count;
    bool ok;
};

static bool same_vars(const struct term *a, const struct term *b) {
    bool same = a->count == b->count;
    for (uint32_t i = 0; i < a->count && same; i++)
        same = a->vars[i] == b->vars[i];
    return same;
}

static void add_term(struct sum *to, struct term t) {
    uint32_t i = 0;
    while (i < to->count && !same_vars(&to->terms[i], &t))
        i++;
    to->ok &= i < PASS_COVER_TERMS && t.factor > -INT32_MAX && t.factor < INT32_MAX;
    if (!to->ok) return;
    if (i == to->count) to->terms[to->count++] = (struct term){.count = t.count};
    for (uint32_t k = 0; k < t.count; k++)
        to->terms[i].vars[k] = t.vars[k];
    to->terms[i].factor += t.factor;
    if (to->terms[i].factor == 0) to->terms[i] = to->terms[--to->count];
}

static struct term product_of(const struct term *a, const struct term *b, bool *io_ok) {
    struct term t = {.factor = a->factor * b->factor};
    *io_ok &= a->count + b->count <= PASS_COVER_FACTORS;
    for (uint32_t i = 0, k = 0; *io_ok && i + k < a->count + b->count;) {
        bool first = k == b->count || (i < a->count && a->vars[i] <= b->vars[k]);
        t.vars[t.count++] = first ? a->vars[i++] : b->vars[k++];
    }
    return t;
}

// The expression as a sum of products of variables that have one value in the iteration.
static struct sum sum_of(const struct pass_scope *sc, ir_expr e, uint32_t depth) {
    const struct ir_node n = sc->u->nodes[e];
    struct sum out = {.ok = n.type == IR_I32 && depth < PASS_COVER_DEEPEST}, a, b;
    uint32_t bits;
    if (!out.ok) return out;
    if (ir_is_const(sc->u, e, &bits)) {
        if (bits) add_term(&out, (struct term){.factor = (int32_t)bits});
        return out;
    }
    if (n.op == IR_VAR) {
        out.ok = pass_scope_stable(sc, n.a);
        add_term(&out, (struct term){1, {n.a}, 1});
        return out;
    }
    bool is_product = n.op == IR_MUL;
    out.ok = is_product || n.op == IR_ADD || n.op == IR_SUB;
    if (!out.ok) return out;
    a = sum_of(sc, n.a, depth + 1);
    b = sum_of(sc, n.b, depth + 1);
    out.ok = a.ok && b.ok;
    for (uint32_t i = 0; i < a.count && out.ok; i++) {
        if (!is_product) add_term(&out, a.terms[i]);
        for (uint32_t k = 0; k < b.count && is_product && out.ok; k++) {
            struct term t = product_of(&a.terms[i], &b.terms[k], &out.ok);
            add_term(&out, t);
        }
    }
    for (uint32_t k = 0; k < b.count && !is_product; k++) {
        if (n.op == IR_SUB) b.terms[k].factor = -b.terms[k].factor;
        add_term(&out, b.terms[k]);
    }
    return out;
}

// a - b, which no value of the variables makes 0. It is computed with 32 bits, so a product of two may well be.
static bool never_equal(const struct pass_scope *sc, ir_expr a, ir_expr b) {
    struct sum one = sum_of(sc, a, 0), two = sum_of(sc, b, 0);
    for (uint32_t i = 0; i < two.count && one.ok; i++) {
        two.terms[i].factor = -two.terms[i].factor;
        add_term(&one, two.terms[i]);
    }
    if (!one.ok || !two.ok || one.count != 1) return false;
    const struct term *t = &one.terms[0];
    if (t->count == 0) return true;
    struct pass_range r = pass_range_of(sc, ir_var_read(sc->u, t->vars[0], 0));
    return t->count == 1 && (t->factor == 1 || t->factor == -1) && r.known && (r.lo > 0 || r.hi < 0);
}

struct places {
    const struct pass_scope *sc;
    uint32_t depth;
    bool from_memory;
};
static bool on_place(void *user, ir_expr e) {
    struct places *x = user;
    const struct ir_unit *u = x->sc->u;
    const struct ir_node *n = &u->nodes[e];
    x->from_memory |= n->op == IR_LOAD;
    if (x->from_memory || n->op != IR_VAR || u->vars[n->a].klass != IR_VAR_LOCAL) return !x->from_memory;
    if (n->a < x->sc->var_cap && x->sc->assign_count[n->a] == 0) return true; // it counts a loop
    ir_expr is = n->a < x->sc->var_cap ? x->sc->definition[n->a] : 0;
    struct places inner = {x->sc, x->depth + 1, !is || x->depth == PASS_COVER_DEEPEST};
    if (!inner.from_memory) ir_walk_expr(u, is, on_place, &inner);
    x->from_memory |= inner.from_memory;
    return !x->from_memory;
}

// Some index of the two differs for certain.
static bool are_apart(const struct pass_scope *sc, ir_stmt a, ir_stmt b) {
    const struct ir_stmt_node one = sc->u->stmts[a], two = sc->u->stmts[b];
    for (uint32_t d = 0; d < one.store.index_count; d++)
        if (never_equal(sc, sc->u->args[one.store.indices + d], sc->u->args[two.store.indices + d])) return true;
    return false;
}

// An index that is the same in all the stores, and different in any two passes of the loop that counts by v.
static bool tell_passes(const struct pass_scope *sc, const ir_stmt *list, uint32_t count, ir_var v) {
    const struct ir_unit *u = sc->u;
    const struct ir_stmt_node first = u->stmts[list[0]];
    for (uint32_t d = 0; d < first.store.index_count; d++) {
        ir_expr index = u->args[first.store.indices + d];
        struct sum sum = sum_of(sc, index, 0);
        uint32_t linear = 0, other = 0;
        for (uint32_t i = 0; i < sum.count; i++)
            for (uint32_t k = 0; k < sum.terms[i].count; k++) {
                bool is_it = sum.terms[i].vars[k] == v;
                linear += is_it && sum.terms[i].count == 1;
                other += is_it && sum.terms[i].count > 1;
            }
        bool same = sum.ok && linear == 1 && !other;
        for (uint32_t i = 1; i < count && same; i++)
            same = ir_same_expr(u, index, u->args[u->stmts[list[i]].store.indices + d]);
        if (same) return true;
    }
    return false;
}

// The statements of the block, which is run so many times, store all of the array. loops: those around it in an
// iteration.
static bool stores_all(struct pass_scope *sc, ir_stmt block, ir_array a, uint64_t times, const ir_stmt *loops,
                       uint32_t depth) {
    const struct ir_unit *u = sc->u;
    ir_stmt list[PASS_COVER_STORES];
    struct places places = {.sc = sc};
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind != IR_STORE || n.store.array != a) continue;
        for (uint32_t d = 0; d < n.store.index_count; d++)
            ir_walk_expr(u, u->args[n.store.indices + d], on_place, &places);
        if (count == PASS_COVER_STORES || places.from_memory) return false;
        for (uint32_t i = 0; i < count; i++)
            if (!are_apart(sc, list[i], s)) return false;
        list[count++] = s;
    }
    for (uint32_t i = 0; i < depth; i++)
        if (!tell_passes(sc, list, count, u->stmts[loops[i]].counted.var)) return false;
    return count * times == pass_elements(u, a, 0, UINT32_MAX - 1);
}

static void look_in(struct pass_covered *x, struct pass_scope *sc, ir_stmt parfor, ir_stmt block, uint64_t times,
                    ir_stmt *loops, uint32_t depth) {
    const struct ir_unit *u = sc->u;
    uint64_t trips;
    uint32_t first = x->count;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN) pass_scope_assign(sc, s);
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        bool known = n.kind != IR_STORE;
        for (uint32_t i = first; i < x->count && !known; i++)
            known = x->list[i].array == n.store.array;
        if (!known && stores_all(sc, block, n.store.array, times, loops, depth)) {
            BASE_RESERVE(u->cx, x->list, x->count, x->cap);
            x->list[x->count++] = (struct pass_cover){parfor, n.store.array};
        }
        if (n.kind != IR_FOR || depth == IR_MAX_DIMS || !ir_const_trips(u, s, &trips) || times * trips > UINT32_MAX ||
            pass_leaves_loop(u, n.counted.body))
            continue;
        uint32_t mark = pass_scope_enter(sc);
        pass_scope_loop(sc, s);
        loops[depth] = s;
        look_in(x, sc, parfor, n.counted.body, times * trips, loops, depth + 1);
        pass_scope_leave(sc, mark);
    }
}

static void look(void *user, struct pass_scope *sc, ir_stmt parfor) {
    ir_stmt loops[IR_MAX_DIMS];
    uint64_t iterations;
    if (!pass_iterations(sc, parfor, &iterations)) return;
    uint32_t mark = pass_scope_enter(sc);
    pass_scope_parfor(sc, parfor);
    look_in(user, sc, parfor, sc->u->stmts[parfor].parfor.body, iterations, loops, 0);
    pass_scope_leave(sc, mark);
}

void pass_find_covered(struct ir_unit *u, struct pass_covered *out) {
    struct pass_scope sc;
    *out = (struct pass_covered){0};
    pass_scope_init(&sc, u);
    pass_each_parfor(&sc, look, out);
}

bool pass_covers(const struct pass_covered *x, ir_stmt parfor, ir_array a) {
    for (uint32_t i = 0; i < x->count; i++)
        if (x->list[i].parfor == parfor && x->list[i].array == a) return true;
    return false;
}
