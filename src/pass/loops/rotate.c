// Pointers swapped at each step: a loop whose body permutes a few selector variables is unrolled by the period of that
// permutation, and in each copy the selectors are constants. The ping-pong stencil becomes two phases on known arrays;
// choosing among arrays by a variable at every load, and the sequential code that swaps, are gone.
//
// So is a choice by the number of the step: `t % 2 ? a : b`, u[(t + 1) % 2][i], t & 1. In each copy such a remainder of
// the loop's counter is a constant, too.
//
// A selector is an entry-level integer that is set to a constant before the loop and, in it, only at the top of the
// body, from constants and other selectors. What it is at the head of every pass is found by running those assignments
// in the evaluator of constants.
#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

struct rotor {
    struct pass_cx *p;
    struct ir_unit *u;
    ir_var vars[PASS_MOST_SWAP_SELECTORS];
    uint32_t count;
    uint32_t values[PASS_MOST_SWAP_PERIOD + 1][PASS_MOST_SWAP_SELECTORS]; // at the head of each pass
    uint32_t modulus; // of remainders of the counter that are known in each copy; 1: there are none
    uint32_t done;
};

static int selector(const struct rotor *r, ir_var v) {
    for (uint32_t i = 0; i < r->count; i++)
        if (r->vars[i] == v) return (int)i;
    return -1;
}

struct only {
    const struct rotor *r;
    const struct ir_unit *u;
    bool ok;
};
static bool only_selectors(void *user, ir_expr e) {
    struct only *o = user;
    const struct ir_node *n = &o->u->nodes[e];
    if (n->op == IR_LOAD || (n->op == IR_VAR && selector(o->r, n->a) < 0)) o->ok = false;
    return o->ok;
}

// Candidates: assigned at the top of the body only, and constant before the loop. Those that depend on others fall
// away.
static void find_selectors(struct rotor *r, ir_stmt before, ir_stmt loop) {
    struct ir_unit *u = r->u;
    r->count = 0;
    for (ir_stmt s = u->stmts[loop].counted.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_ASSIGN || u->vars[n->assign.var].klass != IR_VAR_ENTRY ||
            u->vars[n->assign.var].type == IR_F32)
            continue;
        if (selector(r, n->assign.var) >= 0 || r->count == PASS_MOST_SWAP_SELECTORS) continue;
        uint32_t top = 0;
        for (ir_stmt t = u->stmts[loop].counted.body; t; t = u->stmts[t].next)
            top += u->stmts[t].kind == IR_ASSIGN && u->stmts[t].assign.var == n->assign.var;
        if (top == pass_count_writes(u, u->stmts[loop].counted.body, n->assign.var))
            r->vars[r->count++] = n->assign.var;
    }
    for (bool again = true; again;) {
        again = false;
        for (ir_stmt s = u->stmts[loop].counted.body; s && !again; s = u->stmts[s].next) {
            const struct ir_stmt_node *n = &u->stmts[s];
            int at = n->kind == IR_ASSIGN ? selector(r, n->assign.var) : -1;
            if (at < 0) continue;
            struct only o = {r, u, true};
            ir_walk_expr(u, n->assign.value, only_selectors, &o);
            if (o.ok) continue;
            r->vars[at] = r->vars[--r->count];
            again = true;
        }
        // Values before the loop. A temporary of a swap has none and needs none: it is set before it is read.
        for (uint32_t i = 0; i < r->count && !again; i++) {
            bool known = false;
            for (ir_stmt s = before; s && s != loop; s = u->stmts[s].next) {
                uint32_t bits;
                if (!ir_bit(ir_effects_of_one(u, s).vars_written, r->vars[i])) continue;
                known = u->stmts[s].kind == IR_ASSIGN && ir_is_const(u, u->stmts[s].assign.value, &bits);
                if (known) r->values[0][i] = bits;
            }
            uint32_t *exposed = pass_exposed(u, u->stmts[loop].counted.body);
            if (known || !ir_bit(exposed, r->vars[i])) continue;
            r->vars[i] = r->vars[--r->count];
            again = true;
        }
    }
}

