// How far it is from one value to another, and so how often a loop between them is passed. Its bounds may move
// together, as those of a thread's share do: from t * 100 to the lesser of t * 100 + 100 and n.
#include "pass/cost.h"
#include "pass/passes.h"

static const struct pass_range anything = {INT64_MIN, INT64_MAX, true};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

// b - a, where that is a form.
static struct pass_affine way_between(const struct pass_scope *sc, ir_expr a, ir_expr b) {
    struct pass_affine f = pass_affine_of(sc, a), g = pass_affine_of(sc, b);
    struct pass_affine way = pass_affine_sum(-1, &f, &g);
    way.ok &= f.ok && g.ok;
    return way;
}

// Of whole numbers, a > b ? x : y is the greater one of x and y if x - y is a - b, or one less, as in
// i > 0 ? i - 1 : 0; and so is a >= b ? x : y if it is that, or one more.
static bool is_greater(const struct pass_scope *sc, ir_expr a, ir_expr b, bool or_equal, ir_expr x, ir_expr y) {
    struct pass_affine test = way_between(sc, b, a), of = way_between(sc, y, x);
    if (!test.ok || !of.ok) return ir_same_expr(sc->u, a, x) && ir_same_expr(sc->u, b, y);
    struct pass_affine more = pass_affine_sum(-1, &test, &of);
    return more.ok && !more.n && (more.constant == 0 || more.constant == (or_equal ? 1 : -1));
}

// The expression is the lesser, or the greater, one of two.
static bool is_choice(const struct pass_scope *sc, ir_expr e, bool lesser, ir_expr out[2]) {
    const struct ir_unit *u = sc->u;
    const struct ir_node n = u->nodes[e];
    if (n.op == IR_MIN || n.op == IR_MAX) {
        out[0] = n.a, out[1] = n.b;
        return lesser == (n.op == IR_MIN);
    }
    if (n.op != IR_SELECT) return false;
    const struct ir_node test = u->nodes[n.a];
    bool less = test.op == IR_LT || test.op == IR_LE, more = test.op == IR_GT || test.op == IR_GE;
    if ((!less && !more) || u->nodes[test.a].type != u->nodes[n.b].type) return false;
    out[0] = n.b, out[1] = n.c;
    ir_expr a = less ? test.b : test.a, b = less ? test.a : test.b; // x if a > b
    return is_greater(sc, a, b, test.op == IR_LE || test.op == IR_GE, lesser ? n.c : n.b, lesser ? n.b : n.c);
}

// What a form of variables lies between.
static struct pass_range range_of_form(const struct pass_scope *sc, const struct pass_affine *f) {
    struct pass_range all = {f->constant, f->constant, f->ok};
    for (uint32_t i = 0; i < f->n && all.known; i++) {
        struct pass_range r = pass_range_of_var(sc, f->vars[i]);
        int64_t a, b;
        all.known = r.known && !__builtin_mul_overflow(r.lo, f->coefs[i], &a) &&
                    !__builtin_mul_overflow(r.hi, f->coefs[i], &b) &&
                    !__builtin_add_overflow(all.lo, least(a, b), &all.lo) &&
                    !__builtin_add_overflow(all.hi, most(a, b), &all.hi);
    }
    return all.known ? all : anything;
}

static struct pass_range both(struct pass_range a, struct pass_range b) {
    return (struct pass_range){most(a.lo, b.lo), least(a.hi, b.hi), true};
}

// to - from
static struct pass_range span(const struct pass_scope *sc, ir_expr from, ir_expr to, int depth) {
    const struct ir_unit *u = sc->u;
    struct pass_affine way = way_between(sc, from, to);
    struct pass_range r = pass_range_of(sc, from), s = pass_range_of(sc, to), out = anything;
    if (r.known && s.known) out = (struct pass_range){s.lo - r.hi, s.hi - r.lo, true};
    if (way.ok) out = both(out, range_of_form(sc, &way));
    for (int k = 0; k < 4 && depth < PASS_SPAN_CHOICES; k++) {
        bool of_to = k & 1, lesser = k & 2;
        ir_expr of[2];
        if (!is_choice(sc, of_to ? to : from, lesser, of)) continue;
        struct pass_range x = of_to ? span(sc, from, of[0], depth + 1) : span(sc, of[0], to, depth + 1),
                          y = of_to ? span(sc, from, of[1], depth + 1) : span(sc, of[1], to, depth + 1);
        bool nearer = of_to == lesser; // the smaller span is the one that counts
        out = both(out, nearer ? (struct pass_range){least(x.lo, y.lo), least(x.hi, y.hi), true}
                               : (struct pass_range){most(x.lo, y.lo), most(x.hi, y.hi), true});
    }
    for (int side = 0; side < 2 && depth < PASS_SPAN_CHOICES; side++) {
        ir_expr e = side ? to : from;
        ir_var v = u->nodes[e].op == IR_VAR ? u->nodes[e].a : 0;
        ir_expr made = v && v < sc->var_cap ? sc->definition[v] : 0;
        if (made) out = both(out, span(sc, side ? from : made, side ? made : to, depth + 1));
    }
    return out;
}

static uint64_t trips_of(int64_t way, int32_t step) {
    int64_t each = step > 0 ? step : -(int64_t)step;
    return way <= 0 ? 0 : ((uint64_t)way + (uint64_t)each - 1) / (uint64_t)each;
}

bool pass_trip_count(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step, uint64_t *out) {
    struct pass_range a = pass_range_of(sc, lo), b = pass_range_of(sc, hi);
    if (!a.known || !b.known || a.lo != a.hi || b.lo != b.hi || step == 0) return false;
    *out = trips_of(step > 0 ? b.lo - a.lo : a.lo - b.lo, step);
    return true;
}

bool pass_exact_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step, uint64_t *out) {
    if (step == 0) return false;
    struct pass_range way = step > 0 ? span(sc, lo, hi, 0) : span(sc, hi, lo, 0);
    *out = trips_of(way.hi, step);
    return way.hi != INT64_MAX && *out == trips_of(way.lo, step);
}

uint64_t pass_most_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step) {
    if (step == 0) return UINT64_MAX;
    struct pass_range way = step > 0 ? span(sc, lo, hi, 0) : span(sc, hi, lo, 0);
    return way.hi == INT64_MAX ? UINT64_MAX : trips_of(way.hi, step);
}

uint64_t pass_middle_trips(const struct pass_scope *sc, ir_expr lo, ir_expr hi, int32_t step) {
    if (step == 0) return 0;
    struct pass_range way = step > 0 ? span(sc, lo, hi, 0) : span(sc, hi, lo, 0);
    if (way.hi == INT64_MAX) return 0;
    return (trips_of(way.hi, step) + trips_of(way.lo, step)) / 2;
}
