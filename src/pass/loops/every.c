// What a loop around parallel loops does in every n-th pass alone:
//
//   for (t < 1000) { if (t % 50 == 0) look; step; }      becomes      for (T < 20) { look; for (j < 50) step; }
//
// A sum that is logged, a picture that is kept, neighbours that are looked for anew. The steps in between are then a
// loop of their own, of which several may become one (compose), and no dispatch asks whether it has to do anything.
//
// The law: the loop makes a known number of passes and nothing leaves it. Its conditions (t + c) % m == k repeat after
// a known number of passes, in few of which one of them holds. All passes are made, in their order.
#include "pass/cost.h"
#include "pass/passes.h"

struct condition {
    ir_stmt branch; // the IF, at the top of the loop's body
    int64_t add;
    uint32_t modulus, rest;
    bool negated; // ... is not the rest
};

struct every {
    struct pass_cx *p;
    struct ir_unit *u;
    struct ir_stmt_node loop; // a copy
    struct condition list[PASS_EVERY_CONDITIONS];
    uint32_t count, period;
    int64_t lo, step;
    bool leads, trails; // the one condition that ever holds is the first, last statement: its pass is one of the others
};

// ---- the conditions -------------------------------------------------------------------------------------------------

// t, or t plus or minus a constant
static bool is_counter(const struct every *x, ir_expr e, int64_t *add) {
    const struct ir_node *n = &x->u->nodes[e];
    uint32_t bits;
    *add = 0;
    if ((n->op == IR_ADD || n->op == IR_SUB) && ir_is_const(x->u, n->b, &bits)) {
        *add = n->op == IR_ADD ? (int32_t)bits : -(int64_t)(int32_t)bits;
        n = &x->u->nodes[n->a];
    }
    return n->op == IR_VAR && n->a == x->loop.counted.var;
}

static bool read_condition(const struct every *x, ir_expr e, struct condition *out) {
    const struct ir_unit *u = x->u;
    const struct ir_node *n = &u->nodes[e];
    uint32_t rest, modulus;
    if (n->op == IR_NOT) {
        if (!read_condition(x, n->a, out)) return false;
        out->negated = !out->negated;
        return true;
    }
    if ((n->op != IR_EQ && n->op != IR_NE) || !ir_is_const(u, n->b, &rest)) return false;
    const struct ir_node *rem = &u->nodes[n->a];
    if (rem->op != IR_REM || rem->type != IR_I32 || !ir_is_const(u, rem->b, &modulus) || modulus < 2 ||
        modulus > PASS_EVERY_PERIOD || !is_counter(x, rem->a, &out->add) || x->lo + out->add < 0)
        return false;
    out->modulus = modulus;
    out->rest = rest;
    out->negated = n->op == IR_NE;
    return true;
}

static bool holds(const struct every *x, const struct condition *c, uint32_t pass) {
    return ((uint64_t)(x->lo + c->add + pass * x->step) % c->modulus == c->rest) != c->negated;
}

static bool is_plain(const struct every *x, uint32_t pass) {
    for (uint32_t i = 0; i < x->count; i++)
        if (holds(x, &x->list[i], pass)) return false;
    return true;
}

static bool find_conditions(struct every *x) {
    const struct ir_unit *u = x->u;
    x->count = 0;
    x->period = 1;
    x->leads = x->trails = false;
    for (ir_stmt s = x->loop.counted.body; s; s = u->stmts[s].next) {
        const struct ir_stmt_node *n = &u->stmts[s];
        struct condition c = {.branch = s};
        if (n->kind != IR_IF || n->branch.else_block || !pass_has_parallel(u, n->branch.then_block) ||
            x->count == PASS_EVERY_CONDITIONS || !read_condition(x, n->branch.cond, &c))
            continue;
        uint64_t all = pass_least_passes(x->period, (uint64_t)x->step, c.modulus);
        if (all > PASS_EVERY_PERIOD) continue;
        x->period = (uint32_t)all;
        x->list[x->count++] = c;
    }
    uint32_t sometimes = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        ir_stmt branch = x->list[i].branch;
        bool ever = false;
        for (uint32_t k = 0; k < x->period && !ever; k++)
            ever = holds(x, &x->list[i], k);
        sometimes += ever;
        x->leads |= ever && branch == x->loop.counted.body;
        x->trails |= ever && !u->stmts[branch].next;
    }
    x->leads &= sometimes == 1;
    x->trails &= sometimes == 1 && !x->leads;
    return x->count > 0;
}

// ---- the passes -----------------------------------------------------------------------------------------------------

// A copy of the body for the pass of that counter, without branches whose conditions do not hold there; which: 1 what
// is done in this pass alone, 2 the rest.
static ir_stmt copy_pass(const struct every *x, uint32_t pass, ir_expr counter, unsigned which) {
    struct ir_unit *u = x->u;
    ir_stmt body = 0;
    for (ir_stmt s = x->loop.counted.body; s; s = u->stmts[s].next) {
        const struct condition *c = NULL;
        for (uint32_t i = 0; i < x->count; i++)
            if (x->list[i].branch == s) c = &x->list[i];
        if (c ? !(which & 1) || !holds(x, c, pass) : !(which & 2)) continue;
        ir_stmt then = c ? u->stmts[s].branch.then_block : 0;
        ir_append(u, &body, c ? ir_clone_block(u, then, NULL, NULL) : pass_clone_one(u, s));
    }
    body = pass_copy_phases(u, body);
    pass_substitute(u, body, x->loop.counted.var, counter);
    return body;
}