// The value of an expression of constants and selectors; false where C leaves it open.
struct selected {
    const struct rotor *r;
    const uint32_t *values;
};
static bool value_of(void *user, ir_var v, uint32_t *out) {
    const struct selected *x = user;
    *out = x->values[selector(x->r, v)];
    return true;
}
static bool evaluate(const struct rotor *r, ir_expr e, const uint32_t *values, uint32_t *out) {
    return pass_evaluate(r->u, e, value_of, &(struct selected){r, values}, out);
}

// Runs the selectors' assignments of one pass; false where the evaluator does not know an operation.
static bool run_pass(struct rotor *r, ir_stmt body, const uint32_t *from, uint32_t *to) {
    memcpy(to, from, r->count * sizeof *to);
    for (ir_stmt s = body; s; s = r->u->stmts[s].next) {
        const struct ir_stmt_node n = r->u->stmts[s];
        int at = n.kind == IR_ASSIGN ? selector(r, n.assign.var) : -1;
        if (at < 0) continue;
        if (!evaluate(r, n.assign.value, to, &to[at])) return false;
    }
    return true;
}

// ---- remainders of the counter --------------------------------------------------------------------------------------

// (counter + offset) % c, or & (c - 1), of a counter that counts up from `first`, so that it is no negative number.
struct remainder {
    struct rotor *r;
    ir_var counter;
    int64_t first; // value of the counter that is looked at, or the least
};
static bool is_remainder(const struct remainder *x, ir_expr e, uint32_t *out_c, int64_t *out_value) {
    const struct ir_unit *u = x->r->u;
    const struct ir_node *n = &u->nodes[e], *of;
    uint32_t c, bits = 0;
    if ((n->op != IR_REM && n->op != IR_AND) || n->type == IR_F32 || !ir_is_const(u, n->b, &c)) return false;
    if (n->op == IR_AND) c++; // a mask
    if (c < 2 || c > PASS_MOST_SWAP_PERIOD || (n->op == IR_AND && c & (c - 1))) return false;
    of = &u->nodes[n->a];
    bool minus = of->op == IR_SUB;
    if ((of->op == IR_ADD || minus) && ir_is_const(u, of->b, &bits)) of = &u->nodes[of->a];
    int64_t value = x->first + (minus ? -(int64_t)(int32_t)bits : (int32_t)bits);
    if (of->op != IR_VAR || of->a != x->counter || value < 0) return false;
    *out_c = c;
    *out_value = value;
    return true;
}
static bool find_modulus(void *user, ir_expr e) {
    struct remainder *x = user;
    uint32_t c, all;
    int64_t value;
    if (!is_remainder(x, e, &c, &value)) return true;
    for (all = x->r->modulus; all % c;)
        all += x->r->modulus;
    if (all <= PASS_MOST_SWAP_PERIOD) x->r->modulus = all;
    return true;
}
static ir_expr put_remainder(void *user, ir_expr e) {
    struct remainder *x = user;
    uint32_t c;
    int64_t value;
    if (!is_remainder(x, e, &c, &value) || x->r->modulus % c) return e;
    return ir_const(x->r->u, (enum ir_type)x->r->u->nodes[e].type, (uint32_t)(value % c));
}

// One pass of the body with its selectors known, and own names for what is private to it. value: of the counter, or
// one that leaves the same remainders.
static ir_stmt copy_pass(struct rotor *r, const struct ir_stmt_node *loop, const uint32_t *head, ir_expr counter,
                         int64_t value) {
    struct ir_unit *u = r->u;
    struct remainder known = {r, loop->counted.var, value};
    ir_stmt body = pass_copy_phases(u, loop->counted.body), out = 0;
    uint32_t now[PASS_MOST_SWAP_SELECTORS];
    memcpy(now, head, r->count * sizeof *now);
    for (ir_stmt s = body, next; s; s = next) {
        next = u->stmts[s].next;
        u->stmts[s].next = 0;
        int at = u->stmts[s].kind == IR_ASSIGN ? selector(r, u->stmts[s].assign.var) : -1;
        if (at >= 0) {
            evaluate(r, u->stmts[s].assign.value, now, &now[at]); // as run_pass did
            continue;
        }
        for (uint32_t i = 0; i < r->count; i++)
            pass_substitute(u, s, r->vars[i], ir_const(u, (enum ir_type)u->vars[r->vars[i]].type, now[i]));
        ir_append(u, &out, s);
    }
    if (r->modulus > 1) ir_map_block(u, out, put_remainder, &known);
    pass_substitute(u, out, loop->counted.var, counter);
    return out;
}

