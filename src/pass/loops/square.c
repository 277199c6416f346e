// Neighbouring iterations that walk along the rows of one array walk down the columns of another, as where a matrix is
// transposed: each lane's access there is a sector of memory for one word. So neighbours become those of a block:
//
//   parallel for (i, j) b[j][i] = a[i][j];      becomes
//   parallel for (i / 8, j / 32, 32, 8) b[j][i] = a[i][j];
//
// Eight lanes store one sector, and what the block loads is whole lines of the nearest cache. Where nothing is walked
// along, the columns' dimension runs fastest instead. This is tiling (M. Wolfe, "More iteration space tiling", 1989).
//
// The law: iterations of a parallel loop may come in any order.
#include "pass/cost.h"
#include "pass/passes.h"

struct squarer {
    struct pass_cx *p;
    struct ir_unit *u;
    struct pass_scope sc;
};

// ---- which way do accesses run? -------------------------------------------------------------------------------------

struct look {
    struct squarer *x;
    uint32_t dims; // of the parallel loop
    ir_var vars[IR_MAX_DIMS];
    bool plain;
    uint32_t along;                                   // accesses that its last dimension walks along
    uint32_t loads[IR_MAX_DIMS], stores[IR_MAX_DIMS]; // those that this dimension walks along and the last one across
};

static void look_at(struct look *l, ir_array a, uint32_t first, uint32_t n, uint32_t *counts) {
    const struct ir_unit *u = l->x->u;
    int64_t strides[IR_MAX_DIMS];
    if (!ir_in_buffer(u, a) || !pass_word_strides(&l->x->sc, a, u->args + first, n, l->vars, l->dims, strides)) return;
    int64_t last = strides[l->dims - 1];
    l->along += last == 1;
    for (uint32_t k = 0; k + 1 < l->dims; k++)
        counts[k] += strides[k] == 1 && (last >= PASS_SECTOR_WORDS || last <= -PASS_SECTOR_WORDS);
}

static bool on_stmt(void *user, ir_stmt s) {
    struct look *l = user;
    const struct ir_stmt_node n = l->x->u->stmts[s];
    l->plain &= (n.kind == IR_ASSIGN || n.kind == IR_STORE || n.kind == IR_IF || n.kind == IR_NOP) && !n.flags;
    if (n.kind == IR_STORE) look_at(l, n.store.array, n.store.indices, n.store.index_count, l->stores);
    return l->plain;
}
static bool on_node(void *user, ir_expr e) {
    struct look *l = user;
    const struct ir_node n = l->x->u->nodes[e];
    if (n.op == IR_LOAD) look_at(l, n.a, n.b, n.n, l->loads);
    return true;
}

static struct look look_into(struct squarer *x, const struct ir_stmt_node *parfor) {
    struct look l = {.x = x, .dims = parfor->parfor.dim_count, .plain = true};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .on_node = on_node, .user = &l};
    for (uint32_t k = 0; k < l.dims; k++)
        l.vars[k] = x->u->dims[parfor->parfor.dims + k].var;
    ir_walk_block(x->u, parfor->parfor.body, &visitor);
    return l;
}

// The dimension that is walked along where the last one is not; the last one: there is none.
static uint32_t other_way(const struct look *l) {
    uint32_t best = l->dims - 1, most = 0;
    for (uint32_t k = 0; k + 1 < l->dims; k++)
        if (l->loads[k] + l->stores[k] > most) {
            most = l->loads[k] + l->stores[k];
            best = k;
        }
    return best;
}

// ---- the other order ------------------------------------------------------------------------------------------------

static uint64_t trips_of(const struct squarer *x, const struct ir_dim *d) {
    uint64_t trips = 0;
    (void)pass_trip_count(&x->sc, d->lo, d->hi, d->step, &trips); // plain dimensions have constant ends
    return trips;
}

static uint32_t divisor_of(uint64_t trips, uint32_t most) {
    while (trips % most)
        most /= 2;
    return most;
}

