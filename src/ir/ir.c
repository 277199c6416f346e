// Building a unit: adding nodes, statements, variables and arrays. Nothing is folded or merged here; handles only grow,
// so an operand's handle is always smaller than that of its user.
#include <string.h>

#include "ir/ir.h"

// Element 0 of each array is "none", so the first real handle is 1.
static void *first_items(struct base_cx *cx, uint32_t *count, uint32_t *cap, size_t each_bytes) {
    *count = 1;
    *cap = 64;
    return base_alloc_array(cx, *cap, each_bytes);
}

const ir_expr *ir_shape_of(const struct ir_unit *u, ir_array a, uint32_t *out_ndims) {
    const struct ir_array_info *info = &u->arrays[a];
    bool is_param = info->klass == IR_ARRAY_IN || info->klass == IR_ARRAY_INOUT;
    const struct ir_param *param = is_param && info->param < u->param_count ? &u->params[info->param] : NULL;
    bool declared = param && param->ndims;
    *out_ndims = declared ? param->ndims : info->ndims;
    return declared ? param->dims : info->dims;
}

struct ir_unit *ir_unit_create(struct base_cx *cx) {
    struct ir_unit *u = base_alloc(cx, sizeof *u);
    u->cx = cx;
    u->entry = "";
    u->nodes = first_items(cx, &u->node_count, &u->node_cap, sizeof *u->nodes);
    u->stmts = first_items(cx, &u->stmt_count, &u->stmt_cap, sizeof *u->stmts);
    u->vars = first_items(cx, &u->var_count, &u->var_cap, sizeof *u->vars);
    u->arrays = first_items(cx, &u->array_count, &u->array_cap, sizeof *u->arrays);
    u->args = first_items(cx, &u->arg_count, &u->arg_cap, sizeof *u->args);
    u->dims = first_items(cx, &u->dim_count, &u->dim_cap, sizeof *u->dims);
    u->reductions = first_items(cx, &u->reduction_count, &u->reduction_cap, sizeof *u->reductions);
    return u;
}

static void *copy_items(struct base_cx *cx, const void *items, uint32_t count, uint32_t *cap, size_t each_bytes) {
    void *copy = base_alloc_array(cx, *cap, each_bytes);
    if (count) memcpy(copy, items, count * each_bytes);
    return copy;
}

struct ir_unit *ir_unit_clone(const struct ir_unit *u) {
    struct base_cx *cx = u->cx;
    struct ir_unit *copy = base_alloc(cx, sizeof *copy);
    *copy = *u;
    copy->nodes = copy_items(cx, u->nodes, u->node_count, &copy->node_cap, sizeof *u->nodes);
    copy->stmts = copy_items(cx, u->stmts, u->stmt_count, &copy->stmt_cap, sizeof *u->stmts);
    copy->vars = copy_items(cx, u->vars, u->var_count, &copy->var_cap, sizeof *u->vars);
    copy->arrays = copy_items(cx, u->arrays, u->array_count, &copy->array_cap, sizeof *u->arrays);
    copy->args = copy_items(cx, u->args, u->arg_count, &copy->arg_cap, sizeof *u->args);
    copy->dims = copy_items(cx, u->dims, u->dim_count, &copy->dim_cap, sizeof *u->dims);
    copy->reductions = copy_items(cx, u->reductions, u->reduction_count, &copy->reduction_cap, sizeof *u->reductions);
    copy->params = copy_items(cx, u->params, u->param_count, &copy->param_cap, sizeof *u->params);
    return copy;
}

ir_var ir_add_var(struct ir_unit *u, const char *name, enum ir_type type, enum ir_var_class klass, base_loc loc) {
    BASE_RESERVE(u->cx, u->vars, u->var_count, u->var_cap);
    u->vars[u->var_count] =
        (struct ir_var_info){.name = name ? name : "", .type = (uint8_t)type, .klass = (uint8_t)klass, .loc = loc};
    return u->var_count++;
}

ir_array ir_add_array(struct ir_unit *u, const char *name, enum whorl_dtype elem, enum ir_array_class klass,
                      uint32_t ndims, const ir_expr *dims, base_loc loc) {
    if (ndims < 1 || ndims > IR_MAX_DIMS) base_bug(u->cx, "array %s has %u dimensions", name ? name : "", ndims);
    BASE_RESERVE(u->cx, u->arrays, u->array_count, u->array_cap);
    struct ir_array_info *array = &u->arrays[u->array_count];
    *array = (struct ir_array_info){
        .name = name ? name : "", .elem = (uint8_t)elem, .klass = (uint8_t)klass, .ndims = (uint8_t)ndims, .loc = loc};
    memcpy(array->dims, dims, ndims * sizeof *dims);
    return u->array_count++;
}

uint32_t ir_add_args(struct ir_unit *u, const uint32_t *items, uint32_t n) {
    uint32_t first = u->arg_count;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = items[i]; // items may lie in u->args, which moves
        BASE_RESERVE(u->cx, u->args, u->arg_count, u->arg_cap);
        u->args[u->arg_count++] = item;
    }
    return first;
}

