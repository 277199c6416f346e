// What a choice between two compared floats gives where one of them is no number.
//
//   a < b ? a : b        if (x > most) most = x;        are b and `most` in C where the comparison is false,
//
// so also where either is no number. Compilers of kernels may take floats for numbers, and one makes such a choice its
// minimum or maximum, which prefers the number: an error that C carries on would be gone. So the comparison takes the
// operand that is chosen where it is true as a HOLD, of which no compiler knows that it is the chosen value.
//
// The law: it is one operation more, and left out where the other operand, which is chosen else, is a number for
// certain: by what it is made of, or because it took no value but numbers and what was compared before.
#include "pass/cost.h"
#include "pass/passes.h"

struct holder {
    struct ir_unit *u;
    bool *number;       // by variable: a float that is always a number
    ir_stmt *setting;   // by variable: the one assignment of it; 0: others, or none
    uint32_t *settings; // by variable
    bool changed;
    uint32_t held;
};

static bool compares(const struct ir_unit *u, ir_expr e) {
    const struct ir_node *n = &u->nodes[e];
    return (n->op == IR_LT || n->op == IR_LE || n->op == IR_GT || n->op == IR_GE) && u->nodes[n->a].type == IR_F32;
}

// That the condition is true says that x is a number.
static bool proves(const struct ir_unit *u, ir_expr cond, ir_expr x) {
    const struct ir_node *n = &u->nodes[cond];
    if (n->op == IR_LAND) return proves(u, n->a, x) || proves(u, n->b, x);
    return compares(u, cond) && (ir_same_expr(u, n->a, x) || ir_same_expr(u, n->b, x));
}

static bool is_number(const struct holder *h, ir_expr e, uint32_t depth) {
    const struct ir_unit *u = h->u;
    const struct ir_node *n = &u->nodes[e];
    uint32_t bits;
    if (ir_is_const(u, e, &bits)) return (bits & 0x7fffffffu) <= 0x7f800000u;
    if (!depth--) return false;
    switch (n->op) {
    case IR_VAR: return h->number[n->a];
    case IR_I2F:
    case IR_U2F: return true;
    case IR_NEG:
    case IR_FABS: return is_number(h, n->a, depth);
    case IR_FMIN:
    case IR_FMAX: return is_number(h, n->a, depth) || is_number(h, n->b, depth);
    case IR_SELECT: return (proves(u, n->a, n->b) || is_number(h, n->b, depth)) && is_number(h, n->c, depth);
    default: return false;
    }
}

// ---- variables that are always numbers ------------------------------------------------------------------------------

static bool on_write(void *user, ir_stmt s) {
    struct holder *h = user;
    const struct ir_stmt_node *n = &h->u->stmts[s];
    ir_var v = ir_written_var(n);
    if (n->kind != IR_ASSIGN) h->number[v] = false;
    h->setting[v] = n->kind == IR_ASSIGN && !h->settings[v]++ ? s : 0;
    return true;
}

// The value is what it was in the condition of the IF whose block the statement is in.
static bool unchanged(const struct ir_unit *u, ir_stmt block, ir_stmt s) {
    for (ir_stmt at = block; at && at != s; at = u->stmts[at].next) {
        const struct ir_stmt_node *n = &u->stmts[at];
        if (n->kind != IR_ASSIGN || pass_uses_in(u, u->stmts[s].assign.value, n->assign.var)) return false;
    }
    return true;
}

static void find_numbers(struct holder *h, ir_stmt block, ir_expr cond) {
    for (ir_stmt s = block; s; s = h->u->stmts[s].next) {
        const struct ir_stmt_node *n = &h->u->stmts[s];
        switch (n->kind) {
        case IR_ASSIGN:
            if (!h->number[n->assign.var] || is_number(h, n->assign.value, PASS_HOLD_NAN_DEPTH)) break;
            if (cond && proves(h->u, cond, n->assign.value) && unchanged(h->u, block, s)) break;
            h->number[n->assign.var] = false;
            h->changed = true;
            break;
        case IR_IF:
            find_numbers(h, n->branch.then_block, n->branch.cond);
            find_numbers(h, n->branch.else_block, 0);
            break;
        case IR_LOOP:
            find_numbers(h, n->loop.continuing, 0);
            find_numbers(h, n->loop.body, 0);
            break;
        case IR_FOR:
        case IR_PARFOR: find_numbers(h, ir_body_of(n), 0); break;
        default: break;
        }
    }
}

// ---- choices --------------------------------------------------------------------------------------------------------

