// Small local arrays that long loops add to: moments, covariances, the gradient of a filter. Lanes can share such a
// loop once each element is a variable of its own, which is then a sum like any other.
//
// Where the iteration does more with the array than can become variables (it solves the equations that the loop made),
// the loop gets an array of its own, which is the same in front of it and is given back behind it:
//
//   for (r) for (i) a[i] += f(r, i);             own[0] = a[0]; ...  for (r) for (i) own[i] += f(r, i);
//   solve(a, n);                         ->      a[0] = own[0]; ...  solve(a, n);
#include "pass/analysis/array_uses.h"
#include "pass/cost.h"
#include "pass/passes.h"

struct finder {
    const struct ir_unit *u;
    uint32_t *written; // by array: stores in long loops
    bool *out;
    bool loads; // in the index that is looked at
};

static bool on_index(void *user, ir_expr e) {
    struct finder *x = user;
    x->loads |= x->u->nodes[e].op == IR_LOAD;
    return !x->loads;
}

// An index that data decide never becomes a constant.
static void look(struct finder *x, ir_array a, uint32_t first, uint32_t n) {
    x->loads = false;
    for (uint32_t d = 0; d < n && x->out[a]; d++)
        ir_walk_expr(x->u, x->u->args[first + d], on_index, x);
    if (x->loads) x->out[a] = false;
}
static bool on_node(void *user, ir_expr e) {
    struct finder *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_LOAD) look(x, n->a, n->b, n->n);
    return true;
}
static bool on_stmt(void *user, ir_stmt s) {
    struct finder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) look(x, n->store.array, n->store.indices, n->store.index_count);
    return true;
}

static bool on_long_stmt(void *user, ir_stmt s) {
    struct finder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_STORE) x->written[n->store.array]++;
    return true;
}
static bool on_loop(void *user, ir_stmt s) {
    struct finder *x = user;
    uint64_t trips;
    if (ir_const_trips(x->u, s, &trips) && trips >= PASS_SHARE_LEAST_PASSES)
        ir_walk_stmts(x->u, x->u->stmts[s].counted.body, on_long_stmt, x);
    return true;
}

// Of the written ones with so many elements at most, those that may become scalars in the block. false: there are none
static bool choose_small(struct finder *x, ir_stmt block, uint32_t most) {
    const struct ir_unit *u = x->u;
    struct ir_visitor indices = {.on_stmt = on_stmt, .on_node = on_node, .user = x};
    bool any = false;
    for (ir_array a = 1; a < u->array_count; a++)
        x->out[a] = x->written[a] && u->arrays[a].klass == IR_ARRAY_LOCAL && pass_elements(u, a, 0, most) <= most;
    ir_walk_block(u, block, &indices);
    for (ir_array a = 1; a < u->array_count; a++)
        any |= x->out[a];
    return any;
}

const bool *pass_accumulators_of(const struct ir_unit *u, ir_stmt parfor) {
    struct finder x = {.u = u};
    x.written = base_alloc_array(u->cx, u->array_count, sizeof *x.written);
    x.out = base_alloc_array(u->cx, u->array_count, sizeof *x.out);
    struct ir_visitor loops = {.on_stmt = on_loop, .user = &x};
    ir_walk_block(u, u->stmts[parfor].parfor.body, &loops);
    return choose_small(&x, u->stmts[parfor].parfor.body, PASS_ACCUMULATORS) ? x.out : NULL;
}

// ---- an array of the loop's own -------------------------------------------------------------------------------------

struct owner {
    struct ir_unit *u;
    ir_array arrays;   // that there were
    uint32_t *touched; // by array: accesses of the iteration
    bool *chosen;      // by array: that there were, and of loops' own
};

// An assignment of each element of `from` to that of `to`.
static ir_stmt copy_elements(struct ir_unit *u, ir_array to, ir_array from, base_loc loc) {
    const struct ir_array_info *info = &u->arrays[from];
    uint32_t ndims = info->ndims, count = (uint32_t)pass_elements(u, from, 0, PASS_SIMD_REDUCTIONS), size;
    ir_stmt out = 0;
    for (uint32_t e = 0; e < count; e++) {
        ir_expr index[IR_MAX_DIMS];
        for (uint32_t d = ndims, rest = e; d-- > 0; rest /= size) {
            ir_is_const(u, u->arrays[from].dims[d], &size);
            index[d] = ir_const_i32(u, (int32_t)(rest % size));
        }
        ir_append(u, &out, ir_store(u, to, index, ndims, ir_load(u, from, index, ndims, loc), loc));
    }
    return out;
}

// The loop's body, with arrays of its own for those that are touched elsewhere, too. -> what stands in the place of the
// loop
static ir_stmt with_own(struct owner *x, ir_stmt s) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    struct finder f = {.u = u, .written = base_alloc_array(u->cx, u->array_count, sizeof *f.written)};
    f.out = base_alloc_array(u->cx, u->array_count, sizeof *f.out);
    ir_walk_stmts(u, n.counted.body, on_long_stmt, &f);
    if (!choose_small(&f, n.counted.body, PASS_SIMD_REDUCTIONS)) return s;
    const uint32_t *touched = pass_uses_of(u, n.counted.body, 0).all;
    ir_array *map = base_alloc_array(u->cx, x->arrays, sizeof *map);
    ir_stmt front = 0, behind = 0;
    for (ir_array a = 1; a < x->arrays; a++) {
        if (!f.out[a]) continue;
        x->chosen[a] |= touched[a] == x->touched[a];
        if (x->chosen[a]) continue;
        const struct ir_array_info i = u->arrays[a];
        map[a] = ir_add_array(u, i.name, (enum whorl_dtype)i.elem, IR_ARRAY_LOCAL, i.ndims, i.dims, i.loc);
        ir_append(u, &front, copy_elements(u, map[a], a, n.loc));
        ir_append(u, &behind, copy_elements(u, a, map[a], n.loc));
    }
    if (!front) return s;
    ir_stmt body = ir_clone_block(u, n.counted.body, NULL, map);
    u->stmts[s].counted.body = body;
    ir_append(u, &front, s);
    ir_append(u, &front, behind);
    return front;
}

static ir_stmt own_in(struct owner *x, ir_stmt block) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (ir_stmt s = block, next; s; s = next) {
        uint64_t trips;
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        ir_stmt made = s;
        if (u->stmts[s].kind == IR_FOR && (!ir_const_trips(u, s, &trips) || trips >= PASS_SHARE_LEAST_PASSES)) {
            made = with_own(x, s);
        } else if (u->stmts[s].kind == IR_FOR) {
            ir_stmt inner = own_in(x, u->stmts[s].counted.body);
            u->stmts[s].counted.body = inner;
        }
        ir_append(u, &out, made);
    }
    return out;
}

const bool *pass_own_accumulators(struct ir_unit *u, ir_stmt parfor) {
    struct owner x = {.u = u, .arrays = u->array_count};
    x.touched = pass_uses_of(u, u->stmts[parfor].parfor.body, 0).all;
    x.chosen = base_alloc_array(u->cx, x.arrays, sizeof *x.chosen);
    ir_stmt body = own_in(&x, u->stmts[parfor].parfor.body);
    u->stmts[parfor].parfor.body = body;
    if (u->array_count == x.arrays) return NULL;
    bool *out = base_alloc_array(u->cx, u->array_count, sizeof *out);
    for (ir_array a = 1; a < u->array_count; a++)
        out[a] = a >= x.arrays || x.chosen[a];
    return out;
}
