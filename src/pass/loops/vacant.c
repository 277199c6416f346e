// Searches that begin without a place:
//
//   at = -1; for (k) if (on[k] && (at < 0 || c < best)) { best = c; at = k; }      becomes
//   who = MAX; best = MAX; for (k) if (on[k] && (c < best || (c == best && k < who))) { best = c; who = k; at = k; }
//
// as where Dijkstra's and Prim's algorithms look for the next vertex. Whether there is a place yet is a question that
// each pass would have to ask those before it. As a search for the best with the smallest place among equal ones it is
// one that lanes and workgroups share (analysis/search.c, best.c).
//
// The law: numbers are whole, so that none is worse than the one that the search begins with; the place becomes the
// loop's counter, which goes up from 0 or more, so of equal ones the first is kept, as in C, and the first of all is
// taken whatever it is worth; nothing else in the loop reads the best. Where there is a place already, nothing equal to
// its best is taken (k < -1). Where none is found, the best is given back what it was.
#include "pass/passes.h"

struct vacancy {
    ir_var best, before, who;
    ir_expr asked;  // whether there is no place yet
    uint32_t worst; // bits of what no number is worse than
    uint32_t next;  // of the same loop, counted from 1
};
struct vacancies {
    struct ir_unit *u;
    struct vacancy *list;
    uint32_t count, cap, *of_loop; // by statement
    uint32_t stmts;
    ir_stmt loop; // under way
};

static bool is_number(const struct ir_unit *u, ir_expr e, int32_t number) {
    uint32_t bits;
    return ir_is_const(u, e, &bits) && u->nodes[e].type == IR_I32 && bits == (uint32_t)number;
}

// -> the place that it asks for, `at < 0` or `at == -1`; 0: it is no such question.
static ir_var asks_for(const struct ir_unit *u, ir_expr e) {
    bool negated = u->nodes[e].op == IR_NOT;
    const struct ir_node *n = &u->nodes[negated ? u->nodes[e].a : e];
    ir_expr var = n->a, number = n->b;
    uint8_t op = negated ? pass_negated(n->op) : n->op;
    if (op == IR_GT || op == IR_GE || (op == IR_EQ && u->nodes[number].op == IR_VAR)) {
        var = n->b, number = n->a;
        op = op == IR_GT ? IR_LT : op == IR_GE ? IR_LE : IR_EQ;
    }
    bool is = (op == IR_LT && is_number(u, number, 0)) || ((op == IR_LE || op == IR_EQ) && is_number(u, number, -1));
    return is && u->nodes[var].op == IR_VAR ? u->nodes[var].a : 0;
}

// What the block assigns to the variable, not under `omp atomic`, and nothing else in the loop sets; 0: it is not so.
static ir_expr set_to(const struct vacancies *x, ir_stmt block, ir_var v) {
    const struct ir_unit *u = x->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next)
        if (u->stmts[s].kind == IR_ASSIGN && u->stmts[s].assign.var == v && !u->stmts[s].flags)
            return pass_count_writes(u, u->stmts[x->loop].counted.body, v) == 1 ? u->stmts[s].assign.value : 0;
    return 0;
}

// `c < best` or `c > best`, of whole numbers; best becomes c. -> best; 0: it is none.
static ir_var best_of(const struct vacancies *x, ir_stmt block, ir_expr e) {
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op != IR_LT && n->op != IR_GT) return 0;
    for (int right = 0; right < 2; right++) {
        ir_expr var = right ? n->b : n->a, c = right ? n->a : n->b;
        ir_var v = u->nodes[var].op == IR_VAR ? u->nodes[var].a : 0;
        ir_expr value = v && (u->vars[v].type == IR_I32 || u->vars[v].type == IR_U32) ? set_to(x, block, v) : 0;
        if (value && ir_same_expr(u, value, c)) return v;
    }
    return 0;
}

// A part of the condition that has to hold: `at < 0 || c < best`. *out_better: the comparison in it.
static ir_expr question_in(const struct vacancies *x, ir_stmt block, ir_expr e, ir_expr *out_better) {
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    if (n->op == IR_LAND) {
        ir_expr found = question_in(x, block, n->a, out_better);
        return found ? found : question_in(x, block, n->b, out_better);
    }
    for (int swapped = 0; n->op == IR_LOR && swapped < 2; swapped++) {
        ir_var at = asks_for(u, swapped ? n->b : n->a);
        ir_expr becomes = at ? set_to(x, block, at) : 0;
        *out_better = swapped ? n->a : n->b;
        if (becomes && pass_is_var(u, becomes, u->stmts[x->loop].counted.var) && best_of(x, block, *out_better))
            return e;
    }
    return 0;
}

// What the best is while there is no place, nothing but the comparison looks at.
static bool is_compared_alone(const struct vacancies *x, ir_var best) {
    uint32_t *reads = base_alloc_array(x->u->cx, x->u->var_count, sizeof *reads);
    pass_count_reads(x->u, x->u->stmts[x->loop].counted.body, reads);
    pass_count_expr_reads(x->u, x->u->stmts[x->loop].counted.hi, reads);
    return reads[best] == 1;
}

