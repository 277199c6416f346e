// 64-bit counters and sums whose value no single statement bounds: `count++` in a loop is at most 1000 because the loop
// ends there.
//
// A sum that may leave 32 bits by what its operands' ranges say is lowered all the same and remembered. When the whole
// program stands, each of them must be the one thing that is provable: `v = v + x`, x of a known range, in loops of
// known trip counts. Then any value that v ever has is one of the values that it was set to plus some of the
// increments, each as often as its loops run; if these ends fit in v's 32 bits, so does all between, since sums modulo
// 2^32 are exact. Everything else has two words in the next run (lower_words.c).
#include <math.h>

#include "front/lower/lower.h"

bool lower_sum_defer(struct lower *lw, ir_expr sum, struct lower_range a, struct lower_range b, base_loc loc) {
    const struct ir_node *n = &lw->u->nodes[sum];
    bool is_sum = n->op == IR_ADD || n->op == IR_SUB;
    struct lower_ident *place = lower_ident_of(lw, (const char *)lw->cx + loc);
    if (!is_sum || place->two_words || (lw->u->nodes[n->a].op != IR_VAR && lw->u->nodes[n->b].op != IR_VAR))
        return false;
    BASE_RESERVE(lw->cx, lw->sums, lw->sum_count, lw->sum_cap);
    lw->sums[lw->sum_count++] = (struct lower_sum){.node = sum, .a = a, .b = b, .place = place};
    return true;
}

// One variable at a time. Numbers are doubles: exact as long as they matter, and they do not overflow.
struct adder {
    struct lower *lw;
    struct ir_unit *u;
    uint32_t *sum_of; // by node: index into lw->sums and 1
    uint32_t *seen;   // by node: the round that met it
    uint32_t round;
    ir_var *copy_of; // by variable: of a temporary, the variable whose value it took, as in `y[n++] = 1`
    ir_var var;
    bool touched;          // what `touches` looks for
    bool reduced, unknown; // inside a loop that sums var up; nothing can be said
    double set_lo, set_hi; // of all values that it was set to
    double less, more;     // of all increments
};

static bool is_var(const struct adder *x, ir_expr e) {
    return x->u->nodes[e].op == IR_VAR && x->u->nodes[e].a == x->var;
}

// The variable, or what it held a moment ago in the same expression.
static bool is_old(const struct adder *x, ir_expr e) {
    const struct ir_node *n = &x->u->nodes[e];
    return n->op == IR_VAR && (n->a == x->var || x->copy_of[n->a] == x->var);
}

// The increment of `var = var + increment`.
static bool increment(const struct adder *x, ir_expr value, struct lower_range *out) {
    uint32_t index = x->sum_of[value];
    if (!index) return false;
    const struct lower_sum *sum = &x->lw->sums[index - 1];
    const struct ir_node *n = &x->u->nodes[value];
    if (is_old(x, n->a))
        *out = n->op == IR_ADD ? sum->b : (struct lower_range){-sum->b.hi, -sum->b.lo};
    else if (n->op == IR_ADD && is_old(x, n->b))
        *out = sum->a;
    else
        return false;
    return true;
}

// ---- where the variable lives ---------------------------------------------------------------------------------------

static bool meet(void *user, ir_expr e) {
    struct adder *x = user;
    if (x->seen[e] == x->round) return false; // trees share nodes
    x->seen[e] = x->round;
    x->touched = x->touched || is_var(x, e);
    return !x->touched;
}

static bool meet_stmt(void *user, ir_stmt s) {
    struct adder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    x->touched = x->touched || ir_written_var(n) == x->var;
    for (uint32_t i = 0; n->kind == IR_PARFOR && i < n->parfor.reduction_count; i++)
        x->touched = x->touched || x->u->reductions[n->parfor.reductions + i].var == x->var;
    return !x->touched;
}

static bool touches(struct adder *x, ir_stmt block) {
    struct ir_visitor visitor = {.on_stmt = meet_stmt, .on_node = meet, .user = x};
    x->round++;
    x->touched = false;
    ir_walk_block(x->u, block, &visitor);
    return x->touched;
}

