#include "pass/analysis/condition_ranges.h"
#include "pass/cost.h"
#include "pass/passes.h"

#include <string.h>

static bool count_assign(void *user, ir_stmt s) {
    struct pass_scope *sc = user;
    const struct ir_stmt_node *n = &sc->u->stmts[s];
    if (n->kind == IR_ASSIGN || n->kind == IR_COMBINE || n->kind == IR_AGREE) sc->assign_count[ir_written_var(n)]++;
    if (n->kind == IR_ATOMIC && n->atomic.old) sc->assign_count[n->atomic.old] += 2;
    if (n->kind == IR_NEIGHBOUR) sc->assign_count[n->neighbour.var] += 2;
    if (n->kind == IR_PARFOR)
        for (uint32_t r = 0; r < n->parfor.reduction_count; r++)
            sc->assign_count[sc->u->reductions[n->parfor.reductions + r].var] += 2; // never a single definition
    return true;
}

void pass_scope_begin(struct pass_scope *sc, struct ir_unit *u) {
    memset(sc, 0, sizeof *sc);
    sc->u = u;
    sc->var_cap = u->var_count;
    sc->steps = base_alloc_array(u->cx, 1, sizeof *sc->steps);
    sc->played = base_alloc_array(u->cx, 1, sizeof *sc->played);
    *sc->played = PASS_PERMUTED_ALL;
    sc->assign_count = base_alloc_array(u->cx, u->var_count, sizeof *sc->assign_count);
    sc->definition = base_alloc_array(u->cx, u->var_count, sizeof *sc->definition);
    sc->in_scope = base_alloc_array(u->cx, u->var_count, sizeof *sc->in_scope);
    sc->range = base_alloc_array(u->cx, u->var_count, sizeof *sc->range);
    sc->ever = base_alloc_array(u->cx, u->var_count, sizeof *sc->ever);
    sc->unbounded = base_alloc_array(u->cx, u->var_count, sizeof *sc->unbounded);
    ir_walk_stmts(u, u->root, count_assign, sc);
}

void pass_scope_init(struct pass_scope *sc, struct ir_unit *u) {
    pass_scope_begin(sc, u);
    sc->always = pass_find_always(sc);
}

uint32_t pass_scope_enter(struct pass_scope *sc) {
    sc->depth++;
    return sc->trail_count;
}

void pass_scope_leave(struct pass_scope *sc, uint32_t mark) {
    sc->depth--;
    while (sc->trail_count > mark) {
        ir_var v = sc->trail[--sc->trail_count];
        sc->definition[v] = 0;
        sc->in_scope[v] = false;
        sc->range[v].known = false;
    }
}

static void remember(struct pass_scope *sc, ir_var v) {
    struct pass_range r = sc->range[v], *ever = &sc->ever[v];
    if (!r.known) sc->unbounded[v] = true; // in one scope is enough
    if (sc->unbounded[v]) {
        ever->known = false;
    } else if (ever->known) {
        ever->lo = r.lo < ever->lo ? r.lo : ever->lo;
        ever->hi = r.hi > ever->hi ? r.hi : ever->hi;
    } else {
        *ever = r;
    }
    BASE_RESERVE(sc->u->cx, sc->trail, sc->trail_count, sc->trail_cap);
    sc->trail[sc->trail_count++] = v;
}

bool pass_scope_stable(const struct pass_scope *sc, ir_var v) {
    if (v >= sc->var_cap) return false;
    return sc->assign_count[v] == 0 || (sc->assign_count[v] == 1 && sc->in_scope[v]);
}

struct stability {
    const struct pass_scope *sc;
    bool stable;
};

static bool check_stable(void *user, ir_expr e) {
    struct stability *st = user;
    const struct ir_node *n = &st->sc->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && !pass_scope_stable(st->sc, n->a))) st->stable = false;
    return st->stable;
}

