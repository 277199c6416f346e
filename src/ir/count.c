// How much arithmetic a program asks for: the operations of its text times the passes of the loops around them.
// Subscripts, comparisons, conversions and copies are free, a function of math.h is one operation. It is what a
// roofline sets against time, so nothing is counted twice for being computed twice: the unit is taken as lowered,
// before any pass.
//
// The one hard idea: bounds may name variables around them. A loop's variable stands for its mean, which is exact for
// bounds that are linear in it; what cannot be known (a while, a break, branches of different lengths) makes the count
// an estimate, and that is said: an unknown loop counts as one pass, of two branches the longer counts.
#include <math.h>

#include "ir/ir.h"

struct counter {
    const struct ir_unit *u;
    double *values; // of each variable; NaN: unknown
    struct ir_work *work;
    double times; // passes of what is being looked at
};

static void add_work(struct ir_work *io, const struct ir_work *more) {
    io->float_ops += more->float_ops;
    io->functions += more->functions;
    io->integer_ops += more->integer_ops;
    io->is_exact &= more->is_exact;
}

static double total(const struct ir_work *w) { return w->float_ops + w->functions + w->integer_ops; }

// ---- expressions ----

static bool count_node(void *user, ir_expr e) {
    struct counter *c = user;
    const struct ir_node *node = &c->u->nodes[e];
    double *operations = node->type == IR_F32 ? &c->work->float_ops : &c->work->integer_ops;
    switch (ir_ops[node->op].work) {
    case IR_WORK_ONE: *operations += c->times; break;
    case IR_WORK_TWO: *operations += 2 * c->times; break;
    case IR_WORK_CALL: c->work->functions += c->times; break;
    default: break;
    }
    if (node->op == IR_LOAD) return false; // subscripts are addresses
    return true;
}

static void count_expr(struct counter *c, ir_expr e) {
    if (e) ir_walk_expr(c->u, e, count_node, c);
}

// The value of a bound, as far as it is known: constants, variables and the arithmetic of indices.
static double value_of(const struct counter *c, ir_expr e) {
    const struct ir_node *node = &c->u->nodes[e];
    double a, b;
    switch (node->op) {
    case IR_CONST:
        return node->type == IR_I32 ? (double)(int32_t)node->a : node->type == IR_U32 ? (double)node->a : (double)NAN;
    case IR_VAR: return c->values[node->a];
    case IR_I2U:
    case IR_U2I: return value_of(c, node->a);
    case IR_ADD: return value_of(c, node->a) + value_of(c, node->b);
    case IR_SUB: return value_of(c, node->a) - value_of(c, node->b);
    case IR_MUL: return value_of(c, node->a) * value_of(c, node->b);
    case IR_DIV: a = value_of(c, node->a), b = value_of(c, node->b); return b == 0 ? (double)NAN : trunc(a / b);
    case IR_MIN: a = value_of(c, node->a), b = value_of(c, node->b); return a < b ? a : a >= b ? b : (double)NAN;
    case IR_MAX: a = value_of(c, node->a), b = value_of(c, node->b); return a > b ? a : a <= b ? b : (double)NAN;
    default: return (double)NAN;
    }
}

// Passes from lo to hi, and the mean of the variable over them; 1 pass where that is not known.
static double passes(struct counter *c, ir_var var, double lo, double hi, double step) {
    double n = (hi - lo) / step;
    if (lo == floor(lo) && hi == floor(hi)) n = ceil(n); // means of bounds keep their fraction
    if (isnan(n)) {
        c->work->is_exact = false;
        c->values[var] = (double)NAN;
        return 1;
    }
    n = n > 0 ? n : 0;
    c->values[var] = lo + step * (n - 1) / 2;
    return n;
}

// ---- statements ----

static void count_block(struct counter *c, ir_stmt block);

// What the body assigns has another value in each pass.
static void forget_written(struct counter *c, ir_stmt block) {
    struct ir_effects effects = ir_effects_of(c->u, block);
    for (ir_var v = 1; v < c->u->var_count; v++)
        if (ir_bit(effects.vars_written, v)) c->values[v] = (double)NAN;
}