// The comparison, which chooses `yes`, an operand, where it is true, and else the other one.
static ir_expr held(struct holder *h, ir_expr comparison, ir_expr yes) {
    struct ir_unit *u = h->u;
    const struct ir_node n = u->nodes[comparison];
    bool first = ir_same_expr(u, n.a, yes);
    if (is_number(h, first ? n.b : n.a, PASS_HOLD_NAN_DEPTH)) return comparison;
    h->held++;
    ir_expr hold = ir_op1(u, IR_HOLD, yes, n.loc);
    return ir_op2(u, (enum ir_op)n.op, first ? hold : n.a, first ? n.b : hold, n.loc);
}

// The condition, where one of two values is chosen, or only one of them is known; 0: that is not.
static ir_expr decides(struct holder *h, ir_expr cond, ir_expr yes, ir_expr no) {
    struct ir_unit *u = h->u;
    const struct ir_node n = u->nodes[cond];
    if (n.op == IR_NOT) {
        ir_expr now = decides(h, n.a, no, yes);
        return now == n.a ? cond : ir_op1(u, IR_NOT, now, n.loc);
    }
    if (n.op == IR_VAR && h->setting[n.a]) {
        ir_stmt s = h->setting[n.a];
        ir_expr now = decides(h, u->stmts[s].assign.value, yes, no);
        u->stmts[s].assign.value = now;
        return cond;
    }
    uint32_t one, zero;
    if ((n.op == IR_NE || n.op == IR_EQ) && ir_is_const(u, n.b, &zero) && !zero) { // of a comparison kept as a number,
        ir_expr now = decides(h, n.a, n.op == IR_NE ? yes : no, n.op == IR_NE ? no : yes);
        return now == n.a ? cond : ir_op2(u, (enum ir_op)n.op, now, n.b, n.loc);
    }
    if (n.op == IR_SELECT && ir_is_const(u, n.b, &one) && ir_is_const(u, n.c, &zero) && !one != !zero) { // c ? 1 : 0
        ir_expr now = decides(h, n.a, one ? yes : no, one ? no : yes);
        return now == n.a ? cond : ir_op3(u, IR_SELECT, now, n.b, n.c, n.loc);
    }
    if (!compares(u, cond)) return cond;
    const ir_expr known[] = {yes, no};
    for (int k = 0; k < 2; k++)
        if (known[k] && !ir_same_expr(u, n.a, known[k]) && !ir_same_expr(u, n.b, known[k])) return cond;
    return held(h, cond, yes ? yes : ir_same_expr(u, n.a, no) ? n.b : n.a);
}

static ir_expr selection(void *user, ir_expr e) {
    struct holder *h = user;
    const struct ir_node n = h->u->nodes[e];
    if (n.op != IR_SELECT || n.type != IR_F32) return e;
    ir_expr cond = decides(h, n.a, n.b, n.c);
    return cond == n.a ? e : ir_op3(h->u, IR_SELECT, cond, n.b, n.c, n.loc);
}

// One side assigns an operand: the variable may be the other one already, or be set to it on the other side.
static bool branch(void *user, ir_stmt s) {
    struct holder *h = user;
    struct ir_unit *u = h->u;
    if (u->stmts[s].kind != IR_IF) return true;
    for (int side = 0; side < 2; side++) {
        ir_stmt block = side ? u->stmts[s].branch.else_block : u->stmts[s].branch.then_block;
        for (ir_stmt at = block; at; at = u->stmts[at].next) {
            const struct ir_stmt_node *n = &u->stmts[at];
            if (n->kind != IR_ASSIGN || u->vars[n->assign.var].type != IR_F32) continue;
            ir_expr value = n->assign.value, cond = u->stmts[s].branch.cond;
            ir_expr now = decides(h, cond, side ? 0 : value, side ? value : 0);
            u->stmts[s].branch.cond = now;
            if (now != cond) return true;
        }
    }
    return true;
}

void pass_hold_nan(struct pass_cx *p) {
    struct ir_unit *units[] = {p->u, p->tree};
    for (int k = 0; k < 2 && units[k]; k++) {
        struct ir_unit *u = units[k];
        struct holder h = {.u = u, .changed = true};
        h.number = base_alloc_array(u->cx, u->var_count, sizeof *h.number);
        h.setting = base_alloc_array(u->cx, u->var_count, sizeof *h.setting);
        h.settings = base_alloc_array(u->cx, u->var_count, sizeof *h.settings);
        for (ir_var v = 0; v < u->var_count; v++)
            h.number[v] = u->vars[v].type == IR_F32 && u->vars[v].klass != IR_VAR_PARAM;
        ir_walk_stmts(u, u->root, on_write, &h);
        while (h.changed) {
            h.changed = false;
            find_numbers(&h, u->root, 0);
        }
        ir_map_block(u, u->root, selection, &h);
        ir_walk_stmts(u, u->root, branch, &h);
        if (k == 0 && h.held)
            base_text_format(p->explain, "hold_nan: %u choice%s between two floats keep%s what is no number\n", h.held,
                             h.held == 1 ? "" : "s", h.held == 1 ? "s" : "");
    }
}