void pass_scope_assign(struct pass_scope *sc, ir_stmt s) {
    const struct ir_stmt_node *n = &sc->u->stmts[s];
    if (n->kind != IR_ASSIGN || n->assign.var >= sc->var_cap || sc->assign_count[n->assign.var] != 1) return;
    // A definition that reads something mutable may not be looked through: the variable is then an atom of its own.
    struct stability st = {sc, true};
    ir_walk_expr(sc->u, n->assign.value, check_stable, &st);
    sc->in_scope[n->assign.var] = true;
    sc->definition[n->assign.var] = st.stable ? n->assign.value : 0;
    if (!st.stable) sc->range[n->assign.var] = pass_range_of(sc, n->assign.value);
    remember(sc, n->assign.var);
}

static struct pass_range fits(struct pass_range r, enum ir_type type) {
    int64_t lo = type == IR_U32 ? 0 : INT32_MIN, hi = type == IR_U32 ? (int64_t)UINT32_MAX : INT32_MAX;
    if (r.known && (r.lo < lo || r.hi > hi)) r.known = false; // it might wrap
    return r;
}

// `ahead`: how far beyond its bounds the variable is counted or started before the end is seen. Where it could wrap on
// the way, it may come to any value.
static void set_header_range(struct pass_scope *sc, ir_var var, ir_expr lo, ir_expr hi, int32_t step, int64_t ahead) {
    if (var >= sc->var_cap) return;
    struct pass_range first = pass_range_of(sc, lo), bound = pass_range_of(sc, hi), r = {0};
    if (first.known && bound.known) {
        r = step > 0 ? (struct pass_range){first.lo, bound.hi - 1, true}
                     : (struct pass_range){bound.lo + 1, first.hi, true};
        if (r.hi < r.lo) r.hi = r.lo; // an empty loop: any range will do
        if (first.lo == first.hi) {   // it comes to every step-th value
            if (step > 0)
                r.hi -= (r.hi - r.lo) % step;
            else
                r.lo += (r.hi - r.lo) % -(int64_t)step;
        }
        int64_t last = step > 0 ? (r.hi > first.hi ? r.hi : first.hi) : (r.lo < first.lo ? r.lo : first.lo);
        struct pass_range end = {last, last, true};
        end.lo -= step < 0 ? ahead : 0;
        end.hi += step > 0 ? ahead : 0;
        r.known = fits(end, (enum ir_type)sc->u->vars[var].type).known;
    }
    if (!r.known) {
        sc->unbounded[var] = true;
        sc->ever[var].known = false;
        return;
    }
    sc->range[var] = r;
    remember(sc, var);
}

void pass_scope_loop(struct pass_scope *sc, ir_stmt s) {
    const struct ir_stmt_node *n = &sc->u->stmts[s];
    if (n->kind == IR_TURN && n->turn.index < sc->var_cap) {
        uint32_t words = 0;
        ir_is_const(sc->u, sc->u->arrays[ir_box_of(sc->u, n)].dims[1], &words);
        sc->range[n->turn.index] = (struct pass_range){0, (int64_t)words - 2, true};
        remember(sc, n->turn.index);
    }
    if (n->kind != IR_FOR) return;
    int64_t step = n->counted.step, each = step > 0 ? step : -step;
    // Lanes that share it start and go on by as many steps as they are.
    set_header_range(sc, n->counted.var, n->counted.lo, n->counted.hi, n->counted.step,
                     n->flags & IR_FLAG_LANES ? each * PASS_WORKGROUP : each);
}

