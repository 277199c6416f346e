// A loop becomes one over stretches of its passes: copies of the boxes that a stretch reads, then the passes, whose
// loads are of the boxes.
#include "pass/memory/panel.h"

static struct ir_stmt_node *node_of(const struct panel *x, ir_stmt s) { return &x->u->stmts[s]; }

static ir_expr in_box(void *user, ir_expr e) {
    struct {
        struct panel *x;
        ir_var pass;
    } *m = user;
    if (m->x->u->nodes[e].op != IR_LOAD) return e;
    for (uint32_t i = 0; i < m->x->load_count; i++) {
        const struct panel_load *load = &m->x->loads[i];
        if (load->box < PANEL_BOXES && m->x->boxes[load->box].words && ir_same_expr(m->x->u, load->load, e))
            return panel_load_of(m->x, load, m->pass);
    }
    return e;
}

static void add_staged(struct panel *x, struct panel_box *box, uint64_t *io_at) {
    struct ir_unit *u = x->u;
    const struct ir_array_info info = u->arrays[box->array];
    enum whorl_dtype elem = ir_word_of(ir_elem_type((enum whorl_dtype)info.elem));
    ir_expr dims[IR_MAX_DIMS];
    for (uint32_t d = 0; d < box->n; d++)
        dims[d] = ir_const_i32(u, (int32_t)box->extent[d]);
    box->staged = ir_add_array(u, info.name, elem, IR_ARRAY_STAGED, box->n, dims, info.loc);
    u->arrays[box->staged].source = box->array;
    u->arrays[box->staged].row = 1;
    u->arrays[box->staged].is_box = true;
    u->arrays[box->staged].skew = box->skew;
    u->arrays[box->staged].data_count = (uint32_t)*io_at;
    *io_at += ir_box_words(u, box->staged);
}

static void tell(const struct panel *x, const struct panel_box *box) {
    base_text_format(x->p->explain, "panel: the loop at line %u reads '%s' from workgroup memory, ",
                     x->u->cx->locs[node_of(x, x->loop)->loc].line, x->u->arrays[box->array].name);
    for (uint32_t d = 0; d < box->n; d++)
        base_text_format(x->p->explain, d ? " x %u" : "%u", box->extent[d]);
    base_text_put(x->p->explain, " elements at a time\n");
}

ir_stmt panel_stretches(struct panel *x, uint64_t passes, uint64_t trips) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = *node_of(x, x->loop);
    uint64_t at[IR_F32 + 1] = {0};
    ir_stmt copies = 0;
    ir_var pass = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc), stretch = 0;
    if (passes < trips) stretch = ir_add_var(u, u->vars[n.counted.var].name, IR_I32, IR_VAR_LOCAL, n.loc);
    panel_settle(x, passes);
    for (uint32_t i = 0; i < x->box_count; i++) {
        struct panel_box *box = &x->boxes[i];
        ir_expr origins[IR_MAX_DIMS];
        if (!box->words) continue;
        add_staged(x, box, &at[ir_elem_type((enum whorl_dtype)u->arrays[box->array].elem)]);
        for (uint32_t d = 0; d < box->n; d++)
            origins[d] = panel_origin(x, box, d, stretch, passes);
        ir_stmt copy = ir_add_stmt(u, IR_STAGE, n.loc);
        u->stmts[copy].stage.to = box->staged;
        u->stmts[copy].stage.from = box->array;
        u->stmts[copy].stage.origins = ir_add_args(u, origins, box->n);
        u->stmts[copy].stage.origin_count = box->n;
        ir_append(u, &copies, copy);
        tell(x, box);
    }
    struct {
        struct panel *x;
        ir_var pass;
    } m = {x, pass};
    ir_map_block(u, n.counted.body, in_box, &m);
    ir_expr number = ir_var_read(u, pass, n.loc), all = ir_const_i32(u, (int32_t)passes);
    if (stretch) {
        ir_expr before = ir_op2(u, IR_MUL, ir_var_read(u, stretch, n.loc), all, n.loc);
        number = ir_op2(u, IR_ADD, before, number, n.loc);
        if (trips % passes) // the last stretch is shorter
            all = ir_op2(u, IR_MIN, all, ir_op2(u, IR_SUB, ir_const_i32(u, (int32_t)trips), before, n.loc), n.loc);
    }
    if (x->first[n.counted.var])
        number = ir_op2(u, IR_ADD, number, ir_const_i32(u, (int32_t)x->first[n.counted.var]), n.loc);
    pass_substitute(u, n.counted.body, n.counted.var, number);
    ir_expr zero = ir_const_i32(u, 0);
    ir_stmt inner = ir_for(u, pass, zero, all, 1, n.counted.body, n.loc);
    u->stmts[inner].flags = (uint16_t)(n.flags & ~IR_FLAG_SIMD);
    u->stmts[inner].counted.unroll = n.counted.unroll;
    ir_append(u, &copies, inner);
    if (!stretch) return copies;
    return ir_for(u, stretch, zero, ir_const_i32(u, (int32_t)((trips + passes - 1) / passes)), 1, copies, n.loc);
}
