// The unit as text that reads like C: one statement a line, every name with its handle, parentheses only where C needs
// them.
#include <stdio.h>
#include <string.h>

#include "ir/ir.h"

// ---- expressions ----------------------------------------------------------------------------------------------------

enum {
    PREC_SELECT = 1,
    PREC_OR,
    PREC_AND,
    PREC_BITOR,
    PREC_BITXOR,
    PREC_BITAND,
    PREC_EQUAL,
    PREC_ORDER,
    PREC_SHIFT,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_CALL,
};

// The operations that have a sign in C; the others print as calls.
static const struct {
    const char *sign;
    int prec;
} signs[IR_OP_COUNT] = {
    [IR_NEG] = {"-", PREC_UNARY},    [IR_ADD] = {"+", PREC_SUM},     [IR_SUB] = {"-", PREC_SUM},
    [IR_MUL] = {"*", PREC_PRODUCT},  [IR_DIV] = {"/", PREC_PRODUCT}, [IR_REM] = {"%", PREC_PRODUCT},
    [IR_BITNOT] = {"~", PREC_UNARY}, [IR_AND] = {"&", PREC_BITAND},  [IR_OR] = {"|", PREC_BITOR},
    [IR_XOR] = {"^", PREC_BITXOR},   [IR_SHL] = {"<<", PREC_SHIFT},  [IR_SHR] = {">>", PREC_SHIFT},
    [IR_EQ] = {"==", PREC_EQUAL},    [IR_NE] = {"!=", PREC_EQUAL},   [IR_LT] = {"<", PREC_ORDER},
    [IR_LE] = {"<=", PREC_ORDER},    [IR_GT] = {">", PREC_ORDER},    [IR_GE] = {">=", PREC_ORDER},
    [IR_NOT] = {"!", PREC_UNARY},    [IR_LAND] = {"&&", PREC_AND},   [IR_LOR] = {"||", PREC_OR},
};

static void put_lower(struct base_text *out, const char *name) {
    for (; *name; name++) {
        char c = *name >= 'A' && *name <= 'Z' ? (char)(*name + 32) : *name;
        base_text_add(out, &c, 1);
    }
}

static void put_const(struct base_text *out, const struct ir_node *node) {
    char digits[40];
    switch (node->type) {
    case IR_BOOL: base_text_put(out, node->a ? "true" : "false"); break;
    case IR_I32: base_text_format(out, "%d", (int)(int32_t)node->a); break;
    case IR_U32: base_text_format(out, "%uu", node->a); break;
    default:
        snprintf(digits, sizeof digits, "%.9g", (double)base_bits_float(node->a));
        base_text_put(out, digits);
        if (!strpbrk(digits, ".enN")) // 2.0 is no integer; "inf" and "nan" hold an n
            base_text_put(out, ".0");
    }
}

static void put_var(const struct ir_unit *u, ir_var var, struct base_text *out) {
    const char *name = var && var < u->var_count ? u->vars[var].name : "?";
    base_text_format(out, "%s.%u", *name ? name : "v", var);
}

static void put_array(const struct ir_unit *u, ir_array array, struct base_text *out) {
    const char *name = array && array < u->array_count ? u->arrays[array].name : "?";
    base_text_format(out, "%s.%u", *name ? name : "a", array);
}

static void put_expr(const struct ir_unit *u, ir_expr e, int around, struct base_text *out);

static void put_element(const struct ir_unit *u, ir_array array, uint32_t first, uint32_t n, struct base_text *out) {
    put_array(u, array, out);
    for (uint32_t i = 0; i < n; i++) {
        base_text_put(out, "[");
        put_expr(u, u->args[first + i], 0, out);
        base_text_put(out, "]");
    }
}

// Conversions are called by the type they give; the name says all where the operand is visible.
static const char *cast_name(uint8_t op) {
    switch (op) {
    case IR_F2I:
    case IR_U2I: return "i32";
    case IR_F2U:
    case IR_I2U: return "u32";
    case IR_I2F:
    case IR_U2F: return "f32";
    default: return NULL;
    }
}

static void put_call(const struct ir_unit *u, const struct ir_node *node, struct base_text *out) {
    const uint32_t operands[] = {node->a, node->b, node->c};
    const char *name = cast_name(node->op);
    if (name)
        base_text_put(out, name);
    else
        put_lower(out, ir_ops[node->op].name);
    for (uint32_t i = 0; i < ir_ops[node->op].arity; i++) {
        base_text_put(out, i ? ", " : "(");
        put_expr(u, operands[i], 0, out);
    }
    base_text_put(out, ")");
}

