// Parallel loops that are written as one, although their index is several numbers:
//
//   parallel for (t < h * w) { y = t / w; x = t % w; ... }      becomes      parallel for (y < h) (x < w) ...
//
// As a kernel's threads are numbered on a GPU; so are batches of images, pairs of bodies, weights of a layer.
//
// The law: the constant divides the number of iterations, so t = w * y + x is each of them once, in the same order.
#include "pass/cost.h"
#include "pass/loops/dimensions.h"

static bool is_plain(const struct ir_unit *u, const struct ir_dim *d, uint32_t *size) {
    uint32_t lo;
    return d->step == 1 && ir_is_const(u, d->lo, &lo) && lo == 0 && ir_is_const(u, d->hi, size) && *size <= INT32_MAX;
}

struct plain_dims {
    const struct ir_unit *u;
    struct pass_plain_dim *by_var;
};
static bool on_parfor(void *user, ir_stmt s) {
    const struct plain_dims *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    for (uint32_t d = 0; n->kind == IR_PARFOR && d < n->parfor.dim_count && n->parfor.dim_count < IR_MAX_DIMS; d++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        uint32_t size;
        if (is_plain(x->u, dim, &size)) x->by_var[dim->var] = (struct pass_plain_dim){s, d, size};
    }
    return n->kind != IR_PARFOR;
}

struct pass_plain_dim *pass_plain_dims(struct ir_unit *u) {
    struct plain_dims x = {u, base_alloc_array(u->cx, u->var_count, sizeof *x.by_var)};
    ir_walk_stmts(u, u->root, on_parfor, &x);
    return x.by_var;
}

// ---- the split ------------------------------------------------------------------------------------------------------

struct splitter {
    struct ir_unit *u;
    const struct pass_split *s;
    ir_expr whole, outer, inner; // outer * size + inner
    struct pass_digits *digits;
    bool more; // some variable was found to be one of these
};

static ir_expr scaled(struct ir_unit *u, ir_expr e, uint32_t by) {
    enum ir_type type = (enum ir_type)u->nodes[e].type;
    return by == 1 ? e : ir_op2(u, IR_MUL, e, ir_const(u, type, by), u->nodes[e].loc);
}

// The divisor of `e / c`, `e % c`, `e >> k` or `e & (c - 1)`; 0: the node is none of these.
static uint32_t divisor_of(const struct ir_unit *u, const struct ir_node *n, bool *rest) {
    uint32_t c;
    if (ir_ops[n->op].arity != 2 || !ir_is_const(u, n->b, &c)) return 0;
    *rest = n->op == IR_REM || n->op == IR_AND;
    switch (n->op) {
    case IR_DIV:
    case IR_REM: return c <= INT32_MAX ? c : 0;
    case IR_SHR: return c < 31 ? 1u << c : 0;
    case IR_AND: return c < INT32_MAX && (c & (c + 1)) == 0 ? c + 1 : 0;
    default: return 0;
    }
}

// outer * inner size + inner, divided by c, or what is left.
static ir_expr divided(const struct splitter *x, uint32_t c, bool rest, ir_expr as_is) {
    struct ir_unit *u = x->u;
    base_loc loc = u->nodes[as_is].loc;
    enum ir_type type = (enum ir_type)u->nodes[x->outer].type;
    uint32_t w = x->s->inner;
    if (c == w) return rest ? x->inner : x->outer;
    if (c % w == 0) {
        ir_expr k = ir_const(u, type, c / w);
        if (!rest) return ir_op2(u, IR_DIV, x->outer, k, loc);
        return ir_op2(u, IR_ADD, scaled(u, ir_op2(u, IR_REM, x->outer, k, loc), w), x->inner, loc);
    }
    if (w % c != 0) return as_is;
    ir_expr k = ir_const(u, type, c);
    if (rest) return ir_op2(u, IR_REM, x->inner, k, loc);
    return ir_op2(u, IR_ADD, scaled(u, x->outer, w / c), ir_op2(u, IR_DIV, x->inner, k, loc), loc);
}

// t - t / w * w is what is left, too.
static bool is_multiple(const struct splitter *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t c;
    return n->op == IR_MUL && ((n->a == x->outer && ir_is_const(x->u, n->b, &c) && c == x->s->inner) ||
                               (n->b == x->outer && ir_is_const(x->u, n->a, &c) && c == x->s->inner));
}

static ir_expr put_parts(void *user, ir_expr e) {
    const struct splitter *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    bool rest;
    if (n->op == IR_VAR) {
        ir_expr is = n->a == x->s->var ? x->whole : n->a < x->digits->var_count ? x->digits->is[n->a] : 0;
        return is ? is : e;
    }
    uint32_t c = n->a == x->whole ? divisor_of(x->u, n, &rest) : 0;
    if (c) return divided(x, c, rest, e);
    return n->op == IR_SUB && n->a == x->whole && is_multiple(x, n->b) ? x->inner : e;
}