// After how many passes the selectors are what they were; 0: not soon.
static uint32_t find_period(struct rotor *r, ir_stmt body) {
    uint32_t *exposed = pass_exposed(r->u, body);
    for (uint32_t k = 0; k < PASS_MOST_SWAP_PERIOD; k++) {
        if (!run_pass(r, body, r->values[k], r->values[k + 1])) return 0;
        bool same = true;
        for (uint32_t i = 0; i < r->count; i++)
            same &= !ir_bit(exposed, r->vars[i]) || r->values[k + 1][i] == r->values[0][i];
        if (same) return k + 1;
    }
    return 0;
}

// A loop around phases stands in the body: what the step's number chooses is chosen once for many phases.
static bool has_rounds(const struct ir_unit *u, ir_stmt body) {
    bool has = false;
    for (ir_stmt s = body; s && !has; s = u->stmts[s].next)
        has = (u->stmts[s].kind == IR_FOR || u->stmts[s].kind == IR_LOOP) &&
              pass_has_parallel(u, ir_body_of(&u->stmts[s]));
    return has;
}

// Passes after which the remainders are what they were, too.
static uint32_t with_remainders(const struct rotor *r, uint32_t period, int32_t step) {
    uint32_t all = period;
    while (all && (uint64_t)all * (uint32_t)step % r->modulus)
        all += period;
    return all;
}

static ir_stmt rotate_loop(struct rotor *r, ir_stmt before, ir_stmt s) {
    struct ir_unit *u = r->u;
    uint64_t trips;
    uint32_t lo;
    struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_FOR || !pass_has_parallel(u, n.counted.body) || !ir_const_trips(u, s, &trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || trips < 2 || trips > INT32_MAX || pass_leaves_loop(u, n.counted.body))
        return s;
    struct remainder counter_of = {r, n.counted.var, (int32_t)lo};
    r->modulus = 1;
    if (n.counted.step > 0 && u->vars[n.counted.var].type == IR_I32 && !has_rounds(u, n.counted.body))
        ir_walk_nodes(u, n.counted.body, find_modulus, &counter_of);
    find_selectors(r, before, s);
    uint32_t period = with_remainders(r, find_period(r, n.counted.body), n.counted.step);
    if (period > PASS_MOST_SWAP_PERIOD) return s;
    for (uint32_t k = 0; k < period; k++)
        (void)run_pass(r, n.counted.body, r->values[k], r->values[k + 1]);
    if (period < 2 || period > trips || period * pass_size(u, n.counted.body) > PASS_MOST_PHASE_COPIES) return s;

    int32_t step = n.counted.step;
    uint32_t rest = (uint32_t)(trips % period);
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t turn = lo + (uint32_t)(trips - rest) * (uint32_t)step; // where the unrolled part ends
    ir_stmt body = 0, out = 0;
    for (uint32_t k = 0; k < period; k++) {
        ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
        if (k) counter = ir_op2(u, IR_ADD, counter, ir_const(u, type, k * (uint32_t)step), n.loc);
        ir_append(u, &body, copy_pass(r, &n, r->values[k], counter, (int32_t)lo + (int64_t)k * step));
    }
    struct ir_stmt_node *loop = &u->stmts[s];
    loop->counted.hi = ir_const(u, type, turn);
    loop->counted.step = (step * (int32_t)period);
    loop->counted.body = body;
    loop->counted.unroll = period;
    loop->next = 0;
    ir_append(u, &out, s);
    for (uint32_t k = 0; k < rest; k++)
        ir_append(u, &out,
                  copy_pass(r, &n, r->values[k], ir_const(u, type, turn + k * (uint32_t)step),
                            (int32_t)lo + (int64_t)k * step));
    for (uint32_t i = 0; i < r->count; i++)
        ir_append(u, &out,
                  ir_assign(u, r->vars[i],
                            ir_const(u, (enum ir_type)u->vars[r->vars[i]].type, r->values[rest ? rest : period][i]),
                            n.loc));
    r->done++;
    base_text_format(r->p->explain, "rotate: the loop at line %u swaps its arrays: %u steps a pass\n",
                     u->cx->locs[n.loc].line, period);
    return out;
}

