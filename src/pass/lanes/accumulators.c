// Small local arrays that long loops add to: moments, covariances, the gradient of a filter. Lanes can share such a
// loop once each element is a variable of its own, which is then a sum like any other.
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

const bool *pass_accumulators_of(const struct ir_unit *u, ir_stmt parfor) {
    struct finder x = {.u = u};
    x.written = base_alloc_array(u->cx, u->array_count, sizeof *x.written);
    x.out = base_alloc_array(u->cx, u->array_count, sizeof *x.out);
    struct ir_visitor loops = {.on_stmt = on_loop, .user = &x},
                      indices = {.on_stmt = on_stmt, .on_node = on_node, .user = &x};
    ir_walk_block(u, u->stmts[parfor].parfor.body, &loops);
    for (ir_array a = 1; a < u->array_count; a++)
        x.out[a] = x.written[a] && u->arrays[a].klass == IR_ARRAY_LOCAL &&
                   pass_elements(u, a, 0, PASS_SIMD_REDUCTIONS) <= PASS_SIMD_REDUCTIONS;
    ir_walk_block(u, u->stmts[parfor].parfor.body, &indices);
    for (ir_array a = 1; a < u->array_count; a++)
        if (x.out[a]) return x.out;
    return NULL;
}