void pass_scope_parfor(struct pass_scope *sc, ir_stmt s) {
    const struct ir_stmt_node *n = &sc->u->stmts[s];
    for (uint32_t k = 0; k < n->parfor.dim_count; k++) {
        const struct ir_dim *d = &sc->u->dims[n->parfor.dims + k];
        set_header_range(sc, d->var, d->lo, d->hi, d->step, 0); // made from the iteration's number
    }
    if (n->flags & IR_FLAG_LANES && n->parfor.lane_var && n->parfor.lane_var < sc->var_cap) {
        sc->range[n->parfor.lane_var] = (struct pass_range){0, (int64_t)n->parfor.lanes - 1, true};
        remember(sc, n->parfor.lane_var);
    }
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

static int64_t min4(int64_t a, int64_t b, int64_t c, int64_t d) {
    int64_t x = a < b ? a : b, y = c < d ? c : d;
    return x < y ? x : y;
}
static int64_t max4(int64_t a, int64_t b, int64_t c, int64_t d) {
    int64_t x = a > b ? a : b, y = c > d ? c : d;
    return x > y ? x : y;
}

static struct pass_range product(struct pass_range a, struct pass_range b) {
    int64_t ll, lh, hl, hh;
    if (__builtin_mul_overflow(a.lo, b.lo, &ll) || __builtin_mul_overflow(a.lo, b.hi, &lh) ||
        __builtin_mul_overflow(a.hi, b.lo, &hl) || __builtin_mul_overflow(a.hi, b.hi, &hh))
        return (struct pass_range){0, 0, false};
    return (struct pass_range){min4(ll, lh, hl, hh), max4(ll, lh, hl, hh), true};
}

static struct pass_range elem_range(enum whorl_dtype elem) {
    const struct base_dtype_info *info = base_dtype(elem);
    bool is_small = info->carrier == WHORL_I32 && info->bytes < 4;
    return is_small ? (struct pass_range){(int64_t)info->lowest, (int64_t)info->highest, true}
                    : (struct pass_range){0, 0, false};
}

static bool is_opaque(const struct pass_scope *sc, ir_array a) {
    return sc->anywhere || (sc->opaque && sc->opaque[a]); // whose words are opaque is not known yet, or these are
}

static int64_t leading_zeros(int64_t v) { return v ? __builtin_clz((uint32_t)v) : 32; }

struct pass_range pass_range_of_type(struct pass_range r, enum ir_type type) {
    if (r.known) return r;
    return type == IR_U32 ? (struct pass_range){0, UINT32_MAX, true} : (struct pass_range){INT32_MIN, INT32_MAX, true};
}

static struct pass_range range_of_one(const struct pass_scope *sc, const struct ir_node *n, int depth) {
    struct pass_range none = {0, 0, false}, a = pass_range_below(sc, n->a, depth + 1);
    if (n->op == IR_CLZ && n->type == IR_U32) {
        a = pass_range_of_type(a, IR_U32);
        return (struct pass_range){leading_zeros(a.hi), leading_zeros(a.lo), true};
    }
    if (n->op == IR_CLZ || n->op == IR_CTZ || n->op == IR_POPCOUNT) return (struct pass_range){0, 32, true};
    if (!a.known || n->type != IR_I32) return none;
    if (n->op == IR_NEG) return fits((struct pass_range){-a.hi, -a.lo, true}, IR_I32);
    if (n->op != IR_ABS || a.lo == INT32_MIN) return none;
    int64_t most = -a.lo > a.hi ? -a.lo : a.hi;
    return (struct pass_range){a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, most, true};
}

// OR and MULHI of what is never negative, whatever is known of it.
static struct pass_range range_of_unsigned(const struct ir_node *n, struct pass_range a, struct pass_range b) {
    a = pass_range_of_type(a, n->type);
    b = pass_range_of_type(b, n->type);
    if (n->op == IR_MULHI)
        return (struct pass_range){(int64_t)((uint64_t)a.lo * (uint64_t)b.lo >> 32),
                                   (int64_t)((uint64_t)a.hi * (uint64_t)b.hi >> 32), true};
    return (struct pass_range){a.lo > b.lo ? a.lo : b.lo, (int64_t)((uint64_t)UINT32_MAX >> leading_zeros(a.hi | b.hi)),
                               true}; // of 0: by 32
}

static struct pass_range range_of_var(const struct pass_scope *sc, ir_var v, int depth) {
    struct pass_range r = {0, 0, false};
    if (v >= sc->var_cap) return r;
    if (sc->range[v].known) return sc->range[v];
    if (sc->definition[v]) r = pass_range_below(sc, sc->definition[v], depth + 1);
    return r.known || !sc->always ? r : sc->always[v];
}

// ---- choices ----

uint8_t pass_negated(uint8_t op) {
    switch (op) {
    case IR_LT: return IR_GE;
    case IR_GE: return IR_LT;
    case IR_GT: return IR_LE;
    case IR_LE: return IR_GT;
    case IR_EQ: return IR_NE;
    case IR_NE: return IR_EQ;
    default: return IR_CONST;
    }
}

static struct pass_range range_of_choice(const struct pass_scope *sc, const struct ir_node *n, int depth) {
    struct pass_range x = pass_range_of_side(sc, n->a, true, n->b, depth + 1),
                      y = pass_range_of_side(sc, n->a, false, n->c, depth + 1);
    if (!x.known || !y.known) return (struct pass_range){0, 0, false};
    return (struct pass_range){x.lo < y.lo ? x.lo : y.lo, x.hi > y.hi ? x.hi : y.hi, true};
}

// a - a / c * c is a % c, however a variable with one value names the quotient.
static bool is_rest(const struct pass_scope *sc, const struct ir_node *n, int64_t *c) {
    const struct ir_unit *u = sc->u;
    const struct ir_node *product = &u->nodes[n->b];
    uint32_t factor, divisor;
    if (product->op != IR_MUL || !ir_is_const(u, product->b, &factor) || (int32_t)factor <= 0) return false;
    const struct ir_node *q = &u->nodes[product->a];
    if (q->op == IR_VAR && q->a < sc->var_cap && sc->definition[q->a]) q = &u->nodes[sc->definition[q->a]];
    *c = factor;
    return q->op == IR_DIV && ir_is_const(u, q->b, &divisor) && divisor == factor && ir_same_expr(u, q->a, n->a) &&
           !pass_has_load(u, n->a);
}

struct pass_range pass_range_below(const struct pass_scope *sc, ir_expr e, int depth) {
    const struct ir_node *n = &sc->u->nodes[e];
    const struct pass_range none = {0, 0, false};
    if (depth > PASS_AFFINE_RECURSION || !*sc->steps || (n->type != IR_I32 && n->type != IR_U32)) return none;
    --*sc->steps;
    switch (n->op) {
    case IR_CONST: {
        int64_t v = n->type == IR_I32 ? (int64_t)(int32_t)n->a : (int64_t)n->a;
        return (struct pass_range){v, v, true};
    }
    case IR_VAR: return range_of_var(sc, n->a, depth);
    case IR_LOAD: return is_opaque(sc, n->a) ? none : elem_range(sc->u->arrays[n->a].elem);
    case IR_SELECT: return range_of_choice(sc, n, depth);
    case IR_I2U:
    case IR_U2I: return fits(pass_range_below(sc, n->a, depth + 1), n->type);
    default: break;
    }
    if (ir_ops[n->op].arity != 2) return ir_ops[n->op].arity == 1 ? range_of_one(sc, n, depth) : none;
    struct pass_range a = pass_range_below(sc, n->a, depth + 1), b = pass_range_below(sc, n->b, depth + 1);
    bool b_const = b.known && b.lo == b.hi;
    if (n->op == IR_AND) { // a mask that is not negative bounds the result whatever the other operand is
        if (b.known && b.lo >= 0) return (struct pass_range){0, b.hi, true};
        if (a.known && a.lo >= 0) return (struct pass_range){0, a.hi, true};
        return none;
    }
    if (n->type == IR_U32 && (n->op == IR_OR || n->op == IR_MULHI)) return range_of_unsigned(n, a, b);
    if (n->op == IR_REM && b_const && b.lo > 0) {
        if (a.known && a.lo >= 0) return (struct pass_range){0, a.hi < b.lo - 1 ? a.hi : b.lo - 1, true};
        return n->type == IR_U32 ? (struct pass_range){0, b.lo - 1, true}
                                 : (struct pass_range){-(b.lo - 1), b.lo - 1, true};
    }
    if (n->op == IR_SHR && n->type == IR_U32 && b_const && b.lo < 32 && !a.known)
        return (struct pass_range){0, (int64_t)(UINT32_MAX >> b.lo), true};
    if (n->op == IR_MIN || n->op == IR_MAX) { // one of them is enough for a bound
        a = pass_range_of_type(a, n->type);
        b = pass_range_of_type(b, n->type);
    }
    int64_t c;
    if (n->op == IR_SUB && a.known && a.lo >= 0 && is_rest(sc, n, &c))
        return (struct pass_range){0, a.hi < c ? a.hi : c - 1, true};
    if (!a.known || !b.known) return none;
    switch (n->op) {
    case IR_ADD: return fits((struct pass_range){a.lo + b.lo, a.hi + b.hi, true}, n->type);
    case IR_SUB: return fits((struct pass_range){a.lo - b.hi, a.hi - b.lo, true}, n->type);
    case IR_MUL: return fits(product(a, b), n->type);
    case IR_DIV: return b_const && b.lo > 0 ? (struct pass_range){a.lo / b.lo, a.hi / b.lo, true} : none;
    case IR_MIN: return (struct pass_range){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi, true};
    case IR_MAX: return (struct pass_range){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi, true};
    case IR_SHR:
        return b.lo >= 0 && b.hi < 32 && (b_const || a.lo >= 0) ? (struct pass_range){a.lo >> b.hi, a.hi >> b.lo, true}
                                                                : none;
    case IR_SHL:
        return b.lo >= 0 && b.hi < 31 && a.lo >= 0
                   ? fits((struct pass_range){a.lo * ((int64_t)1 << b.lo), a.hi * ((int64_t)1 << b.hi), true}, n->type)
                   : none;
    default: return none;
    }
}

struct pass_range pass_range_of(const struct pass_scope *sc, ir_expr e) {
    *sc->steps = PASS_AFFINE_STEPS;
    return pass_range_below(sc, e, 0);
}
struct pass_range pass_range_of_var(const struct pass_scope *sc, ir_var v) {
    *sc->steps = PASS_AFFINE_STEPS;
    return range_of_var(sc, v, 0);
}

// ---- loads that might not happen -----------------------------------------------------------------------------------

struct speculation {
    const struct pass_scope *sc;
    bool safe;
};
static bool speculation_node(void *user, ir_expr e) {
    struct speculation *s = user;
    const struct ir_unit *u = s->sc->u;
    const struct ir_node *n = &u->nodes[e];
    if ((n->op == IR_DIV || n->op == IR_REM) && n->type != IR_F32) {
        struct pass_range divisor = pass_range_of(s->sc, n->b);
        s->safe &= divisor.known && (divisor.lo > 0 || divisor.hi < -1);
    }
    for (uint32_t i = 0; n->op == IR_LOAD && i < n->n; i++) {
        struct pass_range index = pass_range_of(s->sc, u->args[n->b + i]);
        struct pass_range dim = pass_range_of(s->sc, u->arrays[n->a].dims[i]);
        s->safe &= index.known && dim.known && index.lo >= 0 && index.hi < dim.lo;
    }
    return s->safe;
}

bool pass_is_safe_anywhere(const struct pass_scope *sc, ir_expr e) {
    struct speculation s = {sc, true};
    ir_walk_expr(sc->u, e, speculation_node, &s);
    return s.safe;
}

// ---- affine forms ---------------------------------------------------------------------------------------------------

static bool add_term(struct pass_affine *f, ir_var var, int64_t coef) {
    for (uint32_t i = 0; i < f->n; i++)
        if (f->vars[i] == var) {
            f->coefs[i] += coef;
            if (f->coefs[i] == 0) {
                f->n--;
                f->vars[i] = f->vars[f->n];
                f->coefs[i] = f->coefs[f->n];
            }
            return true;
        }
    if (coef == 0) return true;
    if (f->n == PASS_AFFINE_VARS) return false;
    f->vars[f->n] = var;
    f->coefs[f->n++] = coef;
    return true;
}

// e: a SELECT or REM.
static bool is_chosen(const struct pass_scope *sc, ir_expr e, int64_t *way) {
    struct pass_choices *c = sc->choices;
    if (!c) return false;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].e == e) {
            *way = c->list[i].way;
            return true;
        }
    if (!c->open) c->open = e;
    return false;
}