static bool on_branch(void *user, ir_stmt s) {
    struct vacancies *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node n = u->stmts[s];
    ir_expr better, question = n.kind == IR_IF ? question_in(x, n.branch.then_block, n.branch.cond, &better) : 0;
    if (!question || pass_leaves_loop(u, n.branch.then_block)) return true;
    const struct ir_node compared = u->nodes[better], both = u->nodes[question];
    ir_var best = best_of(x, n.branch.then_block, better), counter = u->stmts[x->loop].counted.var;
    if (!is_compared_alone(x, best)) return true;
    const struct ir_var_info info = u->vars[best];
    bool left = pass_is_var(u, compared.a, best), least = left == (compared.op == IR_GT); // the smaller one is better
    struct vacancy found = {.best = best, .next = x->of_loop[x->loop]};
    found.asked = both.a == better ? both.b : both.a;
    found.worst = ir_identity(least ? IR_MIN : IR_MAX, (enum ir_type)info.type);
    found.before = ir_add_var(u, info.name, (enum ir_type)info.type, (enum ir_var_class)info.klass, n.loc);
    found.who = ir_add_var(u, "who", IR_I32, (enum ir_var_class)info.klass, n.loc);
    ir_expr k = ir_var_read(u, counter, n.loc);
    ir_expr first = ir_op2(u, IR_LT, k, ir_var_read(u, found.who, n.loc), n.loc);
    ir_expr equal = ir_op2(u, IR_EQ, left ? compared.b : compared.a, ir_var_read(u, best, n.loc), n.loc);
    ir_expr taken = ir_op2(u, IR_LOR, better, ir_op2(u, IR_LAND, equal, first, n.loc), n.loc);
    ir_expr cond = pass_exchanged(u, n.branch.cond, question, taken);
    ir_stmt then_block = ir_assign(u, found.who, k, n.loc);
    ir_append(u, &then_block, n.branch.then_block);
    u->stmts[s].branch.then_block = then_block;
    u->stmts[s].branch.cond = cond;
    BASE_RESERVE(u->cx, x->list, x->count, x->cap);
    x->list[x->count++] = found;
    x->of_loop[x->loop] = x->count;
    return false;
}

static bool on_loop(void *user, ir_stmt s) {
    struct vacancies *x = user;
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    uint32_t lo;
    if (n->kind != IR_FOR || s >= x->stmts || n->counted.step <= 0 || u->vars[n->counted.var].type != IR_I32 ||
        !ir_is_const(u, n->counted.lo, &lo) || lo > INT32_MAX || pass_has_parallel(u, n->counted.body))
        return true;
    x->loop = s;
    ir_walk_stmts(u, n->counted.body, on_branch, x);
    return true;
}

static ir_stmt begin(void *user, ir_stmt s) {
    struct vacancies *x = user;
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (uint32_t i = s < x->stmts ? x->of_loop[s] : 0; i; i = x->list[i - 1].next) {
        const struct vacancy v = x->list[i - 1];
        enum ir_type type = (enum ir_type)u->vars[v.best].type;
        base_loc loc = u->stmts[s].loc;
        ir_expr none = ir_const(u, IR_I32, ir_identity(IR_MIN, IR_I32)), best = ir_var_read(u, v.best, loc);
        ir_append(u, &out, ir_assign(u, v.before, best, loc));
        ir_append(u, &out, ir_assign(u, v.who, ir_op3(u, IR_SELECT, v.asked, none, ir_const_i32(u, -1), loc), loc));
        ir_expr first = ir_op3(u, IR_SELECT, v.asked, ir_const(u, type, v.worst), best, loc);
        ir_append(u, &out, ir_assign(u, v.best, first, loc));
    }
    return out;
}

static ir_stmt end(void *user, ir_stmt done, ir_stmt s) {
    struct vacancies *x = user;
    struct ir_unit *u = x->u;
    ir_stmt out = s;
    (void)done;
    for (uint32_t i = s < x->stmts ? x->of_loop[s] : 0; i; i = x->list[i - 1].next) {
        const struct vacancy v = x->list[i - 1];
        base_loc loc = u->stmts[s].loc;
        ir_expr none =
            ir_op2(u, IR_EQ, ir_var_read(u, v.who, loc), ir_const(u, IR_I32, ir_identity(IR_MIN, IR_I32)), loc);
        ir_expr value = ir_op3(u, IR_SELECT, none, ir_var_read(u, v.before, loc), ir_var_read(u, v.best, loc), loc);
        ir_append(u, &out, ir_assign(u, v.best, value, loc));
    }
    return out;
}

void pass_vacant(struct pass_cx *p) {
    struct vacancies x = {.u = p->u, .stmts = p->u->stmt_count};
    x.of_loop = base_alloc_array(p->u->cx, x.stmts, sizeof *x.of_loop);
    ir_walk_stmts(p->u, p->u->root, on_loop, &x);
    if (!x.count) return;
    pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .before = begin, .replace = end});
}