// The dimension in blocks of so many iterations: *out_blocks counts them, *out_inside in each.
static void cut(struct squarer *x, ir_stmt body, struct ir_dim d, uint32_t each, struct ir_dim *out_blocks,
                struct ir_dim *out_inside) {
    struct ir_unit *u = x->u;
    const struct ir_var_info v = u->vars[d.var];
    enum ir_type type = (enum ir_type)v.type;
    uint32_t blocks = (uint32_t)(trips_of(x, &d) / each);
    ir_var outer = ir_add_var(u, v.name, type, IR_VAR_DIM, v.loc),
           inner = ir_add_var(u, v.name, type, IR_VAR_DIM, v.loc);
    ir_expr at = ir_op2(u, IR_MUL, ir_var_read(u, outer, v.loc), ir_const(u, type, each), v.loc);
    at = ir_op2(u, IR_ADD, at, ir_var_read(u, inner, v.loc), v.loc);
    uint32_t lo = 0;
    if (ir_is_const(u, d.lo, &lo) && lo) at = ir_op2(u, IR_ADD, d.lo, at, v.loc);
    pass_substitute(u, body, d.var, at);
    *out_blocks = (struct ir_dim){outer, ir_const(u, type, 0), ir_const(u, type, blocks), 1};
    *out_inside = (struct ir_dim){inner, ir_const(u, type, 0), ir_const(u, type, each), 1};
}

static void set_dims(struct squarer *x, ir_stmt s, uint32_t fast, uint32_t slow, uint32_t inner, uint32_t outer) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct ir_dim dims[IR_MAX_DIMS];
    uint32_t count = 0;
    for (uint32_t k = 0; k < n.parfor.dim_count; k++)
        if (k != fast && k != slow) dims[count++] = u->dims[n.parfor.dims + k];
    cut(x, n.parfor.body, u->dims[n.parfor.dims + fast], inner, &dims[count], &dims[count + 3]);
    cut(x, n.parfor.body, u->dims[n.parfor.dims + slow], outer, &dims[count + 1], &dims[count + 2]);
    u->stmts[s].parfor.dims = ir_add_dims(u, dims, count + 4);
    u->stmts[s].parfor.dim_count = (uint8_t)(count + 4);
}

// `to` runs fastest.
static void move_last(struct squarer *x, ir_stmt s, uint32_t to) {
    struct ir_unit *u = x->u;
    struct ir_dim *dims = &u->dims[u->stmts[s].parfor.dims], last = dims[to];
    uint32_t count = u->stmts[s].parfor.dim_count;
    for (uint32_t k = to; k + 1 < count; k++)
        dims[k] = dims[k + 1];
    dims[count - 1] = last;
}

static ir_stmt square(void *user, ir_stmt done, ir_stmt s) {
    struct squarer *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    uint64_t iterations;
    (void)done;
    if (n.kind != IR_PARFOR || n.parfor.dim_count < 2 || n.parfor.reduction_count || (n.flags & ~IR_FLAG_NOWAIT) ||
        !pass_has_plain_dims(u, &n) || !pass_iterations(&x->sc, s, &iterations) ||
        iterations < x->p->target->busy_invocations || x->p->target->busy_invocations < PASS_GPU_INVOCATIONS)
        return s;
    struct look l = look_into(x, &n);
    uint32_t last = l.dims - 1, other = other_way(&l);
    if (!l.plain || other == last) return s;
    const char *how = "columns run fastest";
    if (!l.along) {
        move_last(x, s, other);
    } else {
        uint32_t fast = l.stores[other] ? other : last, slow = fast == last ? other : last;
        uint32_t inner = divisor_of(trips_of(x, &u->dims[n.parfor.dims + fast]), PASS_SECTOR_WORDS),
                 outer = divisor_of(trips_of(x, &u->dims[n.parfor.dims + slow]), PASS_SQUARE_SIDE);
        if (inner < PASS_SECTOR_WORDS || outer < PASS_SECTOR_WORDS) return s;
        set_dims(x, s, fast, slow, inner, outer);
        how = base_format(u->cx, "neighbours are blocks of %u x %u iterations", outer, inner);
    }
    base_text_format(x->p->explain, "square: in the loop at line %u %s\n", u->cx->locs[n.loc].line, how);
    return s;
}

void pass_square(struct pass_cx *p) {
    struct squarer x = {.p = p, .u = p->u};
    struct pass_rewriter squaring = {.u = p->u, .sc = &x.sc, .user = &x, .replace = square};
    pass_rewrite_iterations(&squaring);
}
