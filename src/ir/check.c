// The law of the IR, checked after every pass in tests and debug builds. It asks for more than the interpreter needs,
// so that a pass which breaks something is named at once and not three passes later by a wrong number.
//
// Acyclic by construction: operands have smaller handles than their users, and each statement is met at most once,
// which also rules out a statement that two blocks share.
#include "ir/ir.h"

struct checker {
    const struct ir_unit *u;
    const char *after;
    unsigned char *node_ok; // checked already, but for what depends on the place: variables and arrays
    unsigned char *stmt_seen;
    unsigned char *var_locked; // a FOR's variable inside its body, a PARFOR's inside it
    unsigned char *dim_active; // a PARFOR's variable inside it
    unsigned char *reduced;    // a reduction's variable inside its PARFOR
    ir_stmt parfor;            // the one around, 0 at entry level
    bool lanes;                // inside a PARFOR whose lanes are of a subgroup
    uint32_t loop_depth;       // loops around that BREAK may leave
    uint32_t parallels;        // PARFORs and COMBINEs so far
    uint32_t jumps;            // BREAKs and CONTINUEs so far of the loop around
    ir_stmt at;
};

static _Noreturn void broken(const struct checker *c, const char *format, ...) BASE_PRINTF(2, 3);

static _Noreturn void broken(const struct checker *c, const char *format, ...) {
    struct base_cx *cx = c->u->cx;
    va_list args;
    va_start(args, format);
    const char *what = base_vformat(cx, format, args);
    va_end(args);
    base_loc loc = c->at ? c->u->stmts[c->at].loc : 0;
    uint32_t line = loc < cx->loc_count ? cx->locs[loc].line : 0;
    base_bug(cx, "after %s: statement %u (line %u): %s", c->after, c->at, line, what);
}

// ---- expressions ----------------------------------------------------------------------------------------------------

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

static enum ir_type check_expr(struct checker *c, ir_expr e);

static void check_operation(struct checker *c, ir_expr e, const struct ir_node *node) {
    const struct ir_op_info *op = &ir_ops[node->op];
    const uint32_t handles[] = {node->a, node->b, node->c};
    enum ir_type types[3] = {IR_VOID, IR_VOID, IR_VOID};
    for (uint32_t i = 0; i < op->arity; i++) {
        if (handles[i] == 0 || handles[i] >= e)
            broken(c, "node %u (%s): operand %u is node %u", e, op->name, i, handles[i]);
        types[i] = check_expr(c, handles[i]);
        if (!(operand_types((enum ir_op)node->op, i) >> types[i] & 1))
            broken(c, "node %u (%s): operand %u has type %s", e, op->name, i, ir_type_name(types[i]));
    }
    bool mixed = node->op == IR_SHL || node->op == IR_SHR || node->op == IR_LDEXP;
    uint32_t first = node->op == IR_SELECT ? 1 : 0;
    for (uint32_t i = first + 1; i < op->arity && !mixed; i++)
        if (types[i] != types[first])
            broken(c, "node %u (%s): operands of types %s and %s", e, op->name, ir_type_name(types[first]),
                   ir_type_name(types[i]));
    if (node->type != result_type(node, types))
        broken(c, "node %u (%s): has type %s, must be %s", e, op->name, ir_type_name((enum ir_type)node->type),
               ir_type_name(result_type(node, types)));
}

