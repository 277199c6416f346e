// The largest of values, where it begins with what is no number:
//
//   for (i) if (x[i] > top) top = x[i];      becomes      first = top; for (i) ...; if (isnan(first)) top = first;
//
// No comparison with such a `top` is true, so that in C it stays. As a reduction, which passes make of the loop, its
// values come together by operations that prefer numbers. Here `top` is given back what it was.
//
// The law: all that the loop does to the variable is to take what is larger, or all that is smaller; it changes nothing
// where the loop is run as it is written. Where the variable can only begin with a constant, nothing is to be done,
// nor in an iteration whose parallel loop reduces the variable: there it begins with the least number.
#include <math.h>
#include <string.h>

#include "pass/passes.h"

struct kept {
    ir_var var, first;
    uint32_t next; // of the same loop, counted from 1
};
struct keeper {
    struct ir_unit *u;
    uint32_t *settings, *constants; // by variable: how often it is set, and to a number
    struct kept *list;
    uint32_t count, cap, *of_loop; // by statement
    uint32_t stmts;
    ir_stmt around[PASS_KEEP_NAN_LOOPS], parfor; // the parallel loop around, or 0
    uint32_t depth;
};

static bool on_setting(void *user, ir_stmt s) {
    struct keeper *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    ir_var v = ir_written_var(n);
    uint32_t bits;
    float value;
    x->settings[v]++;
    if (n->kind != IR_ASSIGN || !ir_is_const(x->u, n->assign.value, &bits)) return true;
    memcpy(&value, &bits, sizeof value);
    x->constants[v] += !isnan(value);
    return true;
}

static bool reduces(const struct ir_unit *u, const struct ir_stmt_node *parfor, ir_var v) {
    for (uint32_t r = 0; r < parfor->parfor.reduction_count; r++)
        if (u->reductions[parfor->parfor.reductions + r].var == v) return true;
    return false;
}

// The statement, in `cond` or under none, takes what is larger: the outermost loop that does nothing else to v.
static void take(struct keeper *x, ir_stmt s, ir_expr cond) {
    const struct ir_unit *u = x->u;
    const struct ir_stmt_node *n = &u->stmts[s];
    const struct ir_node *value = &u->nodes[n->assign.value];
    ir_var v = n->assign.var;
    bool chosen = value->op == IR_SELECT && pass_picks(u, value->a, value->b, v) != IR_CONST;
    if (u->vars[v].type != IR_F32 || (!chosen && (!cond || pass_picks(u, cond, n->assign.value, v) == IR_CONST)))
        return;
    if (x->parfor && reduces(u, &u->stmts[x->parfor], v)) return;
    for (uint32_t i = 0; i < x->depth; i++) {
        ir_stmt body = ir_body_of(&u->stmts[x->around[i]]);
        uint32_t uses;
        if (pass_accumulates(u, body, v, &uses) == IR_CONST) continue;
        bool number = x->constants[v] && x->constants[v] + pass_count_writes(u, body, v) == x->settings[v];
        bool known = false;
        uint32_t *first = &x->of_loop[x->around[i]];
        for (uint32_t k = *first; k && !known; k = x->list[k - 1].next)
            known = x->list[k - 1].var == v;
        if (number || known) return;
        BASE_RESERVE(u->cx, x->list, x->count, x->cap);
        x->list[x->count++] = (struct kept){.var = v, .next = *first};
        *first = x->count;
        return;
    }
}

static void find(struct keeper *x, ir_stmt block, ir_expr cond) {
    for (ir_stmt s = block; s; s = x->u->stmts[s].next) {
        const struct ir_stmt_node *n = &x->u->stmts[s];
        uint32_t depth = x->depth;
        switch (n->kind) {
        case IR_ASSIGN: take(x, s, cond); break;
        case IR_IF:
            find(x, n->branch.then_block, n->branch.cond);
            find(x, n->branch.else_block, 0);
            break;
        case IR_FOR:
        case IR_LOOP:
            if (depth < PASS_KEEP_NAN_LOOPS && !pass_has_parallel(x->u, ir_body_of(n))) x->around[x->depth++] = s;
            find(x, ir_body_of(n), 0);
            break;
        case IR_PARFOR:
            x->depth = 0;
            x->parfor = s;
            find(x, n->parfor.body, 0);
            x->parfor = 0;
            break;
        default: break;
        }
        x->depth = depth;
    }
}

static ir_stmt begin(void *user, ir_stmt s) {
    struct keeper *x = user;
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    for (uint32_t i = s < x->stmts ? x->of_loop[s] : 0; i; i = x->list[i - 1].next) {
        struct kept *k = &x->list[i - 1];
        base_loc loc = u->stmts[s].loc;
        k->first = ir_add_var(u, u->vars[k->var].name, IR_F32, u->vars[k->var].klass, loc);
        ir_append(u, &out, ir_assign(u, k->first, ir_var_read(u, k->var, loc), loc));
    }
    return out;
}

static ir_stmt end(void *user, ir_stmt done, ir_stmt s) {
    struct keeper *x = user;
    struct ir_unit *u = x->u;
    ir_stmt out = s;
    (void)done;
    for (uint32_t i = s < x->stmts ? x->of_loop[s] : 0; i; i = x->list[i - 1].next) {
        const struct kept *k = &x->list[i - 1];
        base_loc loc = u->stmts[s].loc;
        ir_expr first = ir_var_read(u, k->first, loc), none = ir_op1(u, IR_ISNAN, first, loc);
        ir_expr value = ir_op3(u, IR_SELECT, none, first, ir_var_read(u, k->var, loc), loc);
        ir_append(u, &out, ir_assign(u, k->var, value, loc));
    }
    return out;
}

void pass_keep_nan(struct pass_cx *p) {
    struct keeper x = {.u = p->u, .stmts = p->u->stmt_count};
    x.of_loop = base_alloc_array(p->u->cx, x.stmts, sizeof *x.of_loop);
    x.settings = base_alloc_array(p->u->cx, p->u->var_count, sizeof *x.settings);
    x.constants = base_alloc_array(p->u->cx, p->u->var_count, sizeof *x.constants);
    ir_walk_stmts(p->u, p->u->root, on_setting, &x);
    find(&x, p->u->root, 0);
    if (!x.count) return;
    pass_rewrite_all(&(struct pass_rewriter){.u = p->u, .user = &x, .before = begin, .replace = end});
}