static void count_body(struct counter *c, ir_stmt body, double n) {
    double times = c->times;
    c->times *= n;
    count_block(c, body);
    c->times = times;
}

static void count_if(struct counter *c, const struct ir_stmt_node *s) {
    struct ir_work branches[2] = {{.is_exact = true}, {.is_exact = true}}, *outer = c->work;
    ir_stmt blocks[2] = {s->branch.then_block, s->branch.else_block};
    count_expr(c, s->branch.cond);
    for (int k = 0; k < 2; k++) {
        c->work = &branches[k];
        count_block(c, blocks[k]);
    }
    c->work = outer;
    bool first = total(&branches[0]) > total(&branches[1]);
    if (total(&branches[0]) != total(&branches[1])) outer->is_exact = false;
    add_work(outer, &branches[first ? 0 : 1]);
    forget_written(c, s->branch.then_block);
    forget_written(c, s->branch.else_block);
}

static void count_parfor(struct counter *c, const struct ir_stmt_node *s) {
    double n = 1;
    forget_written(c, s->parfor.body);
    for (uint32_t d = 0; d < s->parfor.dim_count; d++) {
        const struct ir_dim *dim = &c->u->dims[s->parfor.dims + d];
        n *= passes(c, dim->var, value_of(c, dim->lo), value_of(c, dim->hi), dim->step);
    }
    count_body(c, s->parfor.body, n);
}

static void count_stmt(struct counter *c, const struct ir_stmt_node *s) {
    switch (s->kind) {
    case IR_ASSIGN:
        count_expr(c, s->assign.value);
        c->values[s->assign.var] = value_of(c, s->assign.value);
        break;
    case IR_STORE: count_expr(c, s->store.value); break;
    case IR_ATOMIC:
        count_expr(c, s->atomic.value);
        if (s->atomic.expected) count_expr(c, s->atomic.expected);
        *(c->u->nodes[s->atomic.value].type == IR_F32 ? &c->work->float_ops : &c->work->integer_ops) += c->times;
        if (s->atomic.old) c->values[s->atomic.old] = (double)NAN;
        break;
    case IR_IF: count_if(c, s); break;
    case IR_FOR: {
        double lo = value_of(c, s->counted.lo), hi = value_of(c, s->counted.hi);
        forget_written(c, s->counted.body);
        count_body(c, s->counted.body, passes(c, s->counted.var, lo, hi, s->counted.step));
        forget_written(c, s->counted.body);
        break;
    }
    case IR_LOOP:
        c->work->is_exact = false;
        forget_written(c, s->loop.body);
        forget_written(c, s->loop.continuing);
        count_expr(c, s->loop.cond);
        count_block(c, s->loop.body);
        count_block(c, s->loop.continuing);
        break;
    case IR_PARFOR: count_parfor(c, s); break;
    case IR_BREAK:
    case IR_CONTINUE: c->work->is_exact = false; break;
    default: break;
    }
}

static void count_block(struct counter *c, ir_stmt block) {
    for (ir_stmt s = block; s; s = c->u->stmts[s].next)
        count_stmt(c, &c->u->stmts[s]);
}

struct ir_work ir_count_work(const struct ir_unit *u) {
    struct ir_work work = {.is_exact = true};
    struct counter c = {.u = u, .work = &work, .times = 1};
    c.values = base_alloc_array(u->cx, u->var_count, sizeof *c.values);
    for (ir_var v = 0; v < u->var_count; v++)
        c.values[v] = (double)NAN;
    for (uint32_t p = 0; p < u->param_count; p++) // changeable scalars at the values of the compile
        if (!u->params[p].is_array && u->params[p].ref && u->params[p].type != IR_F32)
            c.values[u->params[p].ref] =
                u->params[p].type == IR_I32 ? (double)(int32_t)u->params[p].bits : (double)u->params[p].bits;
    count_block(&c, u->root);
    return work;
}
