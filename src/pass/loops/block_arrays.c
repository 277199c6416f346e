// Parallel loops in blocks: each iteration of a loop becomes several, and what these leave stands in arrays that have
// the block's number in front of the loop's own indices, so that neighbours' words stand side by side.
#include "pass/passes.h"

// No further than that: a constant, or the smaller of something and one.
static ir_expr end_of(const struct ir_unit *u, ir_expr e) { return u->nodes[e].op == IR_MIN ? u->nodes[e].b : e; }

static bool fits(const struct ir_unit *u, const struct ir_stmt_node *n, bool exact) {
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim *dim = &u->dims[n->parfor.dims + d];
        uint32_t lo, hi;
        if (dim->step != 1 || !ir_is_const(u, dim->lo, &lo) ||
            !ir_is_const(u, exact ? dim->hi : end_of(u, dim->hi), &hi) || u->vars[dim->var].type != IR_I32)
            return false;
    }
    return n->parfor.dim_count + 2 <= IR_MAX_DIMS;
}
bool pass_has_plain_dims(const struct ir_unit *u, const struct ir_stmt_node *n) { return fits(u, n, true); }
bool pass_has_block_dims(const struct ir_unit *u, const struct ir_stmt_node *n) { return fits(u, n, false); }

static int32_t first_of(const struct ir_unit *u, ir_expr e) {
    uint32_t bits = 0;
    (void)ir_is_const(u, e, &bits);
    return (int32_t)bits;
}

ir_array pass_block_array(struct ir_unit *u, const struct ir_stmt_node *n, const char *name, enum ir_type type,
                          const uint32_t *lead, uint32_t lead_count) {
    ir_expr sizes[IR_MAX_DIMS];
    for (uint32_t k = 0; k < lead_count; k++)
        sizes[k] = ir_const_i32(u, (int32_t)lead[k]);
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        const struct ir_dim dim = u->dims[n->parfor.dims + d];
        sizes[lead_count + d] = ir_const_i32(u, first_of(u, end_of(u, dim.hi)) - first_of(u, dim.lo));
    }
    return ir_add_array(u, name, ir_word_of(type), IR_ARRAY_SCRATCH, lead_count + n->parfor.dim_count, sizes, n->loc);
}

uint32_t pass_block_index(struct ir_unit *u, const struct ir_stmt_node *n, const ir_expr *lead, uint32_t lead_count,
                          ir_expr out[IR_MAX_DIMS]) {
    uint32_t count = 0;
    while (count < lead_count)
        out[count] = lead[count], count++;
    for (uint32_t d = 0; d < n->parfor.dim_count; d++, count++) {
        const struct ir_dim dim = u->dims[n->parfor.dims + d];
        int32_t first = first_of(u, dim.lo);
        out[count] = ir_var_read(u, dim.var, n->loc);
        if (first) out[count] = ir_op2(u, IR_SUB, out[count], ir_const_i32(u, first), n->loc);
    }
    return count;
}

ir_stmt pass_block_parfor(struct ir_unit *u, const struct ir_stmt_node *n, ir_var block, uint32_t blocks,
                          ir_stmt body) {
    struct ir_effects fx = ir_effects_of(u, body);
    uint32_t vars = u->var_count, dim_count = 0;
    ir_var *own = base_alloc_array(u->cx, vars, sizeof *own);
    struct ir_dim dims[IR_MAX_DIMS];
    for (ir_var v = 1; v < vars; v++)
        if (ir_bit(fx.vars_written, v) && u->vars[v].klass == IR_VAR_LOCAL)
            own[v] = ir_add_var(u, u->vars[v].name, (enum ir_type)u->vars[v].type, IR_VAR_LOCAL, u->vars[v].loc);
    body = ir_clone_block(u, body, own, NULL);
    if (blocks) dims[dim_count++] = (struct ir_dim){block, ir_const_i32(u, 0), ir_const_i32(u, (int32_t)blocks), 1};
    for (uint32_t d = 0; d < n->parfor.dim_count; d++) {
        struct ir_dim dim = u->dims[n->parfor.dims + d];
        const struct ir_var_info info = u->vars[dim.var];
        ir_var name = ir_add_var(u, info.name, IR_I32, IR_VAR_DIM, info.loc);
        pass_substitute(u, body, dim.var, ir_var_read(u, name, info.loc));
        dim.var = name;
        dims[dim_count++] = dim;
    }
    return ir_parfor(u, dims, dim_count, body, n->loc);
}
