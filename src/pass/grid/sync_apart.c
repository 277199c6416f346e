// Accesses of two phases that never meet in an element, by the bounds of their indices:
//
//   for (k) { d = a[k][k];  for (i from k + 1, parallel) for (j from k + 1) a[i][j] -= ...;  }
//
// An index is at least, and at most, what it is where the counters in it stand at their ends: sums of parameters,
// constants and counters of the sequential loops around. In one pass such a counter k is the same on both sides; of two
// passes of its loop the later one's is by some steps more. Elements are apart where in one dimension the largest index
// of one side is less than the smallest of the other, whatever k is.
#include <string.h>

#include "pass/grid/sync.h"

enum { DEEPEST = 8 }; // counters whose ends name counters

struct pass_ends { // by variable
    ir_expr lo, hi;
    int32_t step;
    bool several; // it counts loops with other ends, too
};

static void note(struct pass_syncer *x, ir_var v, ir_expr lo, ir_expr hi, int32_t step) {
    struct pass_ends *e = &x->ends[v];
    if (e->lo && (!ir_same_expr(x->u, e->lo, lo) || !ir_same_expr(x->u, e->hi, hi) || e->step != step))
        e->several = true;
    *e = (struct pass_ends){lo, hi, step, e->several};
}

static bool on_loop(void *user, ir_stmt s) {
    struct pass_syncer *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_FOR) note(x, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step);
    for (uint32_t d = 0; n->kind == IR_PARFOR && d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        note(x, dim->var, dim->lo, dim->hi, dim->step);
    }
    return true;
}

void pass_find_ends(struct pass_syncer *x) {
    x->ends = base_alloc_array(x->u->cx, x->u->var_count, sizeof *x->ends);
    ir_walk_stmts(x->u, x->u->root, on_loop, x);
    for (ir_var v = 1; v < x->u->var_count; v++) // a counter that is set is no counter
        x->ends[v].several |= x->ends[v].lo && x->scope.assign_count[v] > 0;
}

// Of where a loop ends: sums and differences. Its variables are those of that place, which the scope has left.
static struct pass_affine sum_of(const struct ir_unit *u, ir_expr e) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t value;
    if (ir_is_const(u, e, &value) && n->type == IR_I32)
        return (struct pass_affine){.ok = true, .constant = (int32_t)value};
    if (n->op == IR_VAR && n->type == IR_I32)
        return (struct pass_affine){.ok = true, .n = 1, .vars = {n->a}, .coefs = {1}};
    if (n->op != IR_ADD && n->op != IR_SUB) return (struct pass_affine){.ok = false};
    struct pass_affine a = sum_of(u, n->a), b = sum_of(u, n->b);
    return a.ok && b.ok ? pass_affine_sum(n->op == IR_ADD ? 1 : -1, &b, &a) : (struct pass_affine){.ok = false};
}

// The largest value, or the smallest, of a counter.
static struct pass_affine end_of(struct pass_syncer *x, ir_var v, bool largest) {
    const struct pass_ends *e = &x->ends[v];
    bool last = largest == (e->step > 0);
    struct pass_affine f = sum_of(x->u, last ? e->hi : e->lo);
    if (last) f.constant += e->step > 0 ? -1 : 1;
    return f;
}

static struct pass_affine without(const struct pass_affine *f, uint32_t at) {
    struct pass_affine g = *f;
    g.n--;
    g.vars[at] = g.vars[g.n];
    g.coefs[at] = g.coefs[g.n];
    return g;
}

// What both sides have alike: parameters, counters of loops around.
struct alike {
    const ir_stmt *loops; // NULL: all that there are
    uint32_t count;
};
static bool is_alike(const struct pass_syncer *x, const struct alike *alike, ir_var v) {
    if (x->u->vars[v].klass == IR_VAR_PARAM) return true;
    if (!alike->loops) return alike->count && x->u->vars[v].klass == IR_VAR_ENTRY && x->ends[v].lo;
    for (uint32_t i = 0; i < alike->count; i++) {
        const struct ir_stmt_node *n = &x->u->stmts[alike->loops[i]];
        if (n->kind == IR_FOR && n->counted.var == v) return true;
    }
    return false;
}

// The largest or the smallest value of an index, made of what is alike alone. Not ok: nobody knows.
static struct pass_affine bound(struct pass_syncer *x, struct pass_affine f, bool largest, const struct alike *alike) {
    for (uint32_t round = 0; round < DEEPEST && f.ok; round++) {
        uint32_t at = 0;
        while (at < f.n && is_alike(x, alike, f.vars[at]))
            at++;
        if (at == f.n) return f;
        ir_var v = f.vars[at];
        if (!x->ends[v].lo || x->ends[v].several) break;
        struct pass_affine rest = without(&f, at), end = end_of(x, v, largest == (f.coefs[at] > 0));
        if (!end.ok) break;
        f = pass_affine_sum(f.coefs[at], &end, &rest);
    }
    f.ok = false;
    return f;
}

// `high` is less than `low`, where what is left of k grows by `each` with every pass that lies between, from `passes`
// on; 0: they are of one pass.
static bool is_less(const struct pass_affine *high, const struct pass_affine *low, int64_t each, int64_t passes) {
    struct pass_affine way = pass_affine_sum(-1, low, high);
    if (!high->ok || !low->ok || !way.ok || way.n > 0) return false;
    return passes == 0 ? way.constant < 0 : each <= 0 && way.constant + each * passes < 0;
}

// q is of a pass of the loop that is `passes` behind that of p, or more; 0: of the same.
static bool are_apart(struct pass_syncer *x, const struct pass_access *p, const struct pass_access *q,
                      const struct alike *alike, ir_stmt loop, int64_t passes) {
    const struct ir_stmt_node *n = &x->u->stmts[loop];
    for (uint32_t d = 0; d < p->n && d < q->n; d++) {
        struct pass_affine p_most = bound(x, p->sub[d], true, alike), q_least = bound(x, q->sub[d], false, alike);
        int64_t each = passes ? -n->counted.step * pass_affine_coef(&q_least, n->counted.var) : 0;
        if (is_less(&p_most, &q_least, each, passes)) return true;
        struct pass_affine q_most = bound(x, q->sub[d], true, alike), p_least = bound(x, p->sub[d], false, alike);
        each = passes ? n->counted.step * pass_affine_coef(&q_most, n->counted.var) : 0;
        if (is_less(&q_most, &p_least, each, passes)) return true;
    }
    return false;
}

bool pass_apart_in_pass(struct pass_syncer *x, const struct pass_access *p, const struct pass_access *q) {
    const struct alike around = {NULL, 1}, nothing = {NULL, 0};
    return are_apart(x, p, q, &around, 0, 0) || are_apart(x, p, q, &nothing, 0, 0);
}

bool pass_apart_by_bounds(struct pass_syncer *x, const struct pass_phase *a, const struct pass_access *p,
                          const struct pass_phase *b, const struct pass_access *q, bool anew) {
    const struct alike nothing = {NULL, 0};
    if (are_apart(x, p, q, &nothing, 0, 0)) return true;
    if (anew) return false;
    uint32_t common = 0;
    while (common < a->depth && common < b->depth && a->loops[common] == b->loops[common])
        common++;
    const struct alike same = {a->loops, common};
    if (!common || (a < b && !are_apart(x, p, q, &same, 0, 0))) return false;
    const struct alike outer = {a->loops, common - 1};
    ir_stmt loop = a->loops[common - 1];
    return x->u->stmts[loop].kind == IR_FOR ? are_apart(x, p, q, &same, loop, 1) : are_apart(x, p, q, &outer, 0, 0);
}
