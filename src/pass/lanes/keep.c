// Rows in registers: where an iteration goes over rows of its own again and again, as in a time loop, and lanes share
// its loops over them, each row becomes a local array that is loaded before and stored behind. pass_spread then deals
// out its elements over the lanes' registers.
//
//   for (t) { for (j < n) m = max(m, x[i][j]);       for (j < n) row[j] = x[i][j];
//             for (j < n) x[i][j] -= m; }            for (t) { ... row[j] ... }
//                                                    for (j < n) x[i][j] = row[j];
//
// An element of the row that all lanes want is found by its lane: bits |= j == 0 ? bits of row[j] : 0. It is done where
// pass_spread takes all of the loops, which is tried on a copy of the program.
#include "pass/analysis/array_uses.h"
#include "pass/cost.h"
#include "pass/lanes/spread.h"

struct keeper {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_stmt parfor, body;
    uint32_t array_count, lanes;
    ir_array *row;       // by array: what it becomes, 0: it stays
    uint32_t *in;        // by array: accesses in the loops that lanes share, at their own index; and of single elements
    uint64_t statements; // of the loops, unrolled
    bool again;          // there is a loop around one of them
    ir_stmt before;      // what stands in front of the statement under way
    bool wrong;
};

static uint32_t last_dim(const struct ir_unit *u, ir_array a) { return u->arrays[a].ndims - 1u; }

static bool is_kept(const struct keeper *x, ir_array a) { return a < x->array_count && x->row[a]; }

static bool on_single(void *user, ir_expr e) {
    struct keeper *x = user;
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    uint32_t at, size;
    if (n->op == IR_LOAD && ir_is_const(u, u->args[n->b + n->n - 1], &at) &&
        ir_is_const(u, u->arrays[n->a].dims[last_dim(u, n->a)], &size) && at < size)
        x->in[n->a]++;
    return true;
}

// Counts accesses as pass_spread can deal them out.
static void look_at(struct keeper *x, ir_stmt block, bool around) {
    struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(n, inner), lo;
        uint64_t trips = 0;
        if (n->kind == IR_ASSIGN) ir_walk_expr(u, n->assign.value, on_single, x);
        if (n->kind != IR_FOR || !(n->flags & IR_FLAG_SIMD)) {
            for (uint32_t i = 0; i < blocks; i++)
                look_at(x, inner[i], around || n->kind != IR_IF);
            continue;
        }
        x->wrong |= !ir_const_trips(u, s, &trips) || n->counted.step != 1 || !ir_is_const(u, n->counted.lo, &lo) ||
                    lo > PASS_SHARE_LEAST_PASSES;
        struct pass_uses uses = pass_uses_of(u, n->counted.body, n->counted.var);
        for (ir_array a = 1; a < x->array_count; a++) {
            uint32_t here = uses.all[a] ? uses.exact[a * IR_MAX_DIMS + last_dim(u, a)] : 0;
            x->in[a] += here;
            x->again |= here && around && u->arrays[a].klass != IR_ARRAY_LOCAL;
        }
        x->statements += pass_size(u, n->counted.body) * (trips / x->lanes + 1);
    }
}

// Every access to the array is to the iteration's own row of it.
static bool is_own_row(const struct keeper *x, const struct pass_uses *all, ir_array a) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->parfor];
    if (u->arrays[a].ndims != n->parfor.dim_count + 1u || x->in[a] != all->all[a]) return false;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        struct pass_uses uses = pass_uses_of(u, x->body, u->dims[n->parfor.dims + d].var);
        if (uses.exact[a * IR_MAX_DIMS + d] != all->all[a]) return false;
    }
    return u->arrays[a].elem == WHORL_F32 || u->arrays[a].elem == WHORL_I32 || u->arrays[a].elem == WHORL_U32;
}