static ir_stmt rotate_statement(void *user, ir_stmt done, ir_stmt s) { return rotate_loop(user, done, s); }

void pass_rotate(struct pass_cx *p) {
    struct rotor r = {.p = p, .u = p->u};
    struct pass_rewriter rotating = {.u = p->u, .user = &r, .replace = rotate_statement};
    p->u->root = pass_rewrite_block(&rotating, p->u->root);
    if (r.done) pass_fold(p);
}

// ---- what a loop that is too large for copies would show ------------------------------------------------------------

// One pass of the loop in a copy of the unit, where its selectors are constants: which parallel loops still read what
// they write?
static void look_at_pass(struct rotor *r, struct pass_cx *p, ir_stmt loop, const uint32_t *head, bool *apart) {
    struct pass_cx copy = *p;
    struct rotor in_copy = *r;
    struct ir_unit *u = copy.u = in_copy.u = ir_unit_clone(p->u);
    uint32_t now[PASS_MOST_SWAP_SELECTORS];
    memcpy(now, head, r->count * sizeof *now);
    for (ir_stmt s = u->stmts[loop].counted.body, next; s; s = next) {
        next = u->stmts[s].next;
        int at = u->stmts[s].kind == IR_ASSIGN ? selector(r, u->stmts[s].assign.var) : -1;
        if (at >= 0) {
            evaluate(&in_copy, u->stmts[s].assign.value, now, &now[at]);
            continue;
        }
        u->stmts[s].next = 0;
        for (uint32_t i = 0; i < r->count; i++)
            pass_substitute(u, s, r->vars[i], ir_const(u, (enum ir_type)u->vars[r->vars[i]].type, now[i]));
        u->stmts[s].next = next;
    }
    pass_fold(&copy);
    for (ir_stmt s = p->u->stmts[loop].counted.body; s; s = p->u->stmts[s].next) {
        if (p->u->stmts[s].kind != IR_PARFOR) continue;
        struct ir_effects fx = ir_effects_of(u, u->stmts[s].parfor.body);
        for (uint32_t w = 0; w < fx.array_words; w++)
            for (uint32_t both = fx.arrays_read[w] & fx.arrays_written[w]; both; both &= both - 1)
                if (u->arrays[w * 32 + (uint32_t)__builtin_ctz(both)].klass != IR_ARRAY_LOCAL) apart[s] = false;
    }
}

static void apart_block(struct rotor *r, struct pass_cx *p, ir_stmt block, bool *apart) {
    struct ir_unit *u = p->u;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        if (n.kind == IR_IF) {
            apart_block(r, p, n.branch.then_block, apart);
            apart_block(r, p, n.branch.else_block, apart);
        }
        if ((n.kind != IR_FOR && n.kind != IR_LOOP) || !pass_has_parallel(u, ir_body_of(&n))) continue;
        apart_block(r, p, ir_body_of(&n), apart);
        if (n.kind != IR_FOR || pass_leaves_loop(u, n.counted.body)) continue;
        find_selectors(r, block, s);
        uint32_t period = r->count ? find_period(r, n.counted.body) : 0;
        for (ir_stmt t = n.counted.body; t && period; t = u->stmts[t].next)
            apart[t] = u->stmts[t].kind == IR_PARFOR;
        for (uint32_t k = 0; k < period; k++)
            look_at_pass(r, p, s, r->values[k], apart);
    }
}

void pass_find_apart(struct pass_cx *p, bool *apart) {
    struct rotor r = {.p = p, .u = p->u};
    apart_block(&r, p, p->u->root, apart);
}
