// How often the branch of an entry-level `if` is taken, as `auto` sees it: in one dispatch what is not taken costs
// nothing, in parts it is a dispatch all the same.
#include "compile/build.h"

enum { RARELY = 64 }; // guess: passes of a loop of which one is named by its number

static bool is_counter(const struct ir_unit *u, ir_var v) {
    for (ir_stmt s = 1; s < u->stmt_count; s++)
        if (u->stmts[s].kind == IR_FOR && u->stmts[s].counted.var == v) return true;
    return false;
}

// Of the comparison of `e` with what does not change: 1 of so many passes has it; 0: it is no counter's.
static uint32_t one_of(const struct ir_unit *u, ir_expr e) {
    const struct ir_node *n = &u->nodes[e];
    uint32_t every;
    if (n->op == IR_I2U || n->op == IR_U2I) return one_of(u, n->a);
    if (n->op == IR_REM && ir_is_const(u, n->b, &every) && one_of(u, n->a)) return every;
    if ((n->op == IR_ADD || n->op == IR_SUB) && u->nodes[n->b].op == IR_CONST) return one_of(u, n->a);
    return n->op == IR_VAR && is_counter(u, n->a) ? RARELY : 0;
}

static double chance_of(const struct ir_unit *u, ir_expr cond) {
    const struct ir_node *n = &u->nodes[cond];
    if (n->op == IR_NOT) return 1 - chance_of(u, n->a);
    if (n->op != IR_EQ && n->op != IR_NE) return 0.5;
    uint32_t left = one_of(u, n->a), right = one_of(u, n->b), passes = left ? left : right;
    double same = passes ? 1.0 / passes : 0.5;
    return n->op == IR_EQ ? same : 1 - same;
}

double compile_block_share(const struct ir_unit *u, ir_stmt s, uint32_t block) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind != IR_IF) return 1;
    if (n->flags & IR_FLAG_FREE) return block == 0;
    double chance = chance_of(u, n->branch.cond);
    return block == 0 ? chance : 1 - chance;
}

struct uniform {
    const struct ir_unit *u;
    bool holds;
};
static bool on_var(void *user, ir_expr e) {
    struct uniform *x = user;
    const struct ir_node *n = &x->u->nodes[e];
    if (n->op == IR_VAR) x->holds &= x->u->vars[n->a].klass == IR_VAR_ENTRY || x->u->vars[n->a].klass == IR_VAR_PARAM;
    return x->holds;
}

double compile_phase_chance(const struct ir_unit *u, ir_stmt parfor) {
    const struct ir_stmt_node *n = &u->stmts[u->stmts[parfor].parfor.body];
    struct uniform all = {u, n->kind == IR_IF && !n->next && !n->branch.else_block};
    if (all.holds) ir_walk_expr(u, n->branch.cond, on_var, &all);
    return all.holds ? chance_of(u, n->branch.cond) : 1;
}