// Sets x->row.
static bool find_rows(struct keeper *x) {
    struct ir_unit *u = x->u;
    struct ir_effects fx = ir_effects_of(u, x->body);
    struct pass_uses all = pass_uses_of(u, x->body, 0);
    uint64_t words = 0;
    bool is_atomic = pass_is_atomic(u, x->body);
    look_at(x, x->body, false);
    for (ir_array a = 1; a < x->array_count && !x->wrong; a++) {
        uint32_t size;
        if (!ir_bit(fx.arrays_written, a) || u->arrays[a].klass == IR_ARRAY_LOCAL) continue;
        if (!is_own_row(x, &all, a) || (is_atomic && u->arrays[a].atomic) ||
            !ir_is_const(u, u->arrays[a].dims[last_dim(u, a)], &size) || size < x->lanes ||
            (size - 1) / x->lanes >= PASS_UNROLL_MOST_TRIPS) {
            x->wrong |= (is_atomic && u->arrays[a].atomic) || ir_bit(fx.arrays_read, a);
            continue;
        }
        ir_expr dim = ir_const_i32(u, (int32_t)size);
        x->row[a] = ir_add_array(u, u->arrays[a].name, (enum whorl_dtype)u->arrays[a].elem, IR_ARRAY_LOCAL, 1, &dim,
                                 u->arrays[a].loc);
        words += (size - 1) / x->lanes + 1;
    }
    return x->again && !x->wrong && words && words <= x->p->target->register_budget / PASS_KEEP_REGISTERS &&
           x->statements + 2 * words <= PASS_UNROLL_KERNEL_STATEMENTS;
}

// ---- rewriting ------------------------------------------------------------------------------------------------------

static ir_expr load_row(void *user, ir_expr e) {
    struct keeper *x = user;
    const struct ir_node n = x->u->nodes[e];
    if (n.op != IR_LOAD || !is_kept(x, n.a)) return e;
    ir_expr at = x->u->args[n.b + n.n - 1];
    return ir_load(x->u, x->row[n.a], &at, 1, n.loc);
}
static bool store_row(void *user, ir_stmt s) {
    struct keeper *x = user;
    struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_STORE || !is_kept(x, n->store.array)) return true;
    n->store.array = x->row[n->store.array];
    n->store.indices += n->store.index_count - 1;
    n->store.index_count = 1;
    return true;
}

static ir_stmt shared_for(struct ir_unit *u, ir_var var, uint32_t hi, ir_stmt body) {
    ir_stmt s = ir_for(u, var, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)hi), 1, body, u->vars[var].loc);
    u->stmts[s].flags |= IR_FLAG_SIMD | IR_FLAG_FREE;
    return s;
}

// A single element of a row, for all lanes.
static ir_expr find_element(void *user, ir_expr e) {
    struct keeper *x = user;
    struct ir_unit *u = x->u;
    const struct ir_node n = u->nodes[e];
    uint32_t at = 0;
    if (n.op != IR_LOAD || !is_kept(x, n.a)) return e;
    (void)ir_is_const(u, u->args[n.b + n.n - 1], &at);
    ir_var bits = ir_add_var(u, "bits", IR_U32, IR_VAR_LOCAL, n.loc),
           j = ir_add_var(u, "j", IR_I32, IR_VAR_LOCAL, n.loc);
    ir_expr index = ir_var_read(u, j, n.loc), none = ir_const(u, IR_U32, 0),
            word = ir_load(u, x->row[n.a], &index, 1, n.loc);
    if (n.type != IR_U32) word = ir_op1(u, n.type == IR_F32 ? IR_BITS_F2U : IR_I2U, word, n.loc);
    ir_expr here = ir_op2(u, IR_EQ, ir_var_read(u, j, n.loc), ir_const_i32(u, (int32_t)at), n.loc);
    ir_expr more = ir_op2(u, IR_OR, ir_var_read(u, bits, n.loc), ir_op3(u, IR_SELECT, here, word, none, n.loc), n.loc);
    uint32_t passes = at + 1 > PASS_SPREAD_LEAST_PASSES ? at + 1 : PASS_SPREAD_LEAST_PASSES;
    ir_append(u, &x->before, ir_assign(u, bits, ir_const(u, IR_U32, 0), n.loc));
    ir_append(u, &x->before, shared_for(u, j, passes, ir_assign(u, bits, more, n.loc)));
    ir_expr found = ir_var_read(u, bits, n.loc);
    return n.type == IR_U32 ? found : ir_op1(u, n.type == IR_F32 ? IR_BITS_U2F : IR_U2I, found, n.loc);
}

static bool is_shared(const struct ir_unit *u, ir_stmt s) {
    return u->stmts[s].kind == IR_FOR && u->stmts[s].flags & IR_FLAG_SIMD;
}

