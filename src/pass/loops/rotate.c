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
//
// A loop that ends when data say so, `while (go)`, tests its flag between the copies, too:
//
//   while (go) { step on a and b; if (go) step on b and a; }
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

// One that never comes back to its first value, as a counter; else r->count.
static uint32_t find_wanderer(struct rotor *r, ir_stmt body) {
    const uint32_t *exposed = pass_exposed(r->u, body);
    uint32_t back = 0, k = 0; // bits of selectors
    for (; k < PASS_MOST_SWAP_PERIOD && run_pass(r, body, r->values[k], r->values[k + 1]); k++)
        for (uint32_t i = 0; i < r->count; i++)
            back |= (uint32_t)(r->values[k + 1][i] == r->values[0][i]) << i;
    for (uint32_t i = 0; i < r->count && k == PASS_MOST_SWAP_PERIOD; i++)
        if (ir_bit(exposed, r->vars[i]) && !(back >> i & 1)) return i;
    return r->count;
}

// Candidates: assigned at the top of the body only, and constant before the loop. Those that depend on others fall
// away.
static void find_selectors(struct rotor *r, ir_stmt before, ir_stmt loop) {
    struct ir_unit *u = r->u;
    r->count = 0;
    for (ir_stmt s = ir_body_of(&u->stmts[loop]); s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_ASSIGN || u->vars[n->assign.var].klass != IR_VAR_ENTRY ||
            u->vars[n->assign.var].type == IR_F32)
            continue;
        if (selector(r, n->assign.var) >= 0 || r->count == PASS_MOST_SWAP_SELECTORS) continue;
        uint32_t top = 0;
        for (ir_stmt t = ir_body_of(&u->stmts[loop]); t; t = u->stmts[t].next)
            top += u->stmts[t].kind == IR_ASSIGN && u->stmts[t].assign.var == n->assign.var;
        if (top == pass_count_writes(u, ir_body_of(&u->stmts[loop]), n->assign.var))
            r->vars[r->count++] = n->assign.var;
    }
    for (bool again = true; again;) {
        again = false;
        for (ir_stmt s = ir_body_of(&u->stmts[loop]); s && !again; s = u->stmts[s].next) {
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
            uint32_t *exposed = pass_exposed(u, ir_body_of(&u->stmts[loop]));
            if (known || !ir_bit(exposed, r->vars[i])) continue;
            r->vars[i] = r->vars[--r->count];
            again = true;
        }
        uint32_t wanderer = again ? r->count : find_wanderer(r, ir_body_of(&u->stmts[loop]));
        if (wanderer == r->count) continue;
        r->vars[wanderer] = r->vars[--r->count];
        again = true;
    }
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
    uint32_t c;
    int64_t value;
    if (!is_remainder(x, e, &c, &value)) return true;
    uint64_t all = pass_least_passes(x->r->modulus, 1, c);
    if (all <= PASS_MOST_SWAP_PERIOD) x->r->modulus = (uint32_t)all;
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
static ir_stmt copy_pass(struct rotor *r, ir_stmt block, const uint32_t *head, ir_var counter, int64_t value) {
    struct ir_unit *u = r->u;
    struct remainder known = {r, counter, value};
    ir_stmt body = pass_copy_phases(u, block), out = 0;
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
    return out;
}

// The same of a FOR, whose counter becomes an expression.
static ir_stmt copy_step(struct rotor *r, const struct ir_stmt_node *loop, const uint32_t *head, ir_expr counter,
                         int64_t value) {
    ir_stmt out = copy_pass(r, loop->counted.body, head, loop->counted.var, value);
    pass_substitute(r->u, out, loop->counted.var, counter);
    return out;
}

static ir_stmt put_values(struct rotor *r, const uint32_t *values, base_loc loc) {
    ir_stmt out = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        ir_expr value = ir_const(r->u, (enum ir_type)r->u->vars[r->vars[i]].type, values[i]);
        ir_append(r->u, &out, ir_assign(r->u, r->vars[i], value, loc));
    }
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

static bool may_unroll(const struct rotor *r, ir_stmt body, int32_t step, uint64_t passes, uint64_t trips) {
    return passes <= trips && passes * pass_size(r->u, body) <= PASS_MOST_PHASE_COPIES && pass_fits_step(step, passes);
}