// Adds scale * e to f. Coefficients stay far from overflow: scales beyond 2^31 are refused.
static bool add_expr(const struct pass_scope *sc, struct pass_affine *f, ir_expr e, int64_t scale, int depth) {
    const struct ir_node *n = &sc->u->nodes[e];
    int64_t way;
    if (depth > PASS_AFFINE_RECURSION || !*sc->steps || scale > INT32_MAX || scale < INT32_MIN) return false;
    struct pass_range whole = pass_range_below(sc, e, depth);
    if (whole.known && whole.lo == whole.hi) {
        int64_t scaled;
        return !__builtin_mul_overflow(scale, whole.lo, &scaled) &&
               !__builtin_add_overflow(f->constant, scaled, &f->constant);
    }
    // Signed overflow is undefined in C, so i32 arithmetic is taken as exact; u32 only where it provably does not wrap.
    bool exact = n->type == IR_I32 || (n->type == IR_U32 && whole.known);
    switch (n->op) {
    case IR_VAR:
        if (n->type != IR_I32 && n->type != IR_U32) return false;
        if (n->a < sc->var_cap && sc->definition[n->a]) {
            struct pass_affine saved = *f;
            if (add_expr(sc, f, sc->definition[n->a], scale, depth + 1)) return true;
            *f = saved;
        }
        return pass_scope_stable(sc, n->a) && add_term(f, n->a, scale);
    case IR_ADD: return exact && add_expr(sc, f, n->a, scale, depth + 1) && add_expr(sc, f, n->b, scale, depth + 1);
    case IR_SUB: return exact && add_expr(sc, f, n->a, scale, depth + 1) && add_expr(sc, f, n->b, -scale, depth + 1);
    case IR_NEG: return n->type == IR_I32 && add_expr(sc, f, n->a, -scale, depth + 1);
    case IR_MUL: {
        struct pass_range a = pass_range_below(sc, n->a, depth + 1), b = pass_range_below(sc, n->b, depth + 1);
        if (!exact) return false;
        if (b.known && b.lo == b.hi && b.lo > INT32_MIN && b.lo <= INT32_MAX)
            return add_expr(sc, f, n->a, scale * b.lo, depth + 1);
        if (a.known && a.lo == a.hi && a.lo > INT32_MIN && a.lo <= INT32_MAX)
            return add_expr(sc, f, n->b, scale * a.lo, depth + 1);
        return false;
    }
    case IR_SHL: {
        struct pass_range b = pass_range_below(sc, n->b, depth + 1);
        return exact && b.known && b.lo == b.hi && b.lo < 31 &&
               add_expr(sc, f, n->a, scale * ((int64_t)1 << b.lo), depth + 1);
    }
    case IR_I2U:
    case IR_U2I: return whole.known && add_expr(sc, f, n->a, scale, depth + 1);
    case IR_SELECT: return is_chosen(sc, e, &way) && add_expr(sc, f, way ? n->c : n->b, scale, depth + 1);
    case IR_REM: {
        struct pass_range a = pass_range_below(sc, n->a, depth + 1), b = pass_range_below(sc, n->b, depth + 1);
        int64_t taken;
        return pass_has_quotients(a, b) && is_chosen(sc, e, &way) &&
               !__builtin_mul_overflow(scale, way * b.lo, &taken) &&
               !__builtin_sub_overflow(f->constant, taken, &f->constant) && add_expr(sc, f, n->a, scale, depth + 1);
    }
    default: return false;
    }
}

