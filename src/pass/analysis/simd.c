// What `omp simd` promises of a loop, seen in its body: its passes are independent but for variables that they reduce.
#include "pass/passes.h"

struct uses {
    ir_var var;
    uint32_t count;
    const struct ir_unit *u;
};
static bool count_use(void *user, ir_expr e) {
    struct uses *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    x->count += n->op == IR_VAR && n->a == x->var;
    return true;
}

static bool combines(uint8_t op) {
    return op == IR_ADD || op == IR_MUL || op == IR_MIN || op == IR_MAX || op == IR_FMIN || op == IR_FMAX ||
           op == IR_AND || op == IR_OR || op == IR_XOR || op == IR_LAND || op == IR_LOR;
}

// The operation by which `v = v OP x` accumulates; IR_CONST where it does not.
static uint8_t accumulates(const struct ir_unit *u, ir_expr e, ir_var v) {
    const struct ir_node *n = &u->nodes[e];
    struct uses x = {v, 0, u};
    ir_walk_expr(u, e, count_use, &x);
    bool left = ir_ops[n->op].arity == 2 && u->nodes[n->a].op == IR_VAR && u->nodes[n->a].a == v;
    bool right = ir_ops[n->op].arity == 2 && u->nodes[n->b].op == IR_VAR && u->nodes[n->b].a == v;
    if (x.count != 1 || (!left && !right)) return IR_CONST;
    if (n->op == IR_SUB && left) return IR_ADD;
    return combines(n->op) ? n->op : IR_CONST;
}

struct reduced {
    const struct ir_unit *u;
    ir_var var;
    uint8_t op;
    uint32_t uses; // of var in its accumulations
    bool wrong;
};
static bool on_assign(void *user, ir_stmt s) {
    struct reduced *r = user;
    const struct ir_stmt_node *n = &r->u->stmts[s];
    bool other = (n->kind == IR_FOR || n->kind == IR_ATOMIC) && ir_written_var(n) == r->var;
    if (n->kind == IR_ASSIGN && n->assign.var == r->var) {
        uint8_t op = accumulates(r->u, n->assign.value, r->var);
        if (op == IR_CONST || (r->op && r->op != op)) r->wrong = true;
        r->op = op;
        r->uses++;
    }
    r->wrong |= other;
    return true;
}

bool pass_simd_reductions(const struct ir_unit *u, ir_stmt body, const uint32_t *reads,
                          struct ir_reduction out[PASS_SIMD_REDUCTIONS], uint32_t *out_count) {
    struct ir_effects fx = ir_effects_of(u, body);
    uint32_t *exposed = pass_exposed(u, body), *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, body, inside);
    *out_count = 0;
    for (ir_var v = 1; v < u->var_count; v++) {
        if (!ir_bit(fx.vars_written, v)) continue;
        if (!ir_bit(exposed, v)) {
            if (reads[v] != inside[v]) return false; // the last pass's value is wanted
            continue;
        }
        struct reduced r = {.u = u, .var = v};
        struct ir_visitor visitor = {.on_stmt = on_assign, .user = &r};
        ir_walk_block(u, body, &visitor);
        if (r.wrong || !r.op || r.uses != inside[v] || *out_count == PASS_SIMD_REDUCTIONS || u->vars[v].type == IR_BOOL)
            return false;
        out[(*out_count)++] = (struct ir_reduction){r.op, v};
    }
    return true;
}