static ir_stmt keep_in(void *user, ir_stmt s) {
    struct keeper *x = user;
    struct ir_unit *u = x->u;
    x->before = 0;
    if (u->stmts[s].kind == IR_ASSIGN) {
        ir_expr value = ir_map_expr(u, u->stmts[s].assign.value, find_element, x);
        u->stmts[s].assign.value = value;
    }
    if (!is_shared(u, s)) return x->before;
    ir_walk_stmts(u, u->stmts[s].counted.body, store_row, x);
    ir_map_block(u, u->stmts[s].counted.body, load_row, x);
    const struct ir_stmt_node n = u->stmts[s];
    uint32_t lo = 0;
    if (ir_is_const(u, n.counted.lo, &lo) && lo) { // all loops count from 0, so that lanes have the same elements
        ir_expr in = ir_op2(u, IR_GE, ir_var_read(u, n.counted.var, n.loc), n.counted.lo, n.loc);
        ir_stmt guarded = ir_if(u, in, n.counted.body, 0, n.loc);
        ir_expr from = ir_const(u, (enum ir_type)u->vars[n.counted.var].type, 0);
        u->stmts[s].counted.body = guarded;
        u->stmts[s].counted.lo = from;
    }
    return 0;
}
static bool enters(void *user, ir_stmt s) { return !is_shared(((struct keeper *)user)->u, s); }

// The row as a whole, from memory or back.
static ir_stmt copy_row(struct keeper *x, ir_array a, bool back) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[x->parfor];
    uint32_t indices[IR_MAX_DIMS], size = 0, count = n->parfor.dim_count;
    base_loc loc = n->loc;
    ir_var j = ir_add_var(u, "j", IR_I32, IR_VAR_LOCAL, loc);
    for (uint32_t d = 0; d < count; d++)
        indices[d] = ir_var_read(u, u->dims[u->stmts[x->parfor].parfor.dims + d].var, loc);
    indices[count] = ir_var_read(u, j, loc);
    ir_expr at = ir_var_read(u, j, loc);
    (void)ir_is_const(u, u->arrays[a].dims[count], &size);
    ir_stmt copy = back ? ir_store(u, a, indices, count + 1, ir_load(u, x->row[a], &at, 1, loc), loc)
                        : ir_store(u, x->row[a], &at, 1, ir_load(u, a, indices, count + 1, loc), loc);
    return shared_for(u, j, size, copy);
}

static void rewrite(struct keeper *x) {
    struct ir_unit *u = x->u;
    struct pass_rewriter w = {.u = u, .user = x, .before = keep_in, .enters = enters};
    struct pass_uses all = pass_uses_of(u, u->root, 0), own = pass_uses_of(u, x->body, 0);
    ir_stmt out = 0, body = pass_rewrite_block(&w, x->body), back = 0;
    for (ir_array a = 1; a < x->array_count; a++) {
        if (!x->row[a] || (u->arrays[a].klass == IR_ARRAY_SCRATCH && all.all[a] == own.all[a])) continue;
        ir_append(u, &out, copy_row(x, a, false));
        ir_append(u, &back, copy_row(x, a, true));
    }
    ir_append(u, &out, body);
    ir_append(u, &out, back);
    u->stmts[x->parfor].parfor.body = out;
    u->stmts[x->parfor].flags |= IR_FLAG_OWN;
}

static bool keep(struct pass_cx *p, ir_stmt parfor) {
    struct ir_unit *u = p->u;
    struct keeper x = {.p = p, .u = u, .parfor = parfor, .body = u->stmts[parfor].parfor.body};
    x.array_count = u->array_count;
    x.lanes = p->target->subgroup_lanes;
    x.row = base_alloc_array(u->cx, x.array_count, sizeof *x.row);
    x.in = base_alloc_array(u->cx, x.array_count, sizeof *x.in);
    if (!find_rows(&x)) return false;
    rewrite(&x);
    return true;
}

static void keep_parfor(void *user, struct pass_scope *sc, ir_stmt parfor) {
    (void)sc;
    struct pass_cx *p = user;
    const struct ir_stmt_node n = p->u->stmts[parfor];
    if (n.flags & IR_FLAG_LANES || n.parfor.reduction_count || !pass_has_simd(p->u, n.parfor.body)) return;
    struct pass_cx copy = pass_copy(p);
    if (!keep(&copy, parfor)) return;
    pass_spread(&copy);
    const struct ir_stmt_node *done = &copy.u->stmts[parfor];
    if (!done->parfor.lane_var || pass_has_simd(copy.u, done->parfor.body)) return;
    keep(p, parfor);
    base_text_format(p->explain, "keep: lanes have the rows of the loop at line %u in registers\n",
                     p->u->cx->locs[n.loc].line);
}

void pass_keep(struct pass_cx *p) {
    struct pass_scope sc;
    if (p->target->subgroup_lanes < PASS_KEEP_LEAST_LANES) return;
    pass_scope_init(&sc, p->u);
    pass_each_parfor(&sc, keep_parfor, p);
}
