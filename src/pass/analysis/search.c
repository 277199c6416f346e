// Searches in a loop, for the best and for where it stands:
//
//   for (k) { c = ...; if (c < best) { best = c; at = k; } }
//   for (k) { c = ...; if (c < best || (c == best && name[k] < who)) { best = c; who = name[k]; } }
//
// Each pass needs the best so far, but the passes may be made in any order, by several lanes with a best each: of two
// such, the better one stays, and of equal ones the one that C's order comes to first (with <=: last), or the one with
// the smaller key, as the condition says. What is no number is never better, and a best that begins so stays.
//
// The law: the branch sets variables that nothing else in the loop reads or writes, but its condition, which reads the
// best and the key alone, in comparisons with what they become. So which pass is kept does not depend on the order in
// which they are made, and no value is computed twice.
#include "pass/cost.h"
#include "pass/passes.h"

struct finder {
    const struct ir_unit *u;
    ir_stmt block;       // what a better one does
    const uint32_t *set; // variables that it sets
    struct pass_search *out;
};

static bool reads_set(const struct finder *x, ir_expr e) { return ir_mentions_any(x->u, e, x->set); }

// -> the variable, where the comparison is one of what it becomes with what it is; 0: it is none. *io_op: the
// operation, with the variable on the right.
static ir_var compared(const struct finder *x, ir_expr e, uint8_t *out_op) {
    static const struct {
        uint8_t op, turned;
    } ops[] = {{IR_LT, IR_GT}, {IR_GT, IR_LT}, {IR_LE, IR_GE}, {IR_GE, IR_LE}, {IR_EQ, IR_EQ}};
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        if (n->op != ops[i].op) continue;
        for (int right = 0; right < 2; right++) {
            ir_expr var = right ? n->b : n->a, value = right ? n->a : n->b;
            ir_var v = u->nodes[var].op == IR_VAR ? u->nodes[var].a : 0;
            if (!v || !ir_bit(x->set, v) || reads_set(x, value) || !ir_same_expr(u, value, pass_set_to(u, x->block, v)))
                continue;
            *out_op = right ? ops[i].op : ops[i].turned;
            return v;
        }
    }
    return 0;
}

// `c == best && name < who`
static bool find_key(struct finder *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    uint8_t op;
    if (n->op != IR_LAND) return false;
    for (int swapped = 0; swapped < 2; swapped++) {
        ir_expr same = swapped ? n->b : n->a, before = swapped ? n->a : n->b;
        if (compared(x, same, &op) != x->out->best || op != IR_EQ) continue;
        ir_var key = compared(x, before, &op);
        if (!key || key == x->out->best || (op != IR_LT && op != IR_GT) || x->u->vars[key].type == IR_F32) continue;
        x->out->key = key;
        x->out->last = op == IR_GT;
        return true;
    }
    return false;
}

// A part of the condition that has to hold, and the only one that reads what is set.
static bool find_better(struct finder *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    uint8_t op = IR_CONST;
    x->out->key = 0;
    if (n->op == IR_LAND) {
        bool left = reads_set(x, n->a), right = reads_set(x, n->b);
        return left != right && find_better(x, left ? n->a : n->b);
    }
    for (int swapped = 0; n->op == IR_LOR && swapped < 2; swapped++) {
        x->out->best = compared(x, swapped ? n->b : n->a, &op);
        x->out->larger = op == IR_GT;
        x->out->compared = e;
        if (x->out->best && (op == IR_LT || op == IR_GT) && find_key(x, swapped ? n->a : n->b)) return true;
    }
    x->out->best = compared(x, e, &op);
    x->out->larger = op == IR_GT || op == IR_GE;
    x->out->last = op == IR_GE || op == IR_LE;
    x->out->compared = e;
    return x->out->best && op != IR_EQ;
}

// Assignments, none of which reads what another one sets; nothing else in the loop, whose
// body's reads are `inside`, reads or writes these.
static bool sets_alone(const struct finder *x, ir_stmt body, ir_expr cond, const uint32_t *inside) {
    const struct ir_unit *u = x->u;
    uint32_t count = 0, *own = base_alloc_array(u->cx, u->var_count, sizeof *own);
    pass_count_expr_reads(u, cond, own);
    for (ir_stmt s = x->block; s; s = u->stmts[s].next, count++) {
        const struct ir_stmt_node *n = &u->stmts[s];
        ir_var v = n->assign.var;
        if (reads_set(x, n->assign.value) || own[v] != inside[v] || pass_count_writes(u, body, v) != 1) return false;
    }
    return count > 1 && count <= PASS_BEST_SET; // by itself, the largest of values is a reduction
}

