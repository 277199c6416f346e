// Array reductions of floats, whose sums have one order: each block of iterations (reduce.c) adds to elements of its
// own in memory, and a loop over the elements then adds those of all blocks. Neighbouring blocks have neighbouring
// words. (Integers need no order: they are atomic updates, see privatise.c.)
#include "pass/cost.h"
#include "pass/passes.h"

struct search {
    const struct ir_unit *u;
    bool *found; // by array
    uint32_t count;
};
static bool on_update(void *user, ir_stmt s) {
    struct search *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind != IR_ATOMIC || !(n->flags & IR_FLAG_FIXED) || x->found[n->atomic.array]) return true;
    x->found[n->atomic.array] = true;
    x->count++;
    return true;
}

static struct search find(const struct ir_unit *u, ir_stmt parfor) {
    struct search x = {u, base_alloc_array(u->cx, u->array_count, sizeof *x.found), 0};
    ir_walk_stmts(u, u->stmts[parfor].parfor.body, on_update, &x);
    return x;
}

uint32_t pass_sums_blocks(const struct ir_unit *u, ir_stmt parfor, uint64_t iterations) {
    struct search x = find(u, parfor);
    if (!x.count) return 0;
    uint64_t words = 0, most;
    for (ir_array a = 1; a < u->array_count; a++) {
        uint64_t size = x.found[a] ? pass_elements(u, a, 0, PASS_SUMS_WORDS) : 0;
        words += size < PASS_SUMS_WORDS ? size : PASS_SUMS_WORDS; // or not known
    }
    most = PASS_SUMS_WORDS / (words ? words : 1);
    // Long iterations have sums each, while there are not many: these are added up sooner than one more is made.
    uint64_t inside = pass_length_of(u, u->stmts[parfor].parfor.body), blocks = iterations / PASS_SUMS_EACH,
             apart = iterations < PASS_SUMS_FEW ? iterations : PASS_SUMS_FEW;
    if (blocks < apart && inside >= PASS_SUMS_LONG && inside >= words) blocks = apart;
    if (most > blocks) most = blocks;
    if (most > PASS_WORKGROUP) most -= most % PASS_WORKGROUP;
    return most ? most < INT32_MAX ? (uint32_t)most : INT32_MAX : 1;
}

// ---- the blocks' own sums -------------------------------------------------------------------------------------------

struct sums {
    struct ir_unit *u;
    ir_array *own; // by array: the blocks' elements, 0: none
    ir_expr block;
};

// The element of the block that these indices name.
static uint32_t own_indices(const struct sums *x, const ir_expr *indices, uint32_t n, ir_expr *out) {
    for (uint32_t i = 0; i < n; i++)
        out[i] = indices[i];
    out[n] = x->block;
    return n + 1;
}

static bool on_fixed(void *user, ir_stmt s) {
    struct sums *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_ATOMIC || !(n.flags & IR_FLAG_FIXED)) return true;
    ir_expr at[IR_MAX_DIMS + 1];
    uint32_t count = own_indices(x, u->args + n.atomic.indices, n.atomic.index_count, at);
    ir_array own = x->own[n.atomic.array];
    ir_expr sum = ir_op2(u, IR_ADD, ir_load(u, own, at, count, n.loc), n.atomic.value, n.loc);
    ir_stmt made = ir_store(u, own, at, count, sum, n.loc);
    u->stmts[s] = u->stmts[made];
    u->stmts[s].next = n.next;
    return true;
}

static ir_expr size_of(struct ir_unit *u, ir_array a, uint32_t d) {
    ir_expr size = u->arrays[a].dims[d];
    return u->nodes[size].type == IR_U32 ? ir_op1(u, IR_U2I, size, 0) : size;
}

// Negative zero, to which every float can be added.
static ir_expr nothing(struct ir_unit *u) { return ir_const(u, IR_F32, 0x80000000u); }

static ir_stmt clear(const struct sums *x, ir_array a, base_loc loc) {
    struct ir_unit *u = x->u;
    uint32_t ndims = u->arrays[a].ndims;
    ir_expr index[IR_MAX_DIMS], at[IR_MAX_DIMS + 1];
    ir_var counters[IR_MAX_DIMS];
    for (uint32_t d = 0; d < ndims; d++) {
        counters[d] = ir_add_var(u, "k", IR_I32, IR_VAR_LOCAL, loc);
        index[d] = ir_var_read(u, counters[d], loc);
    }
    uint32_t count = own_indices(x, index, ndims, at);
    ir_stmt out = ir_store(u, x->own[a], at, count, nothing(u), loc);
    for (uint32_t d = ndims; d-- > 0;)
        out = ir_for(u, counters[d], ir_const_i32(u, 0), size_of(u, a, d), 1, out, loc);
    return out;
}

