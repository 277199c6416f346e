// Values of the interpreter: variables, elements of arrays and the expressions over them.
#include <string.h>

#include "ir/eval.h"
#include "ir/interp.h"

void ir_interp_set_var(struct interp *in, ir_var var, uint32_t bits) {
    struct interp_cell *cell = &in->vars[var];
    if (in->races) ir_interp_look_var(in, var, IR_TOUCH_WRITE, cell->bits != bits);
    cell->bits = bits;
    cell->set_in = in->u->vars[var].klass == IR_VAR_LOCAL ? in->iteration : IR_ALWAYS_SET;
}

uint32_t ir_interp_var(struct interp *in, ir_var var, base_loc loc) {
    const struct interp_cell *cell = &in->vars[var];
    if (cell->set_in < in->iteration)
        ir_interp_fail(in, WHORL_SOURCE, loc, "%s is read before it is set", in->u->vars[var].name);
    if (in->races) ir_interp_look_var(in, var, IR_TOUCH_READ, false);
    return cell->bits;
}

// The element's number, row-major.
uint64_t ir_interp_element(struct interp *in, ir_array array, uint32_t first, uint32_t n, base_loc loc) {
    const struct ir_unit *u = in->u;
    const struct memory *m = &in->arrays[array];
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        ir_expr e = u->args[first + i];
        uint32_t bits = ir_interp_eval(in, e);
        int64_t index = u->nodes[e].type == IR_I32 ? (int64_t)(int32_t)bits : (int64_t)bits;
        if (index < 0 || (uint64_t)index >= m->dims[i])
            ir_interp_fail(in, WHORL_SOURCE, loc, "index %lld of %s is outside [0, %llu) (dimension %u of %u)",
                           (long long)index, u->arrays[array].name, (unsigned long long)m->dims[i], i + 1, n);
        at = at * m->dims[i] + (uint64_t)index;
    }
    return at;
}

uint32_t ir_interp_load(const struct memory *m, uint64_t at) {
    return m->table ? m->table[at] : base_dtype_load(m->elem, m->bytes, (size_t)at);
}

void ir_interp_store(const struct memory *m, uint64_t at, uint32_t bits) {
    base_dtype_store(m->elem, m->bytes, (size_t)at, bits);
}

// Subscripts of what is read atomically are read as ever.
static uint32_t eval_load(struct interp *in, const struct ir_node *node) {
    bool atomic = in->reads_atomically;
    in->reads_atomically = false;
    uint64_t at = ir_interp_element(in, node->a, node->b, node->n, node->loc);
    in->reads_atomically = atomic;
    ir_interp_tell(in, IR_EVENT_READ, in->at, node->a, at);
    ir_interp_look(in, node->a, at, IR_TOUCH_READ, atomic, false);
    return ir_interp_load(&in->arrays[node->a], at);
}

uint32_t ir_interp_eval(struct interp *in, ir_expr e) {
    const struct ir_node *node = &in->u->nodes[e];
    switch (node->op) {
    case IR_CONST: return node->a;
    case IR_VAR: return ir_interp_var(in, node->a, node->loc);
    case IR_LOAD: return eval_load(in, node);
    case IR_LAND: return ir_interp_eval(in, node->a) && ir_interp_eval(in, node->b);
    case IR_LOR: return ir_interp_eval(in, node->a) || ir_interp_eval(in, node->b);
    case IR_SELECT: return ir_interp_eval(in, ir_interp_eval(in, node->a) ? node->b : node->c);
    default: break;
    }
    uint32_t arity = ir_ops[node->op].arity, result = 0;
    enum ir_type type = (enum ir_type)in->u->nodes[node->a].type;
    uint32_t a = ir_interp_eval(in, node->a);
    uint32_t b = arity > 1 ? ir_interp_eval(in, node->b) : 0;
    uint32_t c = arity > 2 ? ir_interp_eval(in, node->c) : 0;
    if (!ir_eval_op((enum ir_op)node->op, type, a, b, c, &result))
        ir_interp_fail(in, WHORL_SOURCE, node->loc,
                       b ? "integer division overflows: -2147483648 / -1" : "integer division by zero");
    return result;
}
