// Arrays of an iteration, in memory for all iterations (array expansion): local arrays that parallel loops hand on to
// each other, or that lanes of an iteration share.
#include "pass/expansion.h"
#include "pass/cost.h"

void pass_expansion_begin(struct pass_expansion *x, struct ir_unit *u, const struct plan_target *target,
                          const struct pass_scope *sc, ir_stmt parfor) {
    *x = (struct pass_expansion){.u = u, .target = target, .sc = sc, .parfor = parfor, .array_cap = u->array_count};
    x->to = base_alloc_array(u->cx, x->array_cap, sizeof *x->to);
}

bool pass_expansion_has_room(struct pass_expansion *x, uint64_t words) {
    const struct ir_stmt_node *n = &x->u->stmts[x->parfor];
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + d];
        uint64_t trips = 0;
        if (!pass_trip_count(x->sc, dim->lo, dim->hi, dim->step, &trips) || trips > PASS_MOST_SPREAD) return false;
        words *= trips;
        if (words > PASS_MOST_SPREAD || words * 4 > x->target->max_binding_bytes) return false;
    }
    x->words += words;
    return x->words <= PASS_MOST_SPREAD;
}

bool pass_expand_array(struct pass_expansion *x, ir_array a) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[x->parfor];
    const struct ir_array_info info = u->arrays[a];
    uint64_t words = pass_elements(u, a, 0, PASS_MOST_SPREAD);
    enum ir_type type = ir_elem_type((enum whorl_dtype)info.elem);
    if (words > PASS_MOST_SPREAD || n.parfor.dim_count + info.ndims > IR_MAX_DIMS || type == IR_BOOL ||
        !pass_expansion_has_room(x, words))
        return false;
    ir_array plain = pass_block_array(u, &n, info.name, type, NULL, 0);
    ir_expr dims[IR_MAX_DIMS];
    uint32_t count = n.parfor.dim_count;
    for (uint32_t d = 0; d < count; d++)
        dims[d] = u->arrays[plain].dims[d];
    for (uint32_t d = 0; d < info.ndims; d++)
        dims[count + d] = info.dims[d];
    x->to[a] =
        ir_add_array(u, info.name, (enum whorl_dtype)info.elem, IR_ARRAY_SCRATCH, count + info.ndims, dims, info.loc);
    return true;
}

static ir_expr expand_load(void *user, ir_expr e) {
    struct pass_expansion *x = user;
    const struct ir_node n = x->u->nodes[e];
    ir_expr at[IR_MAX_DIMS];
    if (n.op != IR_LOAD || n.a >= x->array_cap || !x->to[n.a]) return e;
    uint32_t count = pass_block_index(x->u, &x->u->stmts[x->parfor], NULL, 0, at);
    for (uint32_t i = 0; i < n.n; i++)
        at[count + i] = x->u->args[n.b + i];
    return ir_load(x->u, x->to[n.a], at, count + n.n, n.loc);
}
static bool expand_store(void *user, ir_stmt s) {
    struct pass_expansion *x = user;
    const struct ir_stmt_node n = x->u->stmts[s];
    ir_expr at[IR_MAX_DIMS];
    if (n.kind != IR_STORE || n.store.array >= x->array_cap || !x->to[n.store.array]) return true;
    uint32_t count = pass_block_index(x->u, &x->u->stmts[x->parfor], NULL, 0, at);
    for (uint32_t i = 0; i < n.store.index_count; i++)
        at[count + i] = x->u->args[n.store.indices + i];
    uint32_t all = ir_add_args(x->u, at, count + n.store.index_count);
    x->u->stmts[s].store.array = x->to[n.store.array];
    x->u->stmts[s].store.indices = all;
    x->u->stmts[s].store.index_count = count + n.store.index_count;
    return true;
}

void pass_expand_accesses(struct pass_expansion *x, ir_stmt block) {
    ir_map_block(x->u, block, expand_load, x);
    ir_walk_stmts(x->u, block, expand_store, x);
}