uint32_t ir_add_dims(struct ir_unit *u, const struct ir_dim *items, uint32_t n) {
    uint32_t first = u->dim_count;
    for (uint32_t i = 0; i < n; i++) {
        struct ir_dim item = items[i];
        BASE_RESERVE(u->cx, u->dims, u->dim_count, u->dim_cap);
        u->dims[u->dim_count++] = item;
    }
    return first;
}

uint32_t ir_add_reductions(struct ir_unit *u, const struct ir_reduction *items, uint32_t n) {
    uint32_t first = u->reduction_count;
    for (uint32_t i = 0; i < n; i++) {
        struct ir_reduction item = items[i];
        BASE_RESERVE(u->cx, u->reductions, u->reduction_count, u->reduction_cap);
        u->reductions[u->reduction_count++] = item;
    }
    return first;
}

// ---- expressions ----------------------------------------------------------------------------------------------------

static ir_expr add_node(struct ir_unit *u, struct ir_node node) {
    BASE_RESERVE(u->cx, u->nodes, u->node_count, u->node_cap);
    u->nodes[u->node_count] = node;
    return u->node_count++;
}

ir_expr ir_const(struct ir_unit *u, enum ir_type type, uint32_t bits) {
    return add_node(u, (struct ir_node){.op = IR_CONST, .type = (uint8_t)type, .a = bits});
}

ir_expr ir_const_i32(struct ir_unit *u, int32_t value) { return ir_const(u, IR_I32, (uint32_t)value); }

ir_expr ir_const_f32(struct ir_unit *u, float value) { return ir_const(u, IR_F32, base_float_bits(value)); }

ir_expr ir_var_read(struct ir_unit *u, ir_var var, base_loc loc) {
    if (var == 0 || var >= u->var_count) base_bug(u->cx, "read of variable %u, which does not exist", var);
    return add_node(u, (struct ir_node){.op = IR_VAR, .type = u->vars[var].type, .a = var, .loc = loc});
}

ir_expr ir_load(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n, base_loc loc) {
    if (array == 0 || array >= u->array_count) base_bug(u->cx, "load of array %u, which does not exist", array);
    uint8_t type = (uint8_t)ir_elem_type((enum whorl_dtype)u->arrays[array].elem);
    uint32_t first = ir_add_args(u, indices, n);
    struct ir_node node = {.op = IR_LOAD, .type = type, .n = (uint16_t)n, .a = array, .b = first, .loc = loc};
    return add_node(u, node);
}

static ir_expr add_op(struct ir_unit *u, enum ir_op op, uint32_t arity, ir_expr a, ir_expr b, ir_expr c, base_loc loc) {
    if (ir_ops[op].arity != arity) base_bug(u->cx, "%s built with %u operands", ir_ops[op].name, arity);
    uint8_t type = IR_VOID;
    switch (ir_ops[op].rule) {
    case IR_RULE_SAME: type = u->nodes[op == IR_SELECT ? b : a].type; break;
    case IR_RULE_BOOL: type = IR_BOOL; break;
    case IR_RULE_I32: type = IR_I32; break;
    case IR_RULE_U32: type = IR_U32; break;
    case IR_RULE_F32: type = IR_F32; break;
    }
    return add_node(u, (struct ir_node){.op = (uint8_t)op, .type = type, .a = a, .b = b, .c = c, .loc = loc});
}

ir_expr ir_op1(struct ir_unit *u, enum ir_op op, ir_expr a, base_loc loc) { return add_op(u, op, 1, a, 0, 0, loc); }

ir_expr ir_op2(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b, base_loc loc) {
    return add_op(u, op, 2, a, b, 0, loc);
}

ir_expr ir_op3(struct ir_unit *u, enum ir_op op, ir_expr a, ir_expr b, ir_expr c, base_loc loc) {
    return add_op(u, op, 3, a, b, c, loc);
}

bool ir_is_const(const struct ir_unit *u, ir_expr e, uint32_t *out_bits) {
    if (e == 0 || u->nodes[e].op != IR_CONST) return false;
    if (out_bits) *out_bits = u->nodes[e].a;
    return true;
}

// ---- statements -----------------------------------------------------------------------------------------------------

ir_stmt ir_add_stmt(struct ir_unit *u, enum ir_stmt_kind kind, base_loc loc) {
    BASE_RESERVE(u->cx, u->stmts, u->stmt_count, u->stmt_cap);
    u->stmts[u->stmt_count] = (struct ir_stmt_node){.kind = (uint8_t)kind, .loc = loc};
    return u->stmt_count++;
}

ir_stmt ir_assign(struct ir_unit *u, ir_var var, ir_expr value, base_loc loc) {
    ir_stmt s = ir_add_stmt(u, IR_ASSIGN, loc);
    u->stmts[s].assign.var = var;
    u->stmts[s].assign.value = value;
    return s;
}