bool pass_has_quotients(struct pass_range a, struct pass_range b) {
    return a.known && b.known && b.lo == b.hi && b.lo > 0 && a.lo >= 0 && a.hi <= INT32_MAX &&
           a.hi / b.lo - a.lo / b.lo < PASS_CHOICES;
}

struct pass_affine pass_affine_of(const struct pass_scope *sc, ir_expr e) {
    struct pass_affine f = {0};
    *sc->steps = PASS_AFFINE_STEPS;
    f.ok = add_expr(sc, &f, e, 1, 0);
    return f;
}

int64_t pass_affine_coef(const struct pass_affine *f, ir_var var) {
    for (uint32_t i = 0; i < f->n; i++)
        if (f->vars[i] == var) return f->coefs[i];
    return 0;
}

struct naming {
    const struct ir_unit *u;
    const ir_var *vars;
    uint32_t count;
    bool found; // one of them, or a variable that may be made of them
};
static bool on_naming(void *user, ir_expr e) {
    struct naming *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op != IR_VAR) return true;
    x->found |= x->u->vars[n->a].klass == IR_VAR_LOCAL;
    for (uint32_t k = 0; k < x->count; k++)
        x->found |= n->a == x->vars[k];
    return true;
}

bool pass_word_strides(const struct pass_scope *sc, ir_array a, const uint32_t *indices, uint32_t n, const ir_var *vars,
                       uint32_t count, int64_t *out) {
    const struct ir_unit *u = sc->u;
    int64_t stride = 1;
    for (uint32_t k = 0; k < count; k++)
        out[k] = 0;
    for (uint32_t d = n; d-- > 0;) {
        struct pass_affine f = pass_affine_of(sc, indices[d]);
        uint32_t size;
        struct naming names = {u, vars, count, false};
        if (!f.ok) ir_walk_expr(u, indices[d], on_naming, &names);
        if (names.found || !ir_is_const(u, u->arrays[a].dims[d], &size)) return false;
        for (uint32_t k = 0; k < count && f.ok; k++)
            out[k] += stride * pass_affine_coef(&f, vars[k]);
        stride *= size;
    }
    return true;
}