// Each element takes the sums of all blocks. The order is the target's: lanes may share them.
static ir_stmt combine(struct sums *x, ir_array a, ir_expr blocks, base_loc loc) {
    struct ir_unit *u = x->u;
    uint32_t ndims = u->arrays[a].ndims;
    struct ir_dim dims[IR_MAX_DIMS];
    ir_expr index[IR_MAX_DIMS], at[IR_MAX_DIMS + 1];
    for (uint32_t d = 0; d < ndims; d++) {
        dims[d] = (struct ir_dim){ir_add_var(u, "k", IR_I32, IR_VAR_DIM, loc), ir_const_i32(u, 0), size_of(u, a, d), 1};
        index[d] = ir_var_read(u, dims[d].var, loc);
    }
    ir_var block = ir_add_var(u, "block", IR_I32, IR_VAR_LOCAL, loc),
           sum = ir_add_var(u, "sum", IR_F32, IR_VAR_LOCAL, loc);
    struct sums of_block = {u, x->own, ir_var_read(u, block, loc)};
    uint32_t count = own_indices(&of_block, index, ndims, at);
    ir_expr so_far = ir_var_read(u, sum, loc), value = ir_load(u, x->own[a], at, count, loc);
    ir_stmt add = ir_assign(u, sum, ir_op2(u, IR_ADD, so_far, value, loc), loc),
            body = ir_assign(u, sum, nothing(u), loc);
    ir_stmt all = ir_for(u, block, ir_const_i32(u, 0), blocks, 1, add, loc);
    u->stmts[all].flags |= IR_FLAG_SIMD;
    ir_append(u, &body, all);
    ir_expr old = ir_load(u, a, index, ndims, loc);
    ir_append(u, &body, ir_store(u, a, index, ndims, ir_op2(u, IR_ADD, old, so_far, loc), loc));
    return ir_parfor(u, dims, ndims, body, loc);
}

ir_stmt pass_sums_make(struct ir_unit *u, ir_stmt parfor, uint32_t count, bool *io_made) {
    struct search found = find(u, parfor);
    base_loc loc = u->stmts[parfor].loc;
    const struct ir_dim dim = u->dims[u->stmts[parfor].parfor.dims];
    uint32_t arrays = u->array_count;
    struct sums x = {u, base_alloc_array(u->cx, arrays, sizeof *x.own), ir_var_read(u, dim.var, loc)};
    ir_stmt front = 0, behind = 0;
    for (ir_array a = 1; a < arrays; a++) {
        const struct ir_array_info info = u->arrays[a];
        if (!found.found[a]) continue;
        io_made[a] = true;
        if (info.ndims == IR_MAX_DIMS)
            base_unsupported(u->cx, loc, "a reduction of the array '%s', which has %d dimensions", info.name,
                             IR_MAX_DIMS);
        ir_expr dims[IR_MAX_DIMS];
        for (uint32_t d = 0; d < info.ndims; d++)
            dims[d] = info.dims[d];
        dims[info.ndims] = ir_const_i32(u, (int32_t)count);
        x.own[a] = ir_add_array(u, base_format(u->cx, "%s_partial", info.name), WHORL_F32, IR_ARRAY_SCRATCH,
                                info.ndims + 1, dims, loc);
        ir_append(u, &front, clear(&x, a, loc));
        ir_append(u, &behind, combine(&x, a, dim.hi, loc));
    }
    ir_walk_stmts(u, u->stmts[parfor].parfor.body, on_fixed, &x);
    ir_append(u, &front, u->stmts[parfor].parfor.body);
    u->stmts[parfor].parfor.body = front;
    return behind;
}

// ---- what is left ---------------------------------------------------------------------------------------------------

static bool on_load(void *user, ir_expr e) {
    struct search *x = user;
    if (x->u->nodes[e].op == IR_LOAD) x->found[x->u->nodes[e].a] = true;
    return true;
}

static bool on_atomic(void *user, ir_stmt s) {
    struct search *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ATOMIC || (n->kind == IR_STORE && n->flags & IR_FLAG_ATOMIC))
        x->found[ir_write_of(n).array] = true;
    if (n->kind == IR_ASSIGN && n->flags & IR_FLAG_ATOMIC) ir_walk_expr(x->u, n->assign.value, on_load, x);
    return true;
}

void pass_sums_settle(struct ir_unit *u, const bool *made, uint32_t arrays) {
    struct search x = {u, base_alloc_array(u->cx, u->array_count, sizeof *x.found), 0};
    ir_walk_stmts(u, u->root, on_atomic, &x);
    for (ir_array a = 1; a < arrays; a++)
        if (made[a] && !x.found[a]) u->arrays[a].atomic = false;
}
