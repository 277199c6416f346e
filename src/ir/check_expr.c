// The law of expressions: which types operands and results have, that operands come first, and where variables and
// arrays may stand.
#include "ir/checker.h"

enum type_set { SET_B = 1u << IR_BOOL, SET_I = 1u << IR_I32, SET_U = 1u << IR_U32, SET_F = 1u << IR_F32 };

// Which types operand `which` of the operation may have.
static unsigned operand_types(enum ir_op op, unsigned which) {
    switch (op) {
    case IR_NEG: return SET_I | SET_F; // WGSL has no unary minus on u32: 0 - a is a SUB
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: return SET_I | SET_U | SET_F;
    case IR_EQ:
    case IR_NE: return SET_B | SET_I | SET_U | SET_F;
    case IR_REM:
    case IR_MIN:
    case IR_MAX:
    case IR_BITNOT:
    case IR_AND:
    case IR_OR:
    case IR_XOR:
    case IR_POPCOUNT:
    case IR_CLZ:
    case IR_CTZ: return SET_I | SET_U;
    case IR_SHL:
    case IR_SHR: return which == 0 ? SET_I | SET_U : SET_U;
    case IR_ABS:
    case IR_I2F:
    case IR_I2U: return SET_I;
    case IR_MULHI:
    case IR_U2F:
    case IR_U2I:
    case IR_BITS_U2F: return SET_U;
    case IR_NOT:
    case IR_LAND:
    case IR_LOR: return SET_B;
    case IR_SELECT: return which == 0 ? SET_B : SET_B | SET_I | SET_U | SET_F;
    case IR_LDEXP: return which == 0 ? SET_F : SET_I;
    default: return SET_F; // conversions of floats and the functions of math.h
    }
}

static enum ir_type result_type(const struct ir_node *node, const enum ir_type *operands) {
    switch (ir_ops[node->op].rule) {
    case IR_RULE_BOOL: return IR_BOOL;
    case IR_RULE_I32: return IR_I32;
    case IR_RULE_U32: return IR_U32;
    case IR_RULE_F32: return IR_F32;
    default: return operands[node->op == IR_SELECT ? 1 : 0];
    }
}

static void check_operation(struct checker *c, ir_expr e, const struct ir_node *node) {
    const struct ir_op_info *op = &ir_ops[node->op];
    const uint32_t handles[] = {node->a, node->b, node->c};
    enum ir_type types[3] = {IR_VOID, IR_VOID, IR_VOID};
    for (uint32_t i = 0; i < op->arity; i++) {
        if (handles[i] == 0 || handles[i] >= e)
            ir_check_broken(c, "node %u (%s): operand %u is node %u", e, op->name, i, handles[i]);
        types[i] = ir_check_expr(c, handles[i]);
        if (!(operand_types((enum ir_op)node->op, i) >> types[i] & 1))
            ir_check_broken(c, "node %u (%s): operand %u has type %s", e, op->name, i, ir_type_name(types[i]));
    }
    bool mixed = node->op == IR_SHL || node->op == IR_SHR || node->op == IR_LDEXP;
    uint32_t first = node->op == IR_SELECT ? 1 : 0;
    for (uint32_t i = first + 1; i < op->arity && !mixed; i++)
        if (types[i] != types[first])
            ir_check_broken(c, "node %u (%s): operands of types %s and %s", e, op->name, ir_type_name(types[first]),
                            ir_type_name(types[i]));
    if (node->type != result_type(node, types))
        ir_check_broken(c, "node %u (%s): has type %s, must be %s", e, op->name, ir_type_name((enum ir_type)node->type),
                        ir_type_name(result_type(node, types)));
}