ir_stmt ir_store(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n, ir_expr value, base_loc loc) {
    uint32_t first = ir_add_args(u, indices, n);
    ir_stmt s = ir_add_stmt(u, IR_STORE, loc);
    u->stmts[s].store.index_count = n;
    u->stmts[s].store.array = array;
    u->stmts[s].store.indices = first;
    u->stmts[s].store.value = value;
    return s;
}

ir_stmt ir_atomic(struct ir_unit *u, ir_array array, const ir_expr *indices, uint32_t n, enum ir_op op, ir_expr value,
                  ir_var old, base_loc loc) {
    uint32_t first = ir_add_args(u, indices, n);
    ir_stmt s = ir_add_stmt(u, IR_ATOMIC, loc);
    u->stmts[s].atomic.index_count = n;
    u->stmts[s].atomic.array = array;
    u->stmts[s].atomic.indices = first;
    u->stmts[s].atomic.value = value;
    u->stmts[s].atomic.op = op;
    u->stmts[s].atomic.old = old;
    u->arrays[array].atomic = true;
    return s;
}

bool ir_atomic_allowed(uint8_t op, enum whorl_dtype elem) {
    if (elem == WHORL_F32) return op == IR_ADD || op == IR_SELECT;
    if (elem == WHORL_I8 || elem == WHORL_U8 || elem == WHORL_I16 || elem == WHORL_U16) return op == IR_SELECT;
    if (elem != WHORL_I32 && elem != WHORL_U32) return false;
    return op == IR_ADD || op == IR_MIN || op == IR_MAX || op == IR_AND || op == IR_OR || op == IR_XOR ||
           op == IR_SELECT;
}

ir_stmt ir_if(struct ir_unit *u, ir_expr cond, ir_stmt then_block, ir_stmt else_block, base_loc loc) {
    ir_stmt s = ir_add_stmt(u, IR_IF, loc);
    u->stmts[s].branch.cond = cond;
    u->stmts[s].branch.then_block = then_block;
    u->stmts[s].branch.else_block = else_block;
    return s;
}

ir_stmt ir_for(struct ir_unit *u, ir_var var, ir_expr lo, ir_expr hi, int32_t step, ir_stmt body, base_loc loc) {
    ir_stmt s = ir_add_stmt(u, IR_FOR, loc);
    u->stmts[s].counted.var = var;
    u->stmts[s].counted.lo = lo;
    u->stmts[s].counted.hi = hi;
    u->stmts[s].counted.step = step;
    u->stmts[s].counted.body = body;
    return s;
}

ir_stmt ir_parfor(struct ir_unit *u, const struct ir_dim *dims, uint32_t count, ir_stmt body, base_loc loc) {
    uint32_t first = ir_add_dims(u, dims, count);
    ir_stmt s = ir_add_stmt(u, IR_PARFOR, loc);
    u->stmts[s].parfor.dims = first;
    u->stmts[s].parfor.dim_count = count;
    u->stmts[s].parfor.body = body;
    return s;
}

ir_stmt ir_loop(struct ir_unit *u, ir_expr cond, ir_stmt body, ir_stmt cont, base_loc loc) {
    ir_stmt s = ir_add_stmt(u, IR_LOOP, loc);
    u->stmts[s].loop.cond = cond;
    u->stmts[s].loop.continuing = cont;
    u->stmts[s].loop.body = body;
    return s;
}

void ir_append(struct ir_unit *u, ir_stmt *head, ir_stmt more) {
    if (*head == 0) {
        *head = more;
        return;
    }
    ir_stmt last = *head;
    while (u->stmts[last].next)
        last = u->stmts[last].next;
    u->stmts[last].next = more;
}

ir_array ir_box_of(const struct ir_unit *u, const struct ir_stmt_node *n) {
    if (n->kind == IR_STAGE) return n->stage.origin_count ? n->stage.to : 0;
    if (n->kind != IR_TURN) return 0;
    return u->arrays[n->turn.to].is_box ? n->turn.to : n->turn.from;
}

bool ir_copies_boxes(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        ir_stmt inner[2];
        uint32_t blocks = ir_blocks_of(&u->stmts[s], inner);
        if (ir_box_of(u, &u->stmts[s])) return true;
        for (uint32_t i = 0; i < blocks; i++)
            if (ir_copies_boxes(u, inner[i])) return true;
    }
    return false;
}

uint64_t ir_box_words(const struct ir_unit *u, ir_array a) {
    const struct ir_array_info *info = &u->arrays[a];
    uint64_t rows = 1;
    uint32_t extent = 1;
    for (uint32_t d = 0; d < info->ndims; d++) {
        if (d) rows *= extent;
        extent = 1;
        ir_is_const(u, info->dims[d], &extent);
    }
    uint64_t words = rows * extent + (info->skew ? (rows - 1) / info->skew * IR_STAGED_VECTOR : 0);
    return (words + IR_STAGED_VECTOR - 1) / IR_STAGED_VECTOR * IR_STAGED_VECTOR;
}

bool ir_in_buffer(const struct ir_unit *u, ir_array a) {
    return u->arrays[a].klass != IR_ARRAY_LOCAL && u->arrays[a].klass != IR_ARRAY_STAGED;
}