static ir_expr plus(struct ir_unit *u, ir_expr e, int64_t c) {
    enum ir_type type = (enum ir_type)u->nodes[e].type;
    return c ? ir_op2(u, IR_ADD, e, ir_const(u, type, (uint32_t)c), u->nodes[e].loc) : e;
}

static ir_stmt new_loop(const struct every *x, const char *name, uint32_t trips, ir_var *var) {
    struct ir_unit *u = x->u;
    ir_stmt s = ir_add_stmt(u, IR_FOR, x->loop.loc);
    *var = ir_add_var(u, name, IR_I32, IR_VAR_ENTRY, x->loop.loc);
    u->stmts[s].counted.var = *var;
    u->stmts[s].counted.lo = ir_const_i32(u, 0);
    u->stmts[s].counted.hi = ir_const_i32(u, (int32_t)trips);
    u->stmts[s].counted.step = 1;
    return s;
}

// Passes [from, to); `base` is the counter of pass 0. What the conditions ask for is done elsewhere.
static ir_stmt plain_passes(const struct every *x, uint32_t from, uint32_t to, ir_expr base) {
    struct ir_unit *u = x->u;
    if (from == to) return 0;
    if (to - from == 1) return copy_pass(x, from, plus(u, base, from * x->step), 2);
    ir_var j;
    ir_stmt s = new_loop(x, u->vars[x->loop.counted.var].name, to - from, &j);
    ir_expr moved = ir_var_read(u, j, x->loop.loc);
    if (x->step != 1) moved = ir_op2(u, IR_MUL, moved, ir_const_i32(u, (int32_t)x->step), x->loop.loc);
    ir_expr counter = ir_op2(u, IR_ADD, plus(u, base, from * x->step), moved, x->loop.loc);
    ir_stmt body = copy_pass(x, from, counter, 2);
    u->stmts[s].counted.body = body;
    u->stmts[s].counted.unroll = x->loop.counted.unroll;
    return s;
}

// The passes [0, end) of a period.
static ir_stmt passes(const struct every *x, uint32_t end, ir_expr base) {
    struct ir_unit *u = x->u;
    ir_stmt out = 0;
    uint32_t from = 0;
    for (uint32_t k = 0; k < end; k++) {
        if (is_plain(x, k)) continue;
        ir_append(u, &out, plain_passes(x, from, x->trails ? k + 1 : k, base));
        ir_append(u, &out, copy_pass(x, k, plus(u, base, k * x->step), x->leads || x->trails ? 1 : 3));
        from = x->leads ? k : k + 1;
    }
    ir_append(u, &out, plain_passes(x, from, end, base));
    return out;
}

static ir_stmt split(void *user, ir_stmt done, ir_stmt s) {
    struct every *x = user;
    struct ir_unit *u = x->u;
    uint64_t trips;
    uint32_t lo, special = 0;
    (void)done;
    x->loop = u->stmts[s];
    if (x->loop.kind != IR_FOR || x->loop.counted.step < 1 || u->vars[x->loop.counted.var].type != IR_I32 ||
        !ir_const_trips(u, s, &trips) || !ir_is_const(u, x->loop.counted.lo, &lo) || trips > INT32_MAX ||
        pass_leaves_loop(u, x->loop.counted.body))
        return s;
    x->lo = (int32_t)lo;
    x->step = x->loop.counted.step;
    if (!find_conditions(x)) return s;
    for (uint32_t k = 0; k < x->period; k++)
        special += !is_plain(x, k);
    // each of them stands between two loops, and all that once more in the passes that are left
    if (!special || special > PASS_EVERY_SPECIAL || x->period < 4 * special || trips < 2 * (uint64_t)x->period ||
        (4 * special + 2) * pass_size(u, x->loop.counted.body) > PASS_MOST_PHASE_COPIES)
        return s;
    uint32_t rounds = (uint32_t)(trips / x->period), rest = (uint32_t)(trips % x->period);
    ir_var round;
    ir_stmt out = new_loop(x, "round", rounds, &round);
    ir_expr base = ir_op2(u, IR_MUL, ir_var_read(u, round, x->loop.loc),
                          ir_const_i32(u, (int32_t)(x->period * x->step)), x->loop.loc);
    ir_stmt body = passes(x, x->period, plus(u, base, x->lo));
    u->stmts[out].counted.body = body;
    ir_append(u, &out, passes(x, rest, ir_const_i32(u, (int32_t)(x->lo + (int64_t)rounds * x->period * x->step))));
    base_text_format(x->p->explain,
                     "every: what the loop at line %u does in %u of %u passes alone stands between loops\n",
                     u->cx->locs[x->loop.loc].line, special, x->period);
    return out;
}

void pass_every(struct pass_cx *p) {
    struct every x = {.p = p, .u = p->u};
    uint32_t before = p->u->stmt_count;
    struct pass_rewriter splitting = {.u = p->u, .user = &x, .phases = true, .replace = split};
    p->u->root = pass_rewrite_block(&splitting, p->u->root);
    if (p->u->stmt_count != before) pass_fold(p);
}