static struct pass_digit digit_of(const struct pass_digits *d, ir_var var) {
    for (uint32_t i = 0; i < d->count; i++)
        if (d->list[i].var == var) return d->list[i];
    return (struct pass_digit){var, var, 1};
}

bool pass_is_whole(const struct pass_digits *d, ir_var var) { return d->whole[digit_of(d, var).root]; }

struct pass_split pass_split_begin(struct ir_unit *u, struct pass_digits *d, ir_var var, uint32_t inner) {
    struct pass_split s = {.var = var, .inner = inner};
    struct pass_digit digit = digit_of(d, var);
    for (int side = 0; side < 2; side++) {
        ir_var v = ir_add_var(u, u->vars[var].name, (enum ir_type)u->vars[var].type, IR_VAR_DIM, u->vars[var].loc);
        *(side ? &s.inner_var : &s.outer_var) = v;
        BASE_RESERVE(u->cx, d->list, d->count, d->cap);
        d->list[d->count++] = (struct pass_digit){v, digit.root, side ? digit.weight : digit.weight * inner};
    }
    return s;
}

static bool on_alias(void *user, ir_stmt s) {
    struct splitter *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_ASSIGN || n->assign.var >= x->digits->var_count || !x->digits->value[n->assign.var]) return true;
    ir_expr to = n->assign.value, *is = &x->digits->is[n->assign.var];
    if (*is || (to != x->whole && to != x->outer && to != x->inner)) return true;
    *is = to;
    return x->more = true;
}

void pass_split_end(struct ir_unit *u, struct pass_digits *digits, const struct pass_plain_dim *dim,
                    const struct pass_split *split) {
    base_loc loc = u->vars[split->var].loc;
    enum ir_type type = (enum ir_type)u->vars[split->var].type;
    struct splitter x = {.u = u, .s = split, .digits = digits};
    x.outer = ir_var_read(u, split->outer_var, loc);
    x.inner = ir_var_read(u, split->inner_var, loc);
    x.whole = ir_op2(u, IR_ADD, scaled(u, x.outer, split->inner), x.inner, loc);

    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t count = u->stmts[dim->parfor].parfor.dim_count, k = 0;
    for (uint32_t d = 0; d < count; d++) {
        struct ir_dim old = u->dims[u->stmts[dim->parfor].parfor.dims + d];
        if (d == dim->at) {
            dims[k++] = (struct ir_dim){split->outer_var, old.lo, ir_const(u, type, dim->size / split->inner), 1};
            old = (struct ir_dim){split->inner_var, old.lo, ir_const(u, type, split->inner), 1};
        }
        dims[k++] = old;
    }
    uint32_t first = ir_add_dims(u, dims, k);
    u->stmts[dim->parfor].parfor.dims = first;
    u->stmts[dim->parfor].parfor.dim_count = k;

    // what variables of the iteration stand for shows as soon as the expression that they get does
    ir_map_block(u, u->stmts[dim->parfor].parfor.body, put_parts, &x);
    do {
        x.more = false;
        ir_walk_stmts(u, u->stmts[dim->parfor].parfor.body, on_alias, &x);
        if (x.more) ir_map_block(u, u->stmts[dim->parfor].parfor.body, put_parts, &x);
    } while (x.more);
}

// ---- dimensions that are divided ------------------------------------------------------------------------------------

#define DIVISORS 8 // guess: of one variable
struct divisors {
    uint32_t by[DIVISORS], count;
    bool quotient[DIVISORS], rest[DIVISORS];
};

struct finder {
    struct ir_unit *u;
    const struct pass_plain_dim *dims;
    const ir_expr *value;    // ir_definitions
    struct divisors **found; // by variable of such a dimension
};

static void note(struct finder *x, ir_var v, uint32_t c, bool rest) {
    struct divisors *d = x->found[v];
    uint32_t i = 0;
    if (c < PASS_DIMENSION_SPLIT_ROWS || x->dims[v].size % c || c >= x->dims[v].size) return;
    if (!d) d = x->found[v] = base_alloc_array(x->u->cx, 1, sizeof *d);
    while (i < d->count && d->by[i] != c)
        i++;
    if (i == DIVISORS) return;
    if (i == d->count) d->by[d->count++] = c;
    *(rest ? &d->rest[i] : &d->quotient[i]) = true;
}

static const struct ir_node *through(const struct finder *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    return n->op == IR_VAR && x->value[n->a] ? &x->u->nodes[x->value[n->a]] : n;
}

static bool on_node(void *user, ir_expr e) {
    struct finder *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (ir_ops[n->op].arity != 2 || x->u->nodes[n->a].op != IR_VAR) return true;
    ir_var v = x->u->nodes[n->a].a;
    bool rest;
    if (!x->dims[v].parfor) return true;
    uint32_t c = divisor_of(x->u, n, &rest);
    if (c) note(x, v, c, rest);
    const struct ir_node *product = n->op == IR_SUB ? through(x, n->b) : NULL;
    if (product && product->op == IR_MUL)
        for (int side = 0; side < 2; side++) {
            const struct ir_node *q = through(x, side ? product->b : product->a);
            if (divisor_of(x->u, q, &rest) && !rest && pass_is_var(x->u, q->a, v))
                note(x, v, divisor_of(x->u, q, &rest), true);
        }
    return true;
}