// Passes that are unrolled: after them the selectors are what they were, and the remainders, too, or else these stay.
static uint32_t passes_of(struct rotor *r, ir_stmt body, int32_t step, uint64_t trips) {
    uint32_t period = find_period(r, body);
    uint64_t all = pass_least_passes(period, (uint32_t)step, r->modulus);
    if (all <= PASS_MOST_SWAP_PERIOD && may_unroll(r, body, step, all, trips)) return all;
    r->modulus = 1;
    return may_unroll(r, body, step, period, trips) ? period : 0;
}

static void say(struct rotor *r, base_loc loc, uint32_t period) {
    r->done++;
    base_text_format(r->p->explain, "rotate: the loop at line %u swaps its arrays: %u steps a pass\n",
                     r->u->cx->locs[loc].line, period);
}

uint32_t pass_rotate_modulus(struct ir_unit *u, ir_stmt loop) {
    const struct ir_stmt_node n = u->stmts[loop];
    struct rotor r = {.u = u, .modulus = 1};
    uint32_t lo;
    if (n.kind != IR_FOR || !ir_is_const(u, n.counted.lo, &lo) || n.counted.step < 0 ||
        u->vars[n.counted.var].type != IR_I32 || has_rounds(u, n.counted.body))
        return 1;
    struct remainder counter_of = {&r, n.counted.var, (int32_t)lo};
    ir_walk_nodes(u, n.counted.body, find_modulus, &counter_of);
    return r.modulus;
}

static ir_stmt rotate_loop(struct rotor *r, ir_stmt before, ir_stmt s) {
    struct ir_unit *u = r->u;
    uint64_t trips;
    uint32_t lo;
    struct ir_stmt_node n = u->stmts[s];
    if (n.kind != IR_FOR || !pass_has_parallel(u, n.counted.body) || !ir_const_trips(u, s, &trips) ||
        !ir_is_const(u, n.counted.lo, &lo) || trips < 2 || trips > INT32_MAX || pass_leaves_loop(u, n.counted.body))
        return s;
    r->modulus = pass_rotate_modulus(u, s);
    find_selectors(r, before, s);
    uint32_t period = passes_of(r, n.counted.body, n.counted.step, trips);
    if (period < 2) return s;
    for (uint32_t k = 0; k < period; k++)
        (void)run_pass(r, n.counted.body, r->values[k], r->values[k + 1]);

    int32_t step = n.counted.step;
    uint32_t rest = (uint32_t)(trips % period);
    enum ir_type type = (enum ir_type)u->vars[n.counted.var].type;
    uint32_t turn = lo + (uint32_t)(trips - rest) * (uint32_t)step; // where the unrolled part ends
    ir_stmt body = 0, out = 0;
    for (uint32_t k = 0; k < period; k++) {
        ir_expr counter = ir_var_read(u, n.counted.var, n.loc);
        if (k) counter = ir_op2(u, IR_ADD, counter, ir_const(u, type, k * (uint32_t)step), n.loc);
        ir_append(u, &body, copy_step(r, &n, r->values[k], counter, (int32_t)lo + (int64_t)k * step));
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
                  copy_step(r, &n, r->values[k], ir_const(u, type, turn + k * (uint32_t)step),
                            (int32_t)lo + (int64_t)k * step));
    ir_append(u, &out, put_values(r, r->values[rest ? rest : period], n.loc));
    say(r, n.loc, period);
    return out;
}

// ---- loops that end when data say so --------------------------------------------------------------------------------

static uint32_t adds_to(const struct ir_unit *u, ir_stmt block, ir_var v, ir_expr *value) {
    uint32_t count = 0;
    for (ir_stmt s = block; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        if (n->kind != IR_ASSIGN || n->assign.var != v) continue;
        *value = n->assign.value;
        count++;
    }
    return count;
}