// The same of one statement.
static bool touches_one(struct adder *x, ir_stmt s) {
    ir_stmt next = x->u->stmts[s].next;
    x->u->stmts[s].next = 0;
    bool found = touches(x, s);
    x->u->stmts[s].next = next;
    return found;
}

static double trips(struct adder *x, ir_expr lo, ir_expr hi, int32_t step) {
    struct lower_range r = lower_range_of(x->lw, lo), s = lower_range_of(x->lw, hi);
    double way = step > 0 ? (double)(s.hi - r.lo) : (double)(r.hi - s.lo);
    return way > 0 ? ceil(way / fabs((double)step)) : 0;
}

static double passes(struct adder *x, const struct ir_stmt_node *n) {
    double all = 1;
    if (n->kind == IR_FOR) return trips(x, n->counted.lo, n->counted.hi, n->counted.step);
    if (n->kind != IR_PARFOR) return INFINITY;
    for (uint32_t i = 0; i < n->parfor.dim_count; i++) {
        const struct ir_dim *dim = &x->u->dims[n->parfor.dims + i];
        all *= trips(x, dim->lo, dim->hi, dim->step);
    }
    return all;
}

// ---- adding up ------------------------------------------------------------------------------------------------------

static void set(struct adder *x, double lo, double hi) {
    x->set_lo = fmin(x->set_lo, lo);
    x->set_hi = fmax(x->set_hi, hi);
}

static void add_assign(struct adder *x, ir_expr value, double times) {
    struct lower_range r;
    if (is_var(x, value)) return;
    if (increment(x, value, &r)) {
        if (r.lo < 0) x->less += (double)r.lo * times;
        if (r.hi > 0) x->more += (double)r.hi * times;
        return;
    }
    r = lower_range_of(x->lw, value);
    set(x, (double)r.lo, (double)r.hi);
    x->unknown = x->unknown || x->reduced; // one for each iteration, and they are summed up
}

static void add_block(struct adder *x, ir_stmt block, double times) {
    for (ir_stmt s = block; s && !x->unknown; s = x->u->stmts[s].next) {
        const struct ir_stmt_node n = x->u->stmts[s];
        bool reduced = x->reduced;
        switch (n.kind) {
        case IR_ASSIGN:
            if (n.assign.var == x->var) add_assign(x, n.assign.value, times);
            break;
        case IR_IF:
            add_block(x, n.branch.then_block, times);
            add_block(x, n.branch.else_block, times);
            break;
        case IR_PARFOR:
            for (uint32_t i = 0; i < n.parfor.reduction_count; i++) {
                if (x->u->reductions[n.parfor.reductions + i].var != x->var) continue;
                x->reduced = true;
                x->unknown = x->unknown || x->u->reductions[n.parfor.reductions + i].op != IR_ADD;
                set(x, 0, 0);
            }
            add_block(x, n.parfor.body, times * passes(x, &n));
            x->reduced = reduced;
            break;
        case IR_FOR:
        case IR_LOOP:
            if (!touches_one(x, s)) break; // else 0 passes of an endless loop
            x->unknown = x->unknown || (n.kind == IR_FOR && n.counted.var == x->var);
            add_block(x, ir_body_of(&n), times * passes(x, &n));
            if (n.kind == IR_LOOP) add_block(x, n.loop.continuing, times * passes(x, &n));
            break;
        case IR_STORE: break;
        case IR_ATOMIC: x->unknown = x->unknown || n.atomic.old == x->var; break;
        default: x->unknown = x->unknown || touches_one(x, s); break;
        }
    }
}

