// Searches in a loop, for the best and for where it stands:
//
//   for (k) { c = ...; if (c < best) { best = c; at = k; } }
//   for (k) { c = ...; if (c < best || (c == best && name[k] < who)) { best = c; who = name[k]; } }
//   for (k) for (j) { c = ...; if (c < best) { best = c; at = k; other = j; } }
//
// or by several keys, each of which counts where those before it are equal (pass_search_order).
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

// `c == best && rest`, where that variable is the best. -> rest; 0: it is none
static ir_expr rest_of_equal(const struct finder *x, ir_expr e, ir_var best) {
    const struct ir_node *n = &x->u->nodes[e];
    uint8_t op;
    if (n->op != IR_LAND) return 0;
    if (compared(x, n->a, &op) == best && op == IR_EQ) return n->b;
    return compared(x, n->b, &op) == best && op == IR_EQ ? n->a : 0;
}

// `c == best && name < who`
static bool find_key(struct finder *x, ir_expr e) {
    uint8_t op = IR_CONST;
    ir_expr before = rest_of_equal(x, e, x->out->best);
    ir_var key = before ? compared(x, before, &op) : 0;
    if (!key || key == x->out->best || (op != IR_LT && op != IR_GT) || x->u->vars[key].type == IR_F32) return false;
    x->out->key = key;
    x->out->last = op == IR_GT;
    return true;
}

// A part of the condition that has to hold, and the only one that reads what is set; 0: there is none.
static ir_expr deciding(const struct finder *x, ir_expr e) {
    for (const struct ir_node *n; n = &x->u->nodes[e], n->op == IR_LAND;) {
        bool left = reads_set(x, n->a), right = reads_set(x, n->b);
        if (left == right) return 0;
        e = left ? n->a : n->b;
    }
    return e;
}

static bool find_better(struct finder *x, ir_expr cond) {
    ir_expr e = deciding(x, cond);
    const struct ir_node *n = &x->u->nodes[e];
    uint8_t op = IR_CONST;
    x->out->key = 0;
    if (!e) return false;
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

// `a < A || (a == A && (b < B || ...))`: its keys, behind those that are known.
static bool find_keys(const struct finder *x, ir_expr e, struct pass_order *out) {
    const struct ir_node *n = &x->u->nodes[e];
    uint8_t op = IR_CONST;
    if (out->count == PASS_SEARCH_KEYS) return false;
    ir_expr rest = 0;
    ir_var key = n->op == IR_LOR ? 0 : compared(x, e, &op);
    for (int swapped = 0; n->op == IR_LOR && swapped < 2 && !rest; swapped++) {
        key = compared(x, swapped ? n->b : n->a, &op);
        rest = key ? rest_of_equal(x, swapped ? n->a : n->b, key) : 0;
    }
    if (n->op == IR_LOR && !rest) return false;
    uint8_t type = key ? x->u->vars[key].type : IR_BOOL;
    // a later key that is no number would stay, as others are neither before nor behind it
    if ((op != IR_LT && op != IR_GT) || type == IR_BOOL || (type == IR_F32 && out->count)) return false;
    for (uint32_t k = 0; k < out->count; k++)
        if (out->keys[k].var == key) return false;
    out->keys[out->count].var = key;
    out->keys[out->count++].larger = op == IR_GT;
    return !rest || find_keys(x, rest, out);
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

// The statement may be a test of the loop's; its branch does nothing but set variables, in any order.
static bool is_test(const struct ir_unit *u, ir_stmt loop, ir_stmt s, const uint32_t *inside, struct finder *out) {
    const struct ir_stmt_node *n = &u->stmts[s];
    if (n->kind != IR_IF || n->branch.else_block || !n->branch.then_block) return false;
    for (ir_stmt t = n->branch.then_block; t; t = u->stmts[t].next)
        if (u->stmts[t].kind != IR_ASSIGN || u->stmts[t].flags & IR_FLAG_ATOMIC || u->stmts[t].assign.run) return false;
    struct ir_effects fx = ir_effects_of(u, n->branch.then_block);
    *out = (struct finder){.u = u, .block = n->branch.then_block, .set = fx.vars_written};
    return sets_alone(out, u->stmts[loop].counted.body, n->branch.cond, inside);
}

static bool is_search(const struct ir_unit *u, ir_stmt loop, ir_stmt s, const uint32_t *inside,
                      struct pass_search *out) {
    struct finder x;
    if (!is_test(u, loop, s, inside, &x)) return false;
    *out = (struct pass_search){.test = s};
    x.out = out;
    return find_better(&x, u->stmts[s].branch.cond) && u->vars[out->best].type != IR_BOOL &&
           is_whole(&x, u->stmts[loop].counted.var);
}

bool pass_search_order(const struct ir_unit *u, ir_stmt loop, ir_stmt test, struct pass_order *out) {
    struct finder x;
    uint32_t *inside = base_alloc_array(u->cx, u->var_count, sizeof *inside);
    pass_count_reads(u, u->stmts[loop].counted.body, inside);
    *out = (struct pass_order){.count = 0};
    if (!is_test(u, loop, test, inside, &x)) return false;
    out->compared = deciding(&x, u->stmts[test].branch.cond);
    return out->compared && find_keys(&x, out->compared, out) && out->count > 1;
}

// In the block, in branches and in loops of it. A pass may then come to the test several times (again), of which the
// first has to stay where they are as good, for a pass is all that lanes know of its place.
static void find_in(const struct ir_unit *u, ir_stmt loop, ir_stmt block, bool again, const uint32_t *inside,
                    struct pass_search out[PASS_SEARCHES], uint32_t *count) {
    for (ir_stmt s = block; s && *count < PASS_SEARCHES; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR) find_in(u, loop, n->counted.body, true, inside, out, count);
        if (n->kind != IR_IF) continue;
        struct pass_search *found = &out[*count];
        if (is_search(u, loop, s, inside, found) && (!again || found->key || !found->last)) {
            (*count)++;
            continue;
        }
        find_in(u, loop, n->branch.then_block, again, inside, out, count);
        find_in(u, loop, n->branch.else_block, again, inside, out, count);
    }
}

// A branch sets several variables.
static bool may_search(const struct ir_unit *u, ir_stmt block) {
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind == IR_FOR && may_search(u, n->counted.body)) return true;
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
    find_in(u, loop, body, false, inside, out, &count);
    return count;
}