struct pass_affine pass_affine_sum(int64_t factor, const struct pass_affine *a, const struct pass_affine *b) {
    struct pass_affine out = *b;
    out.ok = a->ok && b->ok;
    out.constant += factor * a->constant;
    for (uint32_t i = 0; i < a->n && out.ok; i++) {
        uint32_t at = 0;
        while (at < out.n && out.vars[at] != a->vars[i])
            at++;
        if (at == PASS_AFFINE_VARS) return (struct pass_affine){0};
        if (at == out.n) {
            out.vars[out.n] = a->vars[i];
            out.coefs[out.n++] = 0;
        }
        out.coefs[at] += factor * a->coefs[i];
        if (out.coefs[at] == 0) {
            out.n--;
            out.vars[at] = out.vars[out.n];
            out.coefs[at] = out.coefs[out.n];
        }
    }
    return out;
}

static bool same_terms(const struct pass_affine *a, const struct pass_affine *b) {
    if (!a->ok || !b->ok || a->n != b->n) return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (pass_affine_coef(b, a->vars[i]) != a->coefs[i]) return false;
    return true;
}

bool pass_affine_equal(const struct pass_affine *a, const struct pass_affine *b) {
    return same_terms(a, b) && a->constant == b->constant;
}

bool pass_affine_distinct(const struct pass_affine *a, const struct pass_affine *b) {
    return same_terms(a, b) && a->constant != b->constant;
}