// The innermost block with all that touches the variable. Where it begins by setting it, nothing comes from earlier
// passes of the loops around it; else they multiply.
static bool fits(struct adder *x) {
    ir_stmt block = x->u->root;
    double outer = 1;
    for (;;) {
        ir_stmt first = 0, second = 0;
        for (ir_stmt s = block; s && !second; s = x->u->stmts[s].next)
            if (touches_one(x, s)) *(first ? &second : &first) = s;
        if (!first || second) {
            block = first ? first : block;
            break;
        }
        const struct ir_stmt_node n = x->u->stmts[first];
        ir_stmt inner = n.kind == IR_IF ? (touches(x, n.branch.then_block) ? n.branch.then_block : n.branch.else_block)
                                        : ir_body_of(&n);
        struct ir_stmt_node *alone = &x->u->stmts[first]; // all of it but that block
        if (n.kind == IR_IF)
            *(inner == n.branch.then_block ? &alone->branch.then_block : &alone->branch.else_block) = 0;
        else
            ir_set_body(alone, 0);
        bool more = !inner || touches_one(x, first);
        x->u->stmts[first] = n;
        if (more) {
            block = first;
            break;
        }
        if (n.kind != IR_IF) outer *= passes(x, &n);
        block = inner;
    }
    const struct ir_stmt_node *n = &x->u->stmts[block];
    struct lower_range r, whole = lower_type_range((enum ir_type)x->u->vars[x->var].type);
    x->round++;
    x->touched = false;
    bool begins = n->kind == IR_ASSIGN && n->assign.var == x->var && !increment(x, n->assign.value, &r);
    if (begins) ir_walk_expr(x->u, n->assign.value, meet, x);
    x->set_lo = INFINITY;
    x->set_hi = -INFINITY;
    x->less = x->more = 0;
    x->reduced = x->unknown = false;
    add_block(x, block, begins && !x->touched ? 1 : outer);
    if (x->set_lo > x->set_hi) set(x, 0, 0);
    return !x->unknown && x->set_lo + x->less >= (double)whole.lo && x->set_hi + x->more <= (double)whole.hi;
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool find_copy(void *user, ir_stmt s) {
    struct adder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    if (n->kind == IR_ASSIGN && x->lw->var_stable[n->assign.var] && x->u->nodes[n->assign.value].op == IR_VAR)
        x->copy_of[n->assign.var] = x->u->nodes[n->assign.value].a;
    return true;
}

static bool find_sum(void *user, ir_expr e) {
    struct adder *x = user;
    if (x->seen[e] == x->round) return false;
    x->seen[e] = x->round;
    if (x->sum_of[e]) x->lw->sums[x->sum_of[e] - 1].elsewhere = true;
    return true;
}

// Sums that are more than a variable's next value.
static void find_sums(void *user, ir_stmt s, ir_expr e) {
    struct adder *x = user;
    const struct ir_stmt_node *n = &x->u->stmts[s];
    const struct ir_node *value = &x->u->nodes[e];
    struct lower_range r;
    x->var = n->kind == IR_ASSIGN ? n->assign.var : 0;
    if (!x->var || !increment(x, e, &r)) {
        ir_walk_expr(x->u, e, find_sum, x);
        return;
    }
    x->lw->sums[x->sum_of[e] - 1].var = x->var;
    ir_walk_expr(x->u, value->a, find_sum, x);
    ir_walk_expr(x->u, value->b, find_sum, x);
}

void lower_sum_check(struct lower *lw) {
    if (!lw->sum_count) return;
    struct adder x = {.lw = lw, .u = lw->u};
    x.sum_of = base_alloc_array(lw->cx, lw->u->node_count, sizeof *x.sum_of);
    x.seen = base_alloc_array(lw->cx, lw->u->node_count, sizeof *x.seen);
    x.copy_of = base_alloc_array(lw->cx, lw->u->var_count, sizeof *x.copy_of);
    for (uint32_t i = 0; i < lw->sum_count; i++)
        x.sum_of[lw->sums[i].node] = i + 1;
    x.round = 1;
    struct ir_visitor visitor = {.on_stmt = find_copy, .on_expr = find_sums, .user = &x};
    ir_walk_block(lw->u, lw->u->root, &visitor);
    for (uint32_t i = 0; i < lw->sum_count; i++) {
        const struct lower_sum *sum = &lw->sums[i];
        x.var = sum->var;
        if (sum->elsewhere || !sum->var || !fits(&x)) sum->place->two_words = lw->learned = true;
    }
}