// Splits before it may have moved it; false: no other dimension has room.
static bool find_again(const struct ir_unit *u, ir_var v, struct pass_plain_dim *io) {
    const struct ir_stmt_node *n = &u->stmts[io->parfor];
    io->at = 0;
    while (u->dims[n->parfor.dims + io->at].var != v)
        io->at++;
    return n->parfor.dim_count < IR_MAX_DIMS;
}

// Each of the dimensions that there are once.
static bool split_each(struct pass_cx *p, struct pass_digits *d) {
    struct ir_unit *u = p->u;
    struct pass_plain_dim *dims = pass_plain_dims(u);
    struct finder x = {u, dims, ir_definitions(u, u->root, false),
                       base_alloc_array(u->cx, u->var_count, sizeof *x.found)};
    bool any = false;
    ir_walk_nodes(u, u->root, on_node, &x);
    for (ir_var v = 1, count = u->var_count; v < count; v++) {
        const struct divisors *found = x.found[v];
        uint32_t i = 0;
        while (found && i < found->count && !(found->quotient[i] && found->rest[i]))
            i++;
        if (!found || i == found->count || pass_is_whole(d, v) || !find_again(u, v, &dims[v])) continue;
        struct pass_split s = pass_split_begin(u, d, v, found->by[i]);
        pass_split_end(u, d, &dims[v], &s);
        base_text_format(p->explain, "dimensions: the loop at line %u goes over %u x %u iterations\n",
                         u->cx->locs[u->stmts[dims[v].parfor].loc].line, dims[v].size / found->by[i], found->by[i]);
        any = true;
    }
    return any;
}

bool pass_split_divided(struct pass_cx *p, struct pass_digits *d) {
    bool any = false;
    while (split_each(p, d))
        any = true;
    return any;
}

// ---- splits in vain -------------------------------------------------------------------------------------------------

struct vain {
    struct ir_unit *u;
    const struct pass_digits *d;
    const ir_expr *value; // ir_definitions
    ir_var root;
};

// By how much the expression grows with the variable, as far as sums say.
static int64_t growth(const struct vain *x, ir_expr e, ir_var v, int depth) {
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t c;
    if (!depth) return 0;
    switch (n->op) {
    case IR_VAR: return n->a == v ? 1 : x->value[n->a] ? growth(x, x->value[n->a], v, depth - 1) : 0;
    case IR_ADD: return growth(x, n->a, v, depth - 1) + growth(x, n->b, v, depth - 1);
    case IR_SUB: return growth(x, n->a, v, depth - 1) - growth(x, n->b, v, depth - 1);
    case IR_I2U:
    case IR_U2I: return growth(x, n->a, v, depth - 1);
    case IR_MUL:
        if (ir_is_const(x->u, n->b, &c)) return (int64_t)(int32_t)c * growth(x, n->a, v, depth - 1);
        return ir_is_const(x->u, n->a, &c) ? (int64_t)(int32_t)c * growth(x, n->b, v, depth - 1) : 0;
    default: return 0;
    }
}

static void look_at_indices(struct vain *x, ir_array a, uint32_t first, uint32_t n) {
    const struct pass_digits *d = x->d;
    if (x->u->arrays[a].klass == IR_ARRAY_LOCAL) return;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 1; i < d->count; i++) {
            int64_t g = growth(x, x->u->args[first + k], d->list[i].var, PASS_DIMENSION_DEPTH);
            for (uint32_t o = 0; o < i && g; o++) {
                const struct pass_digit *one = &d->list[i], *other = &d->list[o];
                int64_t h =
                    one->root == other->root ? growth(x, x->u->args[first + k], other->var, PASS_DIMENSION_DEPTH) : 0;
                if (h && g * other->weight == h * one->weight) x->root = one->root;
            }
        }
}

static bool on_load(void *user, ir_expr e) {
    struct vain *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op == IR_LOAD) look_at_indices(x, n.a, n.b, n.n);
    return !x->root;
}
static bool on_write(void *user, ir_stmt s) {
    struct vain *x = user;
    struct ir_write w = ir_write_of(&x->u->stmts[s]);
    if (w.array) look_at_indices(x, w.array, w.indices, w.index_count);
    return !x->root;
}

ir_var pass_split_in_vain(struct ir_unit *u, const struct pass_digits *d) {
    struct vain x = {.u = u, .d = d, .value = ir_definitions(u, u->root, false)};
    ir_walk_nodes(u, u->root, on_load, &x);
    ir_walk_stmts(u, u->root, on_write, &x);
    return x.root;
}
