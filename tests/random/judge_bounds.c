// The judge of proven indices. A random program's indices are in range, so nobody would notice a bound that is proven
// and wrong. So each array is made as small as its indices are still proven to be within it: at its end by a smaller
// dimension, at its beginning by indices that all become smaller by a constant. A bound that the proof has one too low
// or too high is then an index outside of its array, and the interpreter does not let that pass. What the program
// computes is another matter: its data stand elsewhere.
#include <string.h>

#include "judge.h"
#include "pass/analysis/bounds.h"

static bool is_proven(struct ir_unit *u, ir_array a) {
    const struct pass_bounds_kernel whole = {
        .unit = u, .stmt = u->root, .grid = true, .workgroup_size = IR_COMBINE_WIDTH, .only = a};
    const struct pass_bounds found = pass_prove_bounds(&whole);
    return found.proven && !found.loose; // the interpreter lets no index leave its row
}

// ---- the beginning --------------------------------------------------------------------------------------------------

struct shift {
    struct ir_unit *u;
    ir_array array;
    uint32_t dimension, by;
    bool others; // it is touched by more than loads, stores and updates of elements
};

static void shifted(const struct shift *x, uint32_t first, uint32_t n, uint32_t out[IR_MAX_DIMS]) {
    memcpy(out, x->u->args + first, n * sizeof *out);
    ir_expr *e = &out[x->dimension];
    *e = ir_op2(x->u, IR_SUB, *e, ir_const(x->u, (enum ir_type)x->u->nodes[*e].type, x->by), 0);
}

static ir_expr on_load(void *user, ir_expr e) {
    struct shift *x = user;
    const struct ir_node n = x->u->nodes[e];
    uint32_t indices[IR_MAX_DIMS];
    if (n.op != IR_LOAD || n.a != x->array) return e;
    shifted(x, n.b, n.n, indices);
    return ir_load(x->u, n.a, indices, n.n, n.loc);
}

static bool on_stmt(void *user, ir_stmt s) {
    struct shift *x = user;
    const struct ir_stmt_node n = x->u->stmts[s];
    x->others |=
        (n.kind == IR_COMBINE && n.combine.array == x->array) || (n.kind == IR_STAGE && n.stage.from == x->array);
    const struct ir_write w = ir_write_of(&n);
    if (w.array != x->array) return true;
    uint32_t indices[IR_MAX_DIMS];
    shifted(x, w.indices, w.index_count, indices);
    uint32_t moved = ir_add_args(x->u, indices, w.index_count);
    *(n.kind == IR_STORE ? &x->u->stmts[s].store.indices : &x->u->stmts[s].atomic.indices) = moved;
    return true;
}

// False: it cannot be done.
static bool move_indices(struct ir_unit *u, ir_array a, uint32_t d, uint32_t by) {
    struct shift x = {u, a, d, by, false};
    struct ir_visitor visitor = {.on_stmt = on_stmt, .user = &x};
    ir_map_block(u, u->root, on_load, &x);
    ir_walk_block(u, u->root, &visitor);
    return !x.others;
}

static void tighten_beginning(struct ir_unit *u, ir_array a, uint32_t d) {
    uint32_t size, least = 0;
    if (!ir_is_const(u, u->arrays[a].dims[d], &size) || !is_proven(u, a)) return;
    for (uint32_t most = size - 1; least < most;) {
        uint32_t half = least + (most - least + 1) / 2;
        struct ir_unit *copy = ir_unit_clone(u);
        if (move_indices(copy, a, d, half) && is_proven(copy, a))
            least = half;
        else
            most = half - 1;
    }
    if (least) move_indices(u, a, d, least);
}

// ---- the end --------------------------------------------------------------------------------------------------------

static void tighten_end(struct ir_unit *u, ir_array a, uint32_t d) {
    uint32_t most;
    if (!ir_is_const(u, u->arrays[a].dims[d], &most) || !is_proven(u, a)) return;
    for (uint32_t least = 1; least < most;) {
        uint32_t half = least + (most - least) / 2;
        u->arrays[a].dims[d] = ir_const_i32(u, (int32_t)half);
        if (is_proven(u, a))
            most = half;
        else
            least = half + 1;
    }
    u->arrays[a].dims[d] = ir_const_i32(u, (int32_t)most);
}

static size_t bytes_of(const struct ir_unit *u, ir_array a, size_t known) {
    size_t bytes = (uint32_t)whorl_dtype_size((enum whorl_dtype)u->arrays[a].elem);
    for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
        uint32_t size;
        if (!ir_is_const(u, u->arrays[a].dims[d], &size)) return known;
        bytes *= size;
    }
    return bytes;
}

void judge_bounds(struct ir_unit *u, void *const *arrays, size_t *sizes, struct verdict *out) {
    uint32_t count = u->array_count;
    bool *copied = base_alloc_array(u->cx, count, sizeof *copied); // or a copy: two arrays would have to change
    for (ir_array a = 1; a < count; a++)
        if (u->arrays[a].klass == IR_ARRAY_STAGED) copied[a] = copied[u->arrays[a].source] = true;
    for (ir_array a = 1; a < count; a++)
        for (uint32_t d = 0; d < u->arrays[a].ndims; d++) {
            if (copied[a] || u->arrays[a].klass == IR_ARRAY_TABLE) continue;
            tighten_beginning(u, a, d);
            tighten_end(u, a, d);
        }
    for (ir_array a = 1; a < count; a++)
        if (u->arrays[a].klass == IR_ARRAY_IN || u->arrays[a].klass == IR_ARRAY_INOUT)
            sizes[u->arrays[a].param] = bytes_of(u, a, sizes[u->arrays[a].param]);
    struct ir_interp_options options = {.arrays = arrays, .size_bytes = sizes, .max_steps = 1000000};
    struct whorl_error err = {0};
    if (ir_interpret(u, &options, &err) == WHORL_OK) return;
    if (!strstr(err.message, "is outside [") && !strstr(err.message, "are combined")) return;
    out->failure = FAIL_ENDED;
    snprintf(out->why, sizeof out->why, "proven indices, but %.1400s", err.message);
}
