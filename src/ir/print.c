// The unit as text that reads like C: one statement a line, every name with its handle, parentheses only where C needs
// them. parse_ir.c reads it again.
#include <stdio.h>
#include <string.h>

#include "ir/syntax.h"

// ---- expressions ----------------------------------------------------------------------------------------------------

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

// Passes give names like `pass of i`.
static void put_name(struct base_text *out, const char *name, uint32_t handle) {
    for (; *name; name++)
        base_text_add(out, *name == ' ' ? "_" : name, 1);
    base_text_format(out, ".%u", handle);
}

static void put_var(const struct ir_unit *u, ir_var var, struct base_text *out) {
    const char *name = var && var < u->var_count ? u->vars[var].name : "?";
    put_name(out, *name ? name : "v", var);
}

static void put_array(const struct ir_unit *u, ir_array array, struct base_text *out) {
    const char *name = array && array < u->array_count ? u->arrays[array].name : "?";
    put_name(out, *name ? name : "a", array);
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

static void put_call(const struct ir_unit *u, const struct ir_node *node, struct base_text *out) {
    const uint32_t operands[] = {node->a, node->b, node->c};
    const char *name = ir_cast_name(node->op);
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
    put_expr(u, node->a, IR_PREC_SELECT + 1, out);
    base_text_put(out, " ? ");
    put_expr(u, node->b, IR_PREC_SELECT + 1, out);
    base_text_put(out, " : ");
    put_expr(u, node->c, IR_PREC_SELECT, out);
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
    int prec = node->op == IR_SELECT     ? IR_PREC_SELECT
               : ir_signs[node->op].sign ? ir_signs[node->op].prec
                                         : IR_PREC_CALL;
    base_text_put(out, prec < around ? "(" : "");
    if (prec == IR_PREC_SELECT) {
        put_select(u, node, out);
    } else if (prec == IR_PREC_CALL) {
        put_call(u, node, out);
    } else if (prec == IR_PREC_UNARY) { // - and ~ of a unary get parentheses, so that no -- appears
        base_text_put(out, ir_signs[node->op].sign);
        put_expr(u, node->a, IR_PREC_CALL, out);
    } else {
        put_expr(u, node->a, prec, out);
        base_text_format(out, " %s ", ir_signs[node->op].sign);
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
    for (unsigned i = 0; i < IR_FLAG_NAMES; i++)
        if (stmt->flags & ir_flag_names[i].flag) base_text_format(p->out, " %s", ir_flag_names[i].name);
    if (stmt->flags & IR_FLAG_LANES) {
        base_text_put(p->out, " lanes");
        if (stmt->kind == IR_PARFOR) base_text_format(p->out, "(%u)", stmt->parfor.lanes);
        if (stmt->kind == IR_PARFOR && stmt->parfor.lane_var) {
            base_text_put(p->out, " as ");
            put_var(p->u, stmt->parfor.lane_var, p->out);
        }
    }
    if (ir_unroll_of(stmt)) base_text_format(p->out, " steps(%u)", ir_unroll_of(stmt));
    if (stmt->kind == IR_PARFOR && stmt->parfor.tile_rows)
        base_text_format(p->out, " tiles(%u)", stmt->parfor.tile_rows);
    if (stmt->kind == IR_PARFOR && stmt->parfor.turns) base_text_put(p->out, " turns");
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

static void put_reductions(const struct printer *p, uint32_t first, uint32_t n) {
    for (uint32_t i = first; i < first + n; i++) {
        const struct ir_reduction *reduction = &p->u->reductions[i];
        base_text_put(p->out, " reduce(");
        put_lower(p->out, ir_ops[reduction->op].name);
        base_text_put(p->out, " ");
        put_var(p->u, reduction->var, p->out);
        base_text_put(p->out, ")");
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
    put_reductions(p, stmt->parfor.reductions, stmt->parfor.reduction_count);
    put_flags(p, stmt);
    put_body(p, stmt->parfor.body, indent);
}

static void put_atomic(const struct printer *p, const struct ir_stmt_node *stmt) {
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
    if (!stmt->atomic.expected) return;
    base_text_put(p->out, " if ");
    put_expr(p->u, stmt->atomic.expected, 0, p->out);
}

static void put_combine(const struct printer *p, const struct ir_stmt_node *stmt) {
    put_var(p->u, stmt->combine.var, p->out);
    base_text_put(p->out, " = combine ");
    put_lower(p->out, stmt->combine.op < IR_OP_COUNT ? ir_ops[stmt->combine.op].name : "?");
    base_text_put(p->out, " ");
    if (!stmt->combine.array) {
        put_expr(p->u, stmt->combine.value, 0, p->out);
        base_text_put(p->out, " for ");
        put_var(p->u, stmt->combine.index, p->out);
        base_text_format(p->out, " in 0 .. %u", stmt->combine.count);
    } else {
        put_array(p->u, stmt->combine.array, p->out);
        base_text_format(p->out, "[0 .. %u]", stmt->combine.count);
    }
    if (stmt->combine.there) {
        base_text_put(p->out, " up to ");
        put_expr(p->u, stmt->combine.there, 0, p->out);
    }
    if (stmt->combine.from) {
        base_text_put(p->out, " from ");
        put_expr(p->u, stmt->combine.from, 0, p->out);
    }
}

static void put_stage(const struct printer *p, const struct ir_stmt_node *stmt) {
    base_text_put(p->out, "stage ");
    put_array(p->u, stmt->stage.to, p->out);
    base_text_put(p->out, " = ");
    put_array(p->u, stmt->stage.from, p->out);
    if (stmt->stage.origin_count) base_text_put(p->out, " from ");
    for (uint32_t i = 0; i < stmt->stage.origin_count; i++) {
        base_text_put(p->out, "[");
        put_expr(p->u, p->u->args[stmt->stage.origins + i], 0, p->out);
        base_text_put(p->out, "]");
    }
}

static void put_turn(const struct printer *p, const struct ir_stmt_node *stmt) {
    ir_array box = ir_box_of(p->u, stmt);
    bool into = box == stmt->turn.to;
    base_text_put(p->out, "turn ");
    put_element(p->u, into ? stmt->turn.from : stmt->turn.to, stmt->turn.indices, stmt->turn.index_count, p->out);
    base_text_put(p->out, into ? " into " : " from ");
    put_array(p->u, box, p->out);
    base_text_put(p->out, " for ");
    put_var(p->u, stmt->turn.index, p->out);
    base_text_put(p->out, " of ");
    put_var(p->u, stmt->turn.lane, p->out);
    if (stmt->turn.meets) base_text_put(p->out, " meets");
    if (stmt->turn.there) {
        base_text_put(p->out, " where ");
        put_expr(p->u, stmt->turn.there, 0, p->out);
    }
}

static void put_stmt(const struct printer *p, const struct ir_stmt_node *stmt, unsigned indent) {
    switch (stmt->kind) {
    case IR_NOP:
        base_text_put(p->out, stmt->nop.mark != IR_MARK_MEET ? "nop" : stmt->nop.value ? "meet expanded" : "meet");
        break;
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
    case IR_ATOMIC: put_atomic(p, stmt); break;
    case IR_IF: put_if(p, stmt, indent); return;
    case IR_FOR:
        base_text_put(p->out, "for ");
        put_var(p->u, stmt->counted.var, p->out);
        base_text_put(p->out, " = ");
        put_range(p, stmt->counted.lo, stmt->counted.hi, stmt->counted.step);
        put_reductions(p, stmt->counted.reductions, stmt->counted.reduction_count);
        put_flags(p, stmt);
        put_body(p, stmt->counted.body, indent);
        return;
    case IR_LOOP: put_loop(p, stmt, indent); return;
    case IR_BREAK: base_text_put(p->out, "break"); break;
    case IR_CONTINUE: base_text_put(p->out, "continue"); break;
    case IR_PARFOR: put_parfor(p, stmt, indent); return;
    case IR_STAGE: put_stage(p, stmt); break;
    case IR_TURN: put_turn(p, stmt); break;
    case IR_BARRIER:
        base_text_put(p->out, "barrier for ");
        put_array(p->u, stmt->barrier.array, p->out);
        break;
    case IR_AGREE:
        put_var(p->u, stmt->agree.var, p->out);
        base_text_put(p->out, " = agree ");
        put_lower(p->out, stmt->agree.op < IR_OP_COUNT ? ir_ops[stmt->agree.op].name : "?");
        break;
    case IR_NEIGHBOUR:
        put_var(p->u, stmt->neighbour.var, p->out);
        base_text_format(p->out, " = lane %+d of ", stmt->neighbour.by);
        put_expr(p->u, stmt->neighbour.value, 0, p->out);
        base_text_format(p->out, " slot %u", stmt->neighbour.slot);
        break;
    case IR_COMBINE: put_combine(p, stmt); break;
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

static void put_staged(const struct printer *p, const struct ir_array_info *info) {
    base_text_put(p->out, " of ");
    put_array(p->u, info->source, p->out);
    base_text_format(p->out, "%s row %u at %u", info->is_box ? " box" : "", info->row, info->data_count);
    if (info->skew) base_text_format(p->out, " skew %u", info->skew);
    if (info->window) base_text_format(p->out, " window %u", info->window);
    for (uint32_t i = 0; i < info->offset_count; i++)
        base_text_format(p->out, " %d", (int)info->offsets[i]);
}

static void put_arrays(const struct printer *p) {
    const struct ir_unit *u = p->u;
    for (ir_array a = 1; a < u->array_count; a++) {
        const struct ir_array_info *info = &u->arrays[a];
        base_text_format(p->out, "%s %s ", info->klass < IR_ARRAY_CLASSES ? ir_array_class_names[info->klass] : "?",
                         whorl_dtype_name((enum whorl_dtype)info->elem));
        put_array(u, a, p->out);
        for (uint32_t i = 0; i < info->ndims; i++) {
            base_text_put(p->out, "[");
            put_expr(u, info->dims[i], 0, p->out);
            base_text_put(p->out, "]");
        }
        base_text_format(p->out, "%s%s%s", info->atomic ? " atomic" : "", info->shared ? " shared" : "",
                         info->alternates ? " alternates" : "");
        if (info->klass == IR_ARRAY_STAGED) put_staged(p, info);
        if (info->lanes) base_text_format(p->out, " lanes %u row %u at %u", info->lanes, info->row, info->data_count);
        for (uint32_t i = 0; info->klass == IR_ARRAY_TABLE && info->data_count <= IR_MOST_TABLE && i < info->data_count;
             i++) {
            struct ir_node value = {.type = (uint8_t)ir_elem_type((enum whorl_dtype)info->elem), .a = info->data[i]};
            base_text_put(p->out, i ? " " : " = ");
            put_const(p->out, &value);
        }
        base_text_put(p->out, "\n");
    }
}

// Variables that a statement names: those that nobody does are left out.
struct naming {
    const struct ir_unit *u;
    bool *named;
};

static void name_var(struct naming *x, ir_var v) {
    if (v < x->u->var_count) x->named[v] = true;
}

static bool name_in_expr(void *user, ir_expr e) {
    struct naming *x = user;
    if (x->u->nodes[e].op == IR_VAR) name_var(x, x->u->nodes[e].a);
    return true;
}

static bool name_in_stmt(void *user, ir_stmt s) {
    struct naming *x = user;
    const struct ir_stmt_node *stmt = &x->u->stmts[s];
    if (stmt->kind >= IR_STMT_KIND_COUNT) return false;
    for (const struct ir_operand *o = ir_stmts[stmt->kind].operands; o->role; o++) {
        uint32_t first = ir_operand_of(stmt, o->at), n = o->count_at ? ir_operand_of(stmt, o->count_at) : 0;
        if (o->role == IR_ROLE_VAR_WRITTEN || o->role == IR_ROLE_VAR_UPDATED || o->role == IR_ROLE_VAR_NAMED)
            name_var(x, first);
        for (uint32_t i = first; o->role == IR_ROLE_DIMS && i < first + n; i++)
            name_var(x, x->u->dims[i].var);
        for (uint32_t i = first; o->role == IR_ROLE_REDUCTIONS && i < first + n; i++)
            name_var(x, x->u->reductions[i].var);
    }
    return true;
}

static const bool *named_vars(const struct ir_unit *u) {
    struct naming x = {u, base_alloc_array(u->cx, u->var_count, sizeof(bool))};
    struct ir_visitor visitor = {.on_stmt = name_in_stmt, .on_node = name_in_expr, .user = &x};
    ir_walk_block(u, u->root, &visitor);
    return x.named;
}

static void put_vars_of(const struct printer *p, uint8_t klass) {
    for (ir_var v = 1; v < p->u->var_count; v++) {
        if (p->u->vars[v].klass != klass) continue;
        base_text_format(p->out, "%s %s ", ir_var_class_names[klass], ir_type_name((enum ir_type)p->u->vars[v].type));
        put_var(p->u, v, p->out);
        base_text_put(p->out, "\n");
    }
}

static void put_vars(const struct printer *p) {
    const struct ir_unit *u = p->u;
    const bool *named = named_vars(u);
    put_vars_of(p, IR_VAR_ENTRY);
    static const uint8_t inner[] = {IR_VAR_DIM, IR_VAR_LOCAL};
    for (int k = 0; k < 2; k++) // many of them: a line for each type
        for (uint8_t type = IR_BOOL; type <= IR_F32; type++) {
            const char *before = base_format(u->cx, "%s %s ", ir_var_class_names[inner[k]], ir_type_name(type));
            for (ir_var v = 1; v < u->var_count; v++) {
                if (u->vars[v].klass != inner[k] || u->vars[v].type != type || !named[v]) continue;
                base_text_put(p->out, before);
                put_var(u, v, p->out);
                before = ", ";
            }
            if (*before == ',') base_text_put(p->out, "\n");
        }
}

const char *ir_print(const struct ir_unit *u) {
    struct base_text out;
    base_text_init(&out, u->cx);
    struct printer p = {u, &out};
    base_text_format(&out, "unit %s%s%s", u->entry ? u->entry : "", u->canonical_loops ? " canonical" : "",
                     u->proves_bounds ? " bounded" : "");
    if (u->log) {
        base_text_put(&out, " log ");
        put_array(u, u->log, &out);
    }
    base_text_put(&out, "\n");
    put_vars_of(&p, IR_VAR_PARAM); // sizes of arrays read them
    put_arrays(&p);
    put_vars(&p);
    base_text_put(&out, "{\n");
    put_block(&p, u->root, 1);
    base_text_put(&out, "}\n");
    return out.data;
}