// v grows by a constant in each pass behind which another one comes, in the statement `last` at the top of the body, or
// in it under `if (go)`, as a `break` leaves it. (The law of canonicalise: a flag that has fallen stays so, and
// no other pass comes.)
static bool counts(const struct rotor *r, ir_stmt body, ir_var go, ir_var v, ir_stmt *last, int32_t *step) {
    const struct ir_unit *u = r->u;
    ir_expr value = 0;
    *last = 0;
    for (ir_stmt s = body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        bool guarded = n->kind == IR_IF && pass_is_var(u, n->branch.cond, go);
        if (n->kind == IR_ASSIGN ? n->assign.var == v : guarded && adds_to(u, n->branch.then_block, v, &value)) {
            if (n->kind == IR_ASSIGN) value = n->assign.value;
            *last = s;
        }
    }
    if (!*last || pass_count_writes(u, body, v) != 1) return false;
    const struct ir_node *sum = &u->nodes[value];
    uint32_t bits;
    if (sum->op != IR_ADD || !pass_is_var(u, sum->a, v) || !ir_is_const(u, sum->b, &bits)) return false;
    *step = (int32_t)bits;
    return *step > 0;
}

// The variable of remainders in the body, all of which stand in front of where it grows; 0: there is none, or its first
// value is not known. *first: that value.
static ir_var counter_of(struct rotor *r, ir_stmt before, ir_stmt loop, int32_t *first, int32_t *step) {
    struct ir_unit *u = r->u;
    ir_stmt body = u->stmts[loop].loop.body, last;
    ir_var go = u->nodes[u->stmts[loop].loop.cond].a;
    for (ir_stmt s = before; s && s != loop; s = u->stmts[s].next) {
        const struct ir_stmt_node n = u->stmts[s];
        uint32_t bits;
        if (n.kind != IR_ASSIGN || u->vars[n.assign.var].type != IR_I32 || !ir_is_const(u, n.assign.value, &bits) ||
            (int32_t)bits < 0 || !counts(r, body, go, n.assign.var, &last, step))
            continue;
        bool again = false;
        for (ir_stmt t = n.next; t && t != loop; t = u->stmts[t].next)
            again |= ir_bit(ir_effects_of_one(u, t).vars_written, n.assign.var);
        struct remainder x = {r, n.assign.var, (int32_t)bits};
        r->modulus = 1;
        ir_walk_nodes(u, last, find_modulus, &x); // from there on
        bool behind = r->modulus > 1;
        ir_walk_nodes(u, body, find_modulus, &x);
        if (again || behind || r->modulus < 2) continue;
        *first = (int32_t)bits;
        return n.assign.var;
    }
    r->modulus = 1;
    return 0;
}

static ir_stmt rotate_open(struct rotor *r, ir_stmt before, ir_stmt s) {
    struct ir_unit *u = r->u;
    const struct ir_stmt_node n = u->stmts[s];
    int32_t first = 0, step = 1;
    if (!pass_is_open_loop(u, s) || !pass_has_parallel(u, n.loop.body)) return s;
    r->modulus = 1;
    ir_var counter = has_rounds(u, n.loop.body) ? 0 : counter_of(r, before, s, &first, &step);
    find_selectors(r, before, s);
    uint32_t period = passes_of(r, n.loop.body, step, UINT64_MAX);
    if (period < 2) return s;
    for (uint32_t k = 0; k < period; k++)
        (void)run_pass(r, n.loop.body, r->values[k], r->values[k + 1]);
    ir_stmt body = 0;
    for (uint32_t k = period; k-- > 0;) {
        ir_stmt copy = copy_pass(r, n.loop.body, r->values[k], counter, first + (int64_t)k * step);
        ir_append(u, &copy, put_values(r, r->values[k + 1], n.loc));
        if (body) ir_append(u, &copy, ir_if(u, n.loop.cond, body, 0, n.loc));
        body = copy;
    }
    u->stmts[s].loop.body = body;
    u->stmts[s].loop.unroll = period;
    say(r, n.loc, period);
    return s;
}

static ir_stmt rotate_statement(void *user, ir_stmt done, ir_stmt s) {
    struct rotor *r = user;
    return r->u->stmts[s].kind == IR_LOOP ? rotate_open(r, done, s) : rotate_loop(r, done, s);
}

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
    for (ir_stmt s = ir_body_of(&u->stmts[loop]), next; s; s = next) {
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
    for (ir_stmt s = ir_body_of(&p->u->stmts[loop]); s; s = p->u->stmts[s].next) {
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