struct mention {
    const struct ir_unit *u;
    ir_var counter;
    const uint32_t *written;
    bool follows;
};
static bool on_mention(void *user, ir_expr e) {
    struct mention *m = user;
    const struct ir_node *n = &m->u->nodes[e];
    m->follows &= n->op != IR_LOAD && (n->op != IR_VAR || n->a == m->counter || !ir_bit(m->written, n->a));
    return m->follows;
}

bool pass_search_carries(const struct ir_unit *u, ir_stmt loop, const struct pass_search *search, ir_stmt assignment) {
    const struct ir_stmt_node *n = &u->stmts[assignment], *around = &u->stmts[loop];
    if (n->assign.var == search->best || n->assign.var == search->key) return false;
    struct ir_effects body = ir_effects_of(u, around->counted.body);
    struct mention m = {u, around->counted.var, body.vars_written, true};
    ir_walk_expr(u, n->assign.value, on_mention, &m);
    return search->key || !m.follows;
}

ir_expr pass_searched(const struct ir_unit *u, const struct pass_search *search) {
    const struct ir_node *n = &u->nodes[search->compared];
    return pass_is_var(u, n->a, search->best) ? n->b : n->a;
}

bool pass_lanes_keep(const struct ir_unit *u, ir_stmt loop, const struct pass_search *found) {
    uint32_t of_type[5] = {0};
    of_type[u->vars[found->best].type]++;
    of_type[u->vars[found->key ? found->key : u->stmts[loop].counted.var].type]++;
    for (ir_stmt s = u->stmts[found->test].branch.then_block; s; s = u->stmts[s].next) {
        const struct ir_var_info *v = &u->vars[u->stmts[s].assign.var];
        of_type[v->type] += pass_search_carries(u, loop, found, s);
        if (v->klass != IR_VAR_LOCAL) return false;
    }
    for (int type = 0; type < 5; type++)
        if (of_type[type] > (type == IR_BOOL ? 0 : IR_LANES_BYTES / (4 * PASS_WORKGROUP))) return false;
    return true;
}

// Of pairs alike in the best and in the key, where the loop's counter is no part of it, the first one has to stay.
static bool is_whole(const struct finder *x, ir_var counter) {
    const struct ir_unit *u = x->u;
    const struct pass_search *found = x->out;
    if (!found->key || pass_is_var(u, pass_set_to(u, x->block, found->key), counter)) return true;
    for (ir_stmt s = x->block; s; s = u->stmts[s].next)
        if (u->stmts[s].assign.var != found->best && u->stmts[s].assign.var != found->key) return false;
    return u->vars[found->best].type != IR_F32; // two zeros are alike, but not the same
}

static bool is_search(const struct ir_unit *u, ir_stmt loop, ir_stmt s, const uint32_t *inside,
                      struct pass_search *out) {
    const struct ir_stmt_node *n = &u->stmts[s], *around = &u->stmts[loop];
    if (n->kind != IR_IF || n->branch.else_block || !n->branch.then_block) return false;
    for (ir_stmt t = n->branch.then_block; t; t = u->stmts[t].next)
        if (u->stmts[t].kind != IR_ASSIGN || u->stmts[t].flags & IR_FLAG_ATOMIC || u->stmts[t].assign.run) return false;
    struct ir_effects fx = ir_effects_of(u, n->branch.then_block);
    struct finder x = {u, n->branch.then_block, fx.vars_written, out};
    *out = (struct pass_search){.test = s};
    return sets_alone(&x, around->counted.body, n->branch.cond, inside) && find_better(&x, n->branch.cond) &&
           u->vars[out->best].type != IR_BOOL && is_whole(&x, around->counted.var);
}

// In the block and in branches of it.
static void find_in(const struct ir_unit *u, ir_stmt loop, ir_stmt block, const uint32_t *inside,
                    struct pass_search out[PASS_SEARCHES], uint32_t *count) {
    for (ir_stmt s = block; s && *count < PASS_SEARCHES; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_IF) continue;
        if (is_search(u, loop, s, inside, &out[*count])) {
            (*count)++;
            continue;
        }
        find_in(u, loop, n->branch.then_block, inside, out, count);
        find_in(u, loop, n->branch.else_block, inside, out, count);
    }
}

// A branch sets several variables.
static bool may_search(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_IF) continue;
        ir_stmt first = n->branch.then_block;
        if (first && u->stmts[first].kind == IR_ASSIGN && u->stmts[first].next) return true;
        if (may_search(u, first) || may_search(u, n->branch.else_block)) return true;
    }
    return false;
}

uint32_t pass_searches(const struct ir_unit *u, ir_stmt loop, struct pass_search out[PASS_SEARCHES]) {
    ir_stmt body = u->stmts[loop].counted.body;
    if (!may_search(u, body)) return 0;
    uint32_t count = 0, *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, body, inside);
    find_in(u, loop, body, inside, out, &count);
    return count;
}