static void check_var_place(const struct checker *c, ir_var var) {
    if (var == 0 || var >= c->u->var_count) broken(c, "variable %u does not exist", var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (info->klass == IR_VAR_LOCAL && !c->parfor) broken(c, "local variable %s.%u at entry level", info->name, var);
    if (info->klass == IR_VAR_DIM && !c->dim_active[var])
        broken(c, "index variable %s.%u outside its parallel loop", info->name, var);
}

static void check_array_place(const struct checker *c, ir_array array) {
    if (array == 0 || array >= c->u->array_count) broken(c, "array %u does not exist", array);
    if (c->u->arrays[array].klass == IR_ARRAY_LOCAL && !c->parfor)
        broken(c, "local array %s.%u at entry level", c->u->arrays[array].name, array);
}

static void check_indices(struct checker *c, ir_array array, uint32_t first, uint32_t n, ir_expr below) {
    const struct ir_unit *u = c->u;
    if (n != u->arrays[array].ndims)
        broken(c, "%u indices for %s.%u of %u dimensions", n, u->arrays[array].name, array,
               (unsigned)u->arrays[array].ndims);
    if (first >= u->arg_count || n > u->arg_count - first)
        broken(c, "indices [%u, +%u) are outside the unit's lists", first, n);
    for (uint32_t i = 0; i < n; i++) {
        ir_expr e = u->args[first + i];
        if (below && e >= below) broken(c, "node %u: index %u is node %u", below, i, e);
        enum ir_type type = check_expr(c, e);
        if (type != IR_I32 && type != IR_U32)
            broken(c, "an index of %s.%u has type %s", u->arrays[array].name, array, ir_type_name(type));
    }
}

// Types are checked once a node; where it stands (check_place) at each use.
static enum ir_type check_expr(struct checker *c, ir_expr e) {
    const struct ir_unit *u = c->u;
    if (e == 0 || e >= u->node_count) broken(c, "node %u does not exist", e);
    const struct ir_node *node = &u->nodes[e];
    if (c->node_ok[e]) return (enum ir_type)node->type;
    if (node->op >= IR_OP_COUNT) broken(c, "node %u has operation %u", e, (unsigned)node->op);
    switch (node->op) {
    case IR_CONST:
        if (node->type < IR_BOOL || node->type > IR_F32)
            broken(c, "constant node %u has type %s", e, ir_type_name((enum ir_type)node->type));
        if (node->type == IR_BOOL && node->a > 1) broken(c, "bool node %u is %u", e, node->a);
        break;
    case IR_VAR:
        if (node->a == 0 || node->a >= u->var_count)
            broken(c, "node %u reads variable %u, which does not exist", e, node->a);
        if (node->type != u->vars[node->a].type)
            broken(c, "node %u: %s.%u read as %s", e, u->vars[node->a].name, node->a,
                   ir_type_name((enum ir_type)node->type));
        break;
    case IR_LOAD:
        if (node->a == 0 || node->a >= u->array_count)
            broken(c, "node %u reads array %u, which does not exist", e, node->a);
        check_indices(c, node->a, node->b, node->n, e);
        if (node->type != ir_elem_type((enum ir_elem)u->arrays[node->a].elem))
            broken(c, "node %u: %s.%u loaded as %s", e, u->arrays[node->a].name, node->a,
                   ir_type_name((enum ir_type)node->type));
        break;
    default: check_operation(c, e, node); break;
    }
    c->node_ok[e] = 1;
    return (enum ir_type)node->type;
}

static bool check_place(void *user, ir_expr e) {
    struct checker *c = user;
    const struct ir_node *node = &c->u->nodes[e];
    if (node->op == IR_VAR) check_var_place(c, node->a);
    if (node->op == IR_LOAD) check_array_place(c, node->a);
    return true;
}

static void want_type(struct checker *c, ir_expr e, enum ir_type want, const char *what) {
    enum ir_type type = check_expr(c, e);
    ir_walk_expr(c->u, e, check_place, c);
    if (type != want) broken(c, "%s has type %s, must be %s", what, ir_type_name(type), ir_type_name(want));
}

// ---- statements -----------------------------------------------------------------------------------------------------

static void check_block(struct checker *c, ir_stmt block);

static void check_written_var(const struct checker *c, ir_var var) {
    check_var_place(c, var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (info->klass == IR_VAR_PARAM || info->klass == IR_VAR_DIM) broken(c, "%s.%u is read only", info->name, var);
    if (c->var_locked[var]) broken(c, "%s.%u is written inside its own loop", info->name, var);
    if (info->klass == IR_VAR_ENTRY && c->parfor && !c->reduced[var])
        broken(c, "entry variable %s.%u is written inside a parallel loop that does not reduce it", info->name, var);
}

static void check_assign(struct checker *c, const struct ir_stmt_node *stmt) {
    check_written_var(c, stmt->a);
    want_type(c, stmt->b, (enum ir_type)c->u->vars[stmt->a].type, "the assigned value");
}

static void check_store(struct checker *c, const struct ir_stmt_node *stmt) {
    check_array_place(c, stmt->a);
    const struct ir_array_info *array = &c->u->arrays[stmt->a];
    if (stmt->kind == IR_ATOMIC) {
        if (!array->atomic || array->klass == IR_ARRAY_LOCAL)
            broken(c, "an atomic on %s.%u, which is not marked so", array->name, stmt->a);
        if (stmt->d >= IR_OP_COUNT || !ir_atomic_allowed((uint8_t)stmt->d, (enum ir_elem)array->elem))
            broken(c, "no atomic operation %u on elements of %s.%u", stmt->d, array->name, stmt->a);
        if (stmt->e) check_written_var(c, stmt->e);
        if (stmt->e && c->u->vars[stmt->e].type != ir_elem_type((enum ir_elem)array->elem))
            broken(c, "the old value of %s.%u goes into a variable of another type", array->name, stmt->a);
    }
    if (array->klass == IR_ARRAY_IN || array->klass == IR_ARRAY_TABLE)
        broken(c, "store to %s.%u, which is read only", array->name, stmt->a);
    check_indices(c, stmt->a, stmt->b, stmt->n, 0);
    for (uint32_t i = 0; i < stmt->n; i++)
        ir_walk_expr(c->u, c->u->args[stmt->b + i], check_place, c);
    want_type(c, stmt->c, ir_elem_type((enum ir_elem)array->elem), "the stored value");
}

// The form that pass_leave promises of loops around parallel loops; `parallels`: what was counted before the loop.
static void check_canonical(const struct checker *c, const struct ir_stmt_node *stmt, uint32_t parallels) {
    const struct ir_unit *u = c->u;
    if (!u->canonical_loops || c->parfor || c->parallels == parallels) return;
    if (c->jumps) broken(c, "a loop around parallel loops is left by a jump");
    if (stmt->kind == IR_LOOP &&
        (stmt->b || !stmt->a || u->nodes[stmt->a].op != IR_VAR || u->vars[u->nodes[stmt->a].a].klass != IR_VAR_ENTRY))
        broken(c, "a loop around parallel loops does not run on a flag");
}

static void check_for(struct checker *c, const struct ir_stmt_node *stmt) {
    check_written_var(c, stmt->a);
    enum ir_type type = (enum ir_type)c->u->vars[stmt->a].type;
    if (type != IR_I32 && type != IR_U32) broken(c, "a loop counts in %s", ir_type_name(type));
    want_type(c, stmt->b, type, "the loop's first value");
    want_type(c, stmt->c, type, "the loop's end");
    if (stmt->d == 0) broken(c, "a loop with step 0");
    uint32_t parallels = c->parallels, jumps = c->jumps;
    c->jumps = 0;
    c->var_locked[stmt->a] = 1;
    c->loop_depth++;
    check_block(c, stmt->e);
    c->loop_depth--;
    c->var_locked[stmt->a] = 0;
    check_canonical(c, stmt, parallels);
    c->jumps = jumps;
}

static void check_loop(struct checker *c, const struct ir_stmt_node *stmt) {
    if (stmt->a) want_type(c, stmt->a, IR_BOOL, "the loop's condition");
    uint32_t depth = c->loop_depth, parallels = c->parallels, jumps = c->jumps;
    c->jumps = 0;
    c->loop_depth++;
    check_block(c, stmt->e);
    c->loop_depth = 0; // the continuing block leaves no loop around it
    check_block(c, stmt->b);
    c->loop_depth = depth;
    check_canonical(c, stmt, parallels);
    c->jumps = jumps;
}

static bool reduces(uint8_t op, enum ir_type type) {
    switch (op) {
    case IR_ADD:
    case IR_MUL: return type == IR_I32 || type == IR_U32 || type == IR_F32;
    case IR_MIN:
    case IR_MAX:
    case IR_AND:
    case IR_OR:
    case IR_XOR: return type == IR_I32 || type == IR_U32;
    case IR_FMIN:
    case IR_FMAX: return type == IR_F32;
    case IR_LAND:
    case IR_LOR: return type == IR_BOOL;
    default: return false;
    }
}

static void check_reduced_var(const struct checker *c, uint8_t op, ir_var var) {
    check_written_var(c, var);
    const struct ir_var_info *info = &c->u->vars[var];
    if (op >= IR_OP_COUNT || !reduces(op, (enum ir_type)info->type))
        broken(c, "%s.%u of type %s is reduced by %s", info->name, var, ir_type_name((enum ir_type)info->type),
               op < IR_OP_COUNT ? ir_ops[op].name : "?");
}

static void check_parfor(struct checker *c, ir_stmt s, const struct ir_stmt_node *stmt) {
    const struct ir_unit *u = c->u;
    if (c->parfor) broken(c, "a parallel loop inside parallel loop %u", c->parfor);
    c->parallels++;
    if (stmt->n < 1 || stmt->n > IR_MAX_DIMS) broken(c, "a parallel loop of %u dimensions", (unsigned)stmt->n);
    if (stmt->a == 0 || stmt->a >= u->dim_count || stmt->n > u->dim_count - stmt->a)
        broken(c, "dimensions [%u, +%u) are outside the unit's list", stmt->a, (unsigned)stmt->n);
    if (stmt->c && (stmt->b == 0 || stmt->b >= u->reduction_count || stmt->c > u->reduction_count - stmt->b))
        broken(c, "reductions [%u, +%u) are outside the unit's list", stmt->b, stmt->c);
    const struct ir_dim *dims = &u->dims[stmt->a];
    const struct ir_reduction *reductions = &u->reductions[stmt->b];
    for (uint32_t i = 0; i < stmt->n; i++) {
        if (dims[i].var == 0 || dims[i].var >= u->var_count || u->vars[dims[i].var].klass != IR_VAR_DIM)
            broken(c, "dimension %u has variable %u, which is no index variable", i, dims[i].var);
        enum ir_type type = (enum ir_type)u->vars[dims[i].var].type;
        if (type != IR_I32 && type != IR_U32) broken(c, "a parallel loop counts in %s", ir_type_name(type));
        want_type(c, dims[i].lo, type, "the parallel loop's first value");
        want_type(c, dims[i].hi, type, "the parallel loop's end");
        if (dims[i].step == 0) broken(c, "a parallel loop with step 0");
    }
    for (uint32_t i = 0; i < stmt->c; i++) {
        check_reduced_var(c, reductions[i].op, reductions[i].var);
        if (c->reduced[reductions[i].var]++)
            broken(c, "%s.%u is reduced twice", u->vars[reductions[i].var].name, reductions[i].var);
    }
    for (uint32_t i = 0; i < stmt->n; i++)
        if (c->dim_active[dims[i].var]++)
            broken(c, "two dimensions share %s.%u", u->vars[dims[i].var].name, dims[i].var);
    ir_var lane = stmt->flags & IR_FLAG_LANES ? stmt->d : 0;
    if (lane) {
        if (lane >= u->var_count || u->vars[lane].klass != IR_VAR_DIM || u->vars[lane].type != IR_I32 ||
            c->dim_active[lane]++)
            broken(c, "the number of a lane cannot be in variable %u", lane);
        if (stmt->weight < 2 || (stmt->weight & (stmt->weight - 1))) broken(c, "%u lanes", stmt->weight);
    }
    uint32_t depth = c->loop_depth;
    c->lanes = lane != 0;
    c->parfor = s;
    c->loop_depth = 0;
    check_block(c, stmt->e);
    c->parfor = 0;
    c->lanes = false;
    c->loop_depth = depth;
    if (lane) c->dim_active[lane] = 0;
    for (uint32_t i = 0; i < stmt->n; i++)
        c->dim_active[dims[i].var] = 0;
    for (uint32_t i = 0; i < stmt->c; i++)
        c->reduced[reductions[i].var] = 0;
}

static void check_combine(struct checker *c, const struct ir_stmt_node *stmt) {
    if (c->parfor) broken(c, "a combine inside a parallel loop");
    c->parallels++;
    check_reduced_var(c, (uint8_t)(stmt->b < IR_OP_COUNT ? stmt->b : IR_OP_COUNT), stmt->a);
    check_array_place(c, stmt->c);
    const struct ir_array_info *array = &c->u->arrays[stmt->c];
    uint32_t size;
    if (array->ndims != 1 || ir_elem_type((enum ir_elem)array->elem) != c->u->vars[stmt->a].type)
        broken(c, "%s.%u cannot be combined into %s.%u", array->name, stmt->c, c->u->vars[stmt->a].name, stmt->a);
    if (stmt->e) want_type(c, stmt->e, IR_I32, "the first element");
    if (ir_is_const(c->u, array->dims[0], &size) && stmt->d > size)
        broken(c, "%u elements of %s.%u are combined, it has %u", stmt->d, array->name, stmt->c, size);
}

static void check_stmt(struct checker *c, ir_stmt s) {
    const struct ir_stmt_node *stmt = &c->u->stmts[s];
    if ((stmt->kind == IR_ASSIGN || stmt->kind == IR_STORE) && stmt->d && !ir_is_run(c->u, s))
        broken(c, "%u accesses that are not of neighbours", stmt->d);
    switch (stmt->kind) {
    case IR_NOP: break;
    case IR_STAGE:
        if (c->parfor || c->u->arrays[stmt->a].klass != IR_ARRAY_STAGED || !ir_in_buffer(c->u, stmt->b))
            broken(c, "a copy into workgroup memory that is none");
        break;
    case IR_BARRIER:
        if (c->parfor) broken(c, "a barrier inside a parallel loop");
        break;
    case IR_ASSIGN: check_assign(c, stmt); break;
    case IR_STORE:
    case IR_ATOMIC: check_store(c, stmt); break;
    case IR_IF:
        want_type(c, stmt->a, IR_BOOL, "the condition");
        check_block(c, stmt->b);
        check_block(c, stmt->c);
        break;
    case IR_FOR: check_for(c, stmt); break;
    case IR_LOOP: check_loop(c, stmt); break;
    case IR_BREAK:
    case IR_CONTINUE:
        c->jumps++;
        if (!c->loop_depth) broken(c, "%s outside a loop", stmt->kind == IR_BREAK ? "break" : "continue");
        break;
    case IR_PARFOR: check_parfor(c, s, stmt); break;
    case IR_COMBINE: check_combine(c, stmt); break;
    case IR_AGREE:
        if (!c->lanes) broken(c, "lanes of a subgroup where there are none");
        check_reduced_var(c, (uint8_t)(stmt->b < IR_OP_COUNT ? stmt->b : IR_OP_COUNT), stmt->a);
        break;
    default: broken(c, "unknown kind %u", (unsigned)stmt->kind);
    }
}

static void check_block(struct checker *c, ir_stmt block) {
    ir_stmt around = c->at;
    for (ir_stmt s = block; s; s = c->u->stmts[s].next) {
        if (s >= c->u->stmt_count) broken(c, "statement %u does not exist", s);
        c->at = s;
        if (c->stmt_seen[s]++) broken(c, "stands in two places, or its list has a cycle");
        check_stmt(c, s);
    }
    c->at = around;
}

// ---- declarations ---------------------------------------------------------------------------------------------------

static bool only_params(void *user, ir_expr e) {
    struct checker *c = user;
    const struct ir_node *node = &c->u->nodes[e];
    if (node->op == IR_LOAD || (node->op == IR_VAR && c->u->vars[node->a].klass != IR_VAR_PARAM))
        broken(c, "the size of an array depends on more than parameters (node %u)", e);
    return true;
}

static void check_array(struct checker *c, ir_array a) {
    const struct ir_array_info *info = &c->u->arrays[a];
    uint64_t count = 1;
    if (info->elem > IR_ELEM_BOOL || info->klass > IR_ARRAY_STAGED || info->ndims < 1 || info->ndims > IR_MAX_DIMS)
        broken(c, "array %s.%u: element %u, class %u, %u dimensions", info->name, a, (unsigned)info->elem,
               (unsigned)info->klass, (unsigned)info->ndims);
    for (uint32_t i = 0; i < info->ndims; i++) {
        enum ir_type type = check_expr(c, info->dims[i]);
        uint32_t bits = 0;
        if (type != IR_I32 && type != IR_U32)
            broken(c, "a dimension of %s.%u has type %s", info->name, a, ir_type_name(type));
        ir_walk_expr(c->u, info->dims[i], only_params, c);
        bool is_const = ir_is_const(c->u, info->dims[i], &bits);
        if (!is_const && (info->klass == IR_ARRAY_LOCAL || info->klass == IR_ARRAY_TABLE))
            broken(c, "%s.%u must have constant dimensions", info->name, a);
        if (is_const && bits && count > UINT64_MAX / bits)
            broken(c, "%s.%u has more than 2^64 elements", info->name, a);
        count *= is_const ? bits : 1;
    }
    if (info->klass == IR_ARRAY_TABLE && (!info->data || info->data_count != count))
        broken(c, "table %s.%u holds %u values, its shape %llu", info->name, a, info->data_count,
               (unsigned long long)count);
    if (info->klass > IR_ARRAY_INOUT) return;
    if (info->param >= c->u->param_count || !c->u->params[info->param].is_array || c->u->params[info->param].ref != a)
        broken(c, "array %s.%u and parameter %u do not name each other", info->name, a, info->param);
}

static void check_var(struct checker *c, ir_var v) {
    const struct ir_var_info *info = &c->u->vars[v];
    if (info->type < IR_BOOL || info->type > IR_F32 || info->klass > IR_VAR_DIM)
        broken(c, "variable %s.%u: type %u, class %u", info->name, v, (unsigned)info->type, (unsigned)info->klass);
    if (info->klass != IR_VAR_PARAM) return;
    if (info->param >= c->u->param_count || c->u->params[info->param].is_array || c->u->params[info->param].ref != v ||
        c->u->params[info->param].type != info->type)
        broken(c, "variable %s.%u and parameter %u do not name each other", info->name, v, info->param);
}

static unsigned char *flags(const struct ir_unit *u, uint32_t count) { return base_alloc_array(u->cx, count, 1); }

void ir_check(const struct ir_unit *u, const char *after) {
    struct checker c = {.u = u, .after = after};
    c.node_ok = flags(u, u->node_count);
    c.stmt_seen = flags(u, u->stmt_count);
    c.var_locked = flags(u, u->var_count);
    c.dim_active = flags(u, u->var_count);
    c.reduced = flags(u, u->var_count);
    for (ir_var v = 1; v < u->var_count; v++)
        check_var(&c, v);
    for (ir_array a = 1; a < u->array_count; a++)
        check_array(&c, a);
    check_block(&c, u->root);
}