static void put_select(const struct ir_unit *u, const struct ir_node *node, struct base_text *out) {
    put_expr(u, node->a, PREC_SELECT + 1, out);
    base_text_put(out, " ? ");
    put_expr(u, node->b, PREC_SELECT + 1, out);
    base_text_put(out, " : ");
    put_expr(u, node->c, PREC_SELECT, out);
}

// `around`: the least precedence that stands there without parentheses.
static void put_expr(const struct ir_unit *u, ir_expr e, int around, struct base_text *out) {
    if (e == 0 || e >= u->node_count || u->nodes[e].op >= IR_OP_COUNT) {
        base_text_format(out, "?%u", e);
        return;
    }
    const struct ir_node *node = &u->nodes[e];
    if (node->op == IR_CONST) {
        put_const(out, node);
        return;
    }
    if (node->op == IR_VAR) {
        put_var(u, node->a, out);
        return;
    }
    if (node->op == IR_LOAD) {
        put_element(u, node->a, node->b, node->n, out);
        return;
    }
    int prec = node->op == IR_SELECT ? PREC_SELECT : signs[node->op].sign ? signs[node->op].prec : PREC_CALL;
    base_text_put(out, prec < around ? "(" : "");
    if (prec == PREC_SELECT) {
        put_select(u, node, out);
    } else if (prec == PREC_CALL) {
        put_call(u, node, out);
    } else if (prec == PREC_UNARY) { // - and ~ of a unary get parentheses, so that no -- appears
        base_text_put(out, signs[node->op].sign);
        put_expr(u, node->a, PREC_CALL, out);
    } else {
        put_expr(u, node->a, prec, out);
        base_text_format(out, " %s ", signs[node->op].sign);
        put_expr(u, node->b, prec + 1, out);
    }
    base_text_put(out, prec < around ? ")" : "");
}

void ir_print_expr(const struct ir_unit *u, ir_expr e, struct base_text *out) { put_expr(u, e, 0, out); }

// ---- statements -----------------------------------------------------------------------------------------------------

struct printer {
    const struct ir_unit *u;
    struct base_text *out;
};

static void put_block(const struct printer *p, ir_stmt block, unsigned indent);

static void put_indent(const struct printer *p, unsigned indent) {
    base_text_format(p->out, "%*s", (int)(indent * 4), "");
}

static void put_range(const struct printer *p, ir_expr lo, ir_expr hi, int32_t step) {
    put_expr(p->u, lo, 0, p->out);
    base_text_put(p->out, " .. ");
    put_expr(p->u, hi, 0, p->out);
    if (step != 1) base_text_format(p->out, " step %d", (int)step);
}

