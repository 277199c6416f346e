#include "pass/analysis/condition_ranges.h"
#include "pass/cost.h"

// e is in [lo, hi] here. Said of variables that have one value as long as the condition is relied on, and through sums
// that cannot wrap.
static void narrow(struct pass_narrow *x, ir_expr e, int64_t lo, int64_t hi, int depth) {
    const struct ir_unit *u = x->sc->u;
    const struct ir_node *n = &u->nodes[e];
    struct pass_range r = pass_range_below(x->sc, e, depth);
    if (n->type == IR_U32 && lo < 0) lo = 0;
    if ((n->op == IR_I2U || n->op == IR_U2I) && lo >= 0 && hi <= INT32_MAX) { // the same bits mean the same number
        narrow(x, n->a, lo, hi, depth);
        return;
    }
    if ((n->op == IR_ADD || n->op == IR_SUB) && r.known) {
        struct pass_range a = pass_range_below(x->sc, n->a, depth), b = pass_range_below(x->sc, n->b, depth);
        if (!a.known || !b.known || b.lo != b.hi) return;
        int64_t c = n->op == IR_ADD ? b.lo : -b.lo;
        narrow(x, n->a, lo - c, hi - c, depth);
        return;
    }
    if (n->op != IR_VAR || n->a >= x->sc->var_cap || !(x->sc->anywhere || pass_scope_stable(x->sc, n->a))) return;
    r = pass_range_of_type(r, (enum ir_type)n->type);
    r.lo = lo > r.lo ? lo : r.lo;
    r.hi = hi < r.hi ? hi : r.hi;
    if (r.lo > r.hi) return; // never here
    BASE_RESERVE(u->cx, x->list, x->count, x->cap);
    x->list[x->count++] = (struct pass_narrowed){n->a, x->sc->range[n->a]};
    x->sc->range[n->a] = r;
}

void pass_widen_again(struct pass_narrow *x, uint32_t mark) {
    while (x->count > mark) {
        const struct pass_narrowed *n = &x->list[--x->count];
        if (n->var) x->sc->range[n->var] = n->before;
    }
}

// e, which is in `r`, is not the one number that `other` has: that matters at an end of its range.
static void exclude(struct pass_narrow *x, ir_expr e, struct pass_range r, struct pass_range other, int depth) {
    if (other.lo != other.hi || r.lo >= r.hi) return;
    if (r.lo == other.lo) narrow(x, e, r.lo + 1, r.hi, depth);
    if (r.hi == other.lo) narrow(x, e, r.lo, r.hi - 1, depth);
}

static void assume(struct pass_narrow *x, ir_expr cond, bool holds, int depth) {
    const struct ir_node *n = &x->sc->u->nodes[cond];
    if (depth > PASS_AFFINE_RECURSION || !*x->sc->steps) return;
    --*x->sc->steps;
    if (n->op == IR_VAR && n->a < x->sc->var_cap && x->sc->definition[n->a]) {
        assume(x, x->sc->definition[n->a], holds, depth + 1);
    } else if (n->op == IR_NOT) {
        assume(x, n->a, !holds, depth + 1);
    } else if (n->op == (holds ? IR_LAND : IR_LOR)) {
        assume(x, n->a, holds, depth + 1);
        assume(x, n->b, holds, depth + 1);
    } else if (n->op >= IR_EQ && n->op <= IR_GE) {
        enum ir_type type = (enum ir_type)x->sc->u->nodes[n->a].type;
        uint8_t op = holds ? n->op : pass_negated(n->op);
        if (type != IR_I32 && type != IR_U32) return; // of floats, where NaN is, the negation is not the opposite
        struct pass_range a = pass_range_of_type(pass_range_below(x->sc, n->a, depth), type),
                          b = pass_range_of_type(pass_range_below(x->sc, n->b, depth), type);
        int64_t less = op == IR_LT || op == IR_GT; // 1: strictly
        if (op == IR_LT || op == IR_LE || op == IR_EQ) {
            narrow(x, n->a, INT64_MIN / 4, b.hi - less, depth);
            narrow(x, n->b, a.lo + less, INT64_MAX / 4, depth);
        }
        if (op == IR_GT || op == IR_GE || op == IR_EQ) {
            narrow(x, n->a, b.lo + less, INT64_MAX / 4, depth);
            narrow(x, n->b, INT64_MIN / 4, a.hi - less, depth);
        }
        if (op == IR_NE) {
            exclude(x, n->a, a, b, depth);
            exclude(x, n->b, b, a, depth);
        }
    }
}

void pass_assume(struct pass_narrow *x, ir_expr cond, bool holds) {
    *x->sc->steps = PASS_AFFINE_STEPS;
    assume(x, cond, holds, 0);
}

void pass_assume_between(struct pass_narrow *x, ir_expr e, int64_t lo, int64_t hi) {
    *x->sc->steps = PASS_AFFINE_STEPS;
    narrow(x, e, lo, hi, 0);
}

struct pass_range pass_range_of_side(const struct pass_scope *sc, ir_expr cond, bool holds, ir_expr e, int depth) {
    struct pass_narrowed room[4];
    struct pass_narrow x = {.sc = sc, .list = room, .cap = sizeof room / sizeof *room};
    assume(&x, cond, holds, depth);
    struct pass_range r = pass_range_below(sc, e, depth);
    pass_widen_again(&x, 0);
    return r;
}

void pass_narrow_drop(struct pass_narrow *x) {
    for (uint32_t i = x->count; i-- > 0;) {
        if (x->list[i].var) x->sc->range[x->list[i].var] = x->list[i].before;
        x->list[i].var = 0;
    }
}