void ir_check_var_place(const struct checker *c, ir_var var) {
    if (var == 0 || var >= c->u->var_count) ir_check_broken(c, "variable %u does not exist", var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (info->klass == IR_VAR_LOCAL && !c->parfor)
        ir_check_broken(c, "local variable %s.%u at entry level", info->name, var);
    if (info->klass == IR_VAR_DIM && !c->dim_active[var])
        ir_check_broken(c, "index variable %s.%u outside its parallel loop", info->name, var);
}

void ir_check_array_place(const struct checker *c, ir_array array) {
    if (array == 0 || array >= c->u->array_count) ir_check_broken(c, "array %u does not exist", array);
    if (c->u->arrays[array].klass == IR_ARRAY_LOCAL && !c->parfor)
        ir_check_broken(c, "local array %s.%u at entry level", c->u->arrays[array].name, array);
    uint32_t lanes = c->u->arrays[array].lanes;
    const struct ir_stmt_node *parfor = &c->u->stmts[c->parfor];
    if (lanes && (!(parfor->flags & IR_FLAG_LANES) || parfor->parfor.lane_var || parfor->parfor.lanes != lanes))
        ir_check_broken(c, "local array %s.%u of %u lanes in an iteration that has others", c->u->arrays[array].name,
                        array, lanes);
}

void ir_check_indices(struct checker *c, ir_array array, uint32_t first, uint32_t n, ir_expr below) {
    const struct ir_unit *u = c->u;
    if (n != u->arrays[array].ndims)
        ir_check_broken(c, "%u indices for %s.%u of %u dimensions", n, u->arrays[array].name, array,
                        (unsigned)u->arrays[array].ndims);
    ir_check_list(c, c->arg_owner, below ? UINT32_MAX : c->at, first, n, u->arg_count, "indices");
    for (uint32_t i = 0; i < n; i++) {
        ir_expr e = u->args[first + i];
        if (below && e >= below) ir_check_broken(c, "node %u: index %u is node %u", below, i, e);
        enum ir_type type = ir_check_expr(c, e);
        if (type != IR_I32 && type != IR_U32)
            ir_check_broken(c, "an index of %s.%u has type %s", u->arrays[array].name, array, ir_type_name(type));
    }
}

enum ir_type ir_check_expr(struct checker *c, ir_expr e) {
    const struct ir_unit *u = c->u;
    if (e == 0 || e >= u->node_count) ir_check_broken(c, "node %u does not exist", e);
    const struct ir_node *node = &u->nodes[e];
    if (c->node_ok[e]) return (enum ir_type)node->type;
    if (node->op >= IR_OP_COUNT) ir_check_broken(c, "node %u has operation %u", e, (unsigned)node->op);
    switch (node->op) {
    case IR_CONST:
        if (node->type < IR_BOOL || node->type > IR_F32)
            ir_check_broken(c, "constant node %u has type %s", e, ir_type_name((enum ir_type)node->type));
        if (node->type == IR_BOOL && node->a > 1) ir_check_broken(c, "bool node %u is %u", e, node->a);
        break;
    case IR_VAR:
        if (node->a == 0 || node->a >= u->var_count)
            ir_check_broken(c, "node %u reads variable %u, which does not exist", e, node->a);
        if (node->type != u->vars[node->a].type)
            ir_check_broken(c, "node %u: %s.%u read as %s", e, u->vars[node->a].name, node->a,
                            ir_type_name((enum ir_type)node->type));
        break;
    case IR_LOAD:
        if (node->a == 0 || node->a >= u->array_count)
            ir_check_broken(c, "node %u reads array %u, which does not exist", e, node->a);
        ir_check_indices(c, node->a, node->b, node->n, e);
        if (node->type != ir_elem_type((enum whorl_dtype)u->arrays[node->a].elem))
            ir_check_broken(c, "node %u: %s.%u loaded as %s", e, u->arrays[node->a].name, node->a,
                            ir_type_name((enum ir_type)node->type));
        break;
    default: check_operation(c, e, node); break;
    }
    c->node_ok[e] = 1;
    return (enum ir_type)node->type;
}

bool ir_check_place(void *user, ir_expr e) {
    struct checker *c = user;
    const struct ir_node *node = &c->u->nodes[e];
    if (node->op == IR_VAR) ir_check_var_place(c, node->a);
    if (node->op == IR_LOAD) ir_check_array_place(c, node->a);
    return true;
}

void ir_check_typed(struct checker *c, ir_expr e, enum ir_type want, const char *what) {
    enum ir_type type = ir_check_expr(c, e);
    ir_walk_expr(c->u, e, ir_check_place, c);
    if (type != want) ir_check_broken(c, "%s has type %s, must be %s", what, ir_type_name(type), ir_type_name(want));
}