static void put_flags(const struct printer *p, const struct ir_stmt_node *stmt) {
    static const struct {
        uint16_t flag;
        const char *name;
    } names[] = {{IR_FLAG_SIMD, "simd"},     {IR_FLAG_NOWAIT, "nowait"}, {IR_FLAG_SINGLE, "single"},
                 {IR_FLAG_ATOMIC, "atomic"}, {IR_FLAG_LONG, "long"},     {IR_FLAG_OWN, "own"}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (stmt->flags & names[i].flag) base_text_format(p->out, " %s", names[i].name);
    if (stmt->flags & IR_FLAG_LANES) {
        base_text_put(p->out, " lanes");
        if (stmt->kind == IR_PARFOR) base_text_format(p->out, "(%u)", stmt->parfor.lanes);
        if (stmt->kind == IR_PARFOR && stmt->parfor.lane_var) {
            base_text_put(p->out, " as ");
            put_var(p->u, stmt->parfor.lane_var, p->out);
        }
    }
    if (stmt->flags & IR_FLAG_SOLO) base_text_put(p->out, " solo");
    if (stmt->flags & IR_FLAG_GRID) base_text_format(p->out, " resume(%u)", ir_resume_point_of(stmt));
    if (stmt->flags & IR_FLAG_RESUME)
        base_text_format(p->out, " resume(%u passes %u)", ir_resume_point_of(stmt),
                         stmt->kind == IR_FOR ? stmt->counted.tick_passes : stmt->loop.tick_passes);
}

static void put_body(const struct printer *p, ir_stmt body, unsigned indent) {
    base_text_put(p->out, " {\n");
    put_block(p, body, indent + 1);
    put_indent(p, indent);
    base_text_put(p->out, "}");
}

static void put_if(const struct printer *p, const struct ir_stmt_node *stmt, unsigned indent) {
    base_text_put(p->out, "if (");
    put_expr(p->u, stmt->branch.cond, 0, p->out);
    base_text_put(p->out, ")");
    put_flags(p, stmt);
    put_body(p, stmt->branch.then_block, indent);
    const struct ir_stmt_node *otherwise = &p->u->stmts[stmt->branch.else_block];
    if (!stmt->branch.else_block) return;
    base_text_put(p->out, " else");
    if (otherwise->kind == IR_IF && !otherwise->next) {
        base_text_put(p->out, " ");
        put_if(p, otherwise, indent);
    } else {
        put_body(p, stmt->branch.else_block, indent);
    }
}

static void put_loop(const struct printer *p, const struct ir_stmt_node *stmt, unsigned indent) {
    base_text_put(p->out, "loop");
    if (stmt->loop.cond) {
        base_text_put(p->out, " (");
        put_expr(p->u, stmt->loop.cond, 0, p->out);
        base_text_put(p->out, ")");
    }
    put_flags(p, stmt);
    put_body(p, stmt->loop.body, indent);
    if (stmt->loop.continuing) {
        base_text_put(p->out, " continuing");
        put_body(p, stmt->loop.continuing, indent);
    }
}

static void put_parfor(const struct printer *p, const struct ir_stmt_node *stmt, unsigned indent) {
    base_text_put(p->out, "parfor ");
    for (uint32_t i = 0; i < stmt->parfor.dim_count; i++) {
        const struct ir_dim *dim = &p->u->dims[stmt->parfor.dims + i];
        base_text_put(p->out, i ? ", " : "");
        put_var(p->u, dim->var, p->out);
        base_text_put(p->out, " in ");
        put_range(p, dim->lo, dim->hi, dim->step);
    }
    for (uint32_t i = 0; i < stmt->parfor.reduction_count; i++) {
        const struct ir_reduction *reduction = &p->u->reductions[stmt->parfor.reductions + i];
        base_text_put(p->out, " reduce(");
        put_lower(p->out, ir_ops[reduction->op].name);
        base_text_put(p->out, " ");
        put_var(p->u, reduction->var, p->out);
        base_text_put(p->out, ")");
    }
    put_flags(p, stmt);
    put_body(p, stmt->parfor.body, indent);
}

static void put_stmt(const struct printer *p, const struct ir_stmt_node *stmt, unsigned indent) {
    switch (stmt->kind) {
    case IR_NOP: base_text_put(p->out, "nop"); break;
    case IR_ASSIGN:
        put_var(p->u, stmt->assign.var, p->out);
        base_text_put(p->out, " = ");
        put_expr(p->u, stmt->assign.value, 0, p->out);
        if (stmt->assign.run) base_text_format(p->out, " (%u together)", stmt->assign.run);
        break;
    case IR_STORE:
        put_element(p->u, stmt->store.array, stmt->store.indices, stmt->store.index_count, p->out);
        base_text_put(p->out, " = ");
        put_expr(p->u, stmt->store.value, 0, p->out);
        if (stmt->store.run) base_text_format(p->out, " (%u together)", stmt->store.run);
        break;
    case IR_ATOMIC:
        if (stmt->atomic.old) {
            put_var(p->u, stmt->atomic.old, p->out);
            base_text_put(p->out, " = ");
        }
        base_text_put(p->out, "atomic ");
        put_lower(p->out, stmt->atomic.op < IR_OP_COUNT ? ir_ops[stmt->atomic.op].name : "?");
        base_text_put(p->out, " ");
        put_element(p->u, stmt->atomic.array, stmt->atomic.indices, stmt->atomic.index_count, p->out);
        base_text_put(p->out, ", ");
        put_expr(p->u, stmt->atomic.value, 0, p->out);
        break;
    case IR_IF: put_if(p, stmt, indent); return;
    case IR_FOR:
        base_text_put(p->out, "for ");
        put_var(p->u, stmt->counted.var, p->out);
        base_text_put(p->out, " = ");
        put_range(p, stmt->counted.lo, stmt->counted.hi, stmt->counted.step);
        put_flags(p, stmt);
        put_body(p, stmt->counted.body, indent);
        return;
    case IR_LOOP: put_loop(p, stmt, indent); return;
    case IR_BREAK: base_text_put(p->out, "break"); break;
    case IR_CONTINUE: base_text_put(p->out, "continue"); break;
    case IR_PARFOR: put_parfor(p, stmt, indent); return;
    case IR_STAGE:
        base_text_put(p->out, "stage ");
        put_array(p->u, stmt->stage.to, p->out);
        base_text_put(p->out, " = ");
        put_array(p->u, stmt->stage.from, p->out);
        break;
    case IR_BARRIER:
        base_text_put(p->out, "barrier for ");
        put_array(p->u, stmt->barrier.array, p->out);
        break;
    case IR_AGREE:
        put_var(p->u, stmt->agree.var, p->out);
        base_text_put(p->out, " = agree ");
        put_lower(p->out, stmt->agree.op < IR_OP_COUNT ? ir_ops[stmt->agree.op].name : "?");
        break;
    case IR_COMBINE:
        put_var(p->u, stmt->combine.var, p->out);
        base_text_put(p->out, " = combine ");
        put_lower(p->out, stmt->combine.op < IR_OP_COUNT ? ir_ops[stmt->combine.op].name : "?");
        base_text_put(p->out, " ");
        if (!stmt->combine.array) {
            put_expr(p->u, stmt->combine.value, 0, p->out);
            base_text_put(p->out, " for ");
            put_var(p->u, stmt->combine.index, p->out);
            base_text_format(p->out, " in 0 .. %u", stmt->combine.count);
            break;
        }
        put_array(p->u, stmt->combine.array, p->out);
        base_text_format(p->out, "[0 .. %u]", stmt->combine.count);
        if (stmt->combine.there) {
            base_text_put(p->out, " up to ");
            put_expr(p->u, stmt->combine.there, 0, p->out);
        }
        if (stmt->combine.from) {
            base_text_put(p->out, " from ");
            put_expr(p->u, stmt->combine.from, 0, p->out);
        }
        break;
    default: base_text_format(p->out, "?kind %u", (unsigned)stmt->kind);
    }
    put_flags(p, stmt);
}

static void put_block(const struct printer *p, ir_stmt block, unsigned indent) {
    for (ir_stmt s = block; s; s = p->u->stmts[s].next) {
        put_indent(p, indent);
        put_stmt(p, &p->u->stmts[s], indent);
        base_text_put(p->out, "\n");
    }
}

// ---- declarations ---------------------------------------------------------------------------------------------------

static void put_declarations(const struct printer *p) {
    static const char *const classes[] = {"in", "inout", "scratch", "local", "table", "staged"};
    const struct ir_unit *u = p->u;
    for (ir_array a = 1; a < u->array_count; a++) {
        base_text_format(p->out, "%s %s ", u->arrays[a].klass < 6 ? classes[u->arrays[a].klass] : "?",
                         whorl_dtype_name((enum whorl_dtype)u->arrays[a].elem));
        put_array(u, a, p->out);
        for (uint32_t i = 0; i < u->arrays[a].ndims; i++) {
            base_text_put(p->out, "[");
            put_expr(u, u->arrays[a].dims[i], 0, p->out);
            base_text_put(p->out, "]");
        }
        base_text_format(p->out, "%s%s\n", u->arrays[a].atomic ? " atomic" : "", u->arrays[a].shared ? " shared" : "");
    }
    for (ir_var v = 1; v < u->var_count; v++) {
        if (u->vars[v].klass != IR_VAR_ENTRY && u->vars[v].klass != IR_VAR_PARAM) continue;
        base_text_format(p->out, "%s %s ", u->vars[v].klass == IR_VAR_PARAM ? "param" : "entry",
                         ir_type_name((enum ir_type)u->vars[v].type));
        put_var(u, v, p->out);
        base_text_put(p->out, "\n");
    }
}

const char *ir_print(const struct ir_unit *u) {
    struct base_text out;
    base_text_init(&out, u->cx);
    struct printer p = {u, &out};
    base_text_format(&out, "unit %s\n", u->entry ? u->entry : "");
    put_declarations(&p);
    base_text_put(&out, "{\n");
    put_block(&p, u->root, 1);
    base_text_put(&out, "}\n");
    return out.data;
}
