// Two short loops, one in the other, as one loop that lanes share:
//
//   for (i < 12) for (j < 12) c[i][j] = ...;      becomes      for (p < 144) { i = p / 12; j = p % 12; c[i][j] = ...; }
//
//   for (i < 29) for (j = i + 1; j < 30; j++) B   becomes      for (p < 841) {
//                                                                  i = p / 29;  j = i + 1 + p % 29;
//                                                                  if (j < 30) B
//                                                              }
//
// Lanes that shared the outer loop would be more than it has passes, or it would be too short for any, and the longest
// of its passes would be one lane's.
//
// The law: the outer loop runs from one constant to another, and its counter tells from where to where the inner one
// does, which is all that stands in it, but for what each of its passes may set again in front of it; so the passes
// keep their order. At most half of the passes are left out. That they do not need each other is the caller's to know:
// neither those of the outer loop, nor those of the inner one.
#include "pass/cost.h"
#include "pass/passes.h"

struct two {
    struct ir_unit *u;
    ir_stmt outer, inner;
    uint64_t rows, passes; // of the outer loop; of the longest of the inner ones
    bool alike;            // all of these make as many
};

// Variables whose values in a pass of the outer loop are known: its counter, and what is set in front of the inner one.
enum { KNOWN = 8 };
struct known {
    struct {
        ir_var var;
        uint32_t value;
    } list[KNOWN];
    uint32_t count;
};

static bool is_plain(const struct ir_unit *u, ir_stmt s) {
    const struct ir_stmt_node *n = &u->stmts[s];
    return n->kind == IR_FOR && !(n->flags & (IR_FLAG_SIMD | IR_FLAG_LANES)) && u->vars[n->counted.var].type == IR_I32;
}

static bool value_of(void *user, ir_var v, uint32_t *out) {
    const struct known *k = user;
    for (uint32_t i = k->count; i-- > 0;)
        if (k->list[i].var == v) {
            *out = k->list[i].value;
            return true;
        }
    return false;
}

static void note(struct known *k, ir_var v, uint32_t value) {
    k->list[k->count].var = v;
    k->list[k->count++].value = value;
}

static void forget(struct known *k, ir_var v) {
    for (uint32_t i = k->count; i-- > 0;)
        if (k->list[i].var == v) k->list[i] = k->list[--k->count];
}

// Passes of the inner loop in this pass of the outer one.
static bool passes_in(const struct two *x, int64_t row, uint64_t *out) {
    struct ir_unit *u = x->u;
    const struct ir_stmt_node *outer = &u->stmts[x->outer], *inner = &u->stmts[x->inner];
    int64_t step = inner->counted.step;
    struct known known = {.count = 0};
    uint32_t lo, hi, value;
    if (!ir_is_const(u, outer->counted.lo, &lo)) return false;
    note(&known, outer->counted.var, lo + (uint32_t)(row * outer->counted.step));
    for (ir_stmt s = outer->counted.body; s != x->inner; s = u->stmts[s].next) {
        bool is_known = pass_evaluate(u, u->stmts[s].assign.value, value_of, &known, &value);
        forget(&known, u->stmts[s].assign.var);
        if (is_known && known.count < KNOWN) note(&known, u->stmts[s].assign.var, value);
    }
    if (!pass_evaluate(u, inner->counted.lo, value_of, &known, &lo) ||
        !pass_evaluate(u, inner->counted.hi, value_of, &known, &hi))
        return false;
    int64_t way = (int64_t)(int32_t)hi - (int32_t)lo, each = step < 0 ? -step : step;
    if (step < 0) way = -way;
    *out = way <= 0 ? 0 : (uint64_t)((way + each - 1) / each);
    return true;
}

static bool find_lengths(struct two *x) {
    uint64_t all = 0, passes;
    x->alike = true;
    for (uint64_t row = 0; row < x->rows; row++) {
        if (!passes_in(x, (int64_t)row, &passes)) return false;
        x->alike &= row == 0 || passes == x->passes;
        if (row == 0 || passes > x->passes) x->passes = passes;
        all += passes;
    }
    return all && x->rows * x->passes <= PASS_MOST_INDEXED && 2 * all >= x->rows * x->passes;
}

// Each pass of the inner loop may make it again.
static bool is_head(struct ir_unit *u, ir_stmt s, const struct ir_effects *inner) {
    struct ir_effects fx = ir_effects_of_one(u, s);
    return u->stmts[s].kind == IR_ASSIGN && !u->stmts[s].flags && !ir_reads_written(&fx, &fx) &&
           !ir_reads_written(&fx, inner) && !ir_sets_meet(fx.vars_written, inner->vars_written, fx.var_words);
}

static bool find(struct two *x, struct ir_unit *u, ir_stmt loop) {
    *x = (struct two){.u = u, .outer = loop};
    if (!is_plain(u, loop) || !ir_const_trips(u, loop, &x->rows) || !x->rows || x->rows > PASS_MERGE_MOST) return false;
    ir_stmt first = u->stmts[loop].counted.body;
    x->inner = first;
    while (x->inner && u->stmts[x->inner].next)
        x->inner = u->stmts[x->inner].next;
    if (!x->inner || !is_plain(u, x->inner)) return false;
    struct ir_effects fx = ir_effects_of(u, x->inner);
    for (ir_stmt s = first; s != x->inner; s = u->stmts[s].next)
        if (!is_head(u, s, &fx)) return false;
    return find_lengths(x);
}

ir_stmt pass_merge_inner(struct ir_unit *u, ir_stmt loop, uint64_t *out_passes) {
    struct two x;
    if (!find(&x, u, loop)) return 0;
    *out_passes = x.rows * x.passes;
    return x.inner;
}

static ir_stmt set_counter(struct ir_unit *u, const struct ir_stmt_node *loop, ir_expr pass) {
    ir_expr step = ir_const_i32(u, loop->counted.step);
    if (loop->counted.step != 1) pass = ir_op2(u, IR_MUL, pass, step, loop->loc);
    return ir_assign(u, loop->counted.var, ir_op2(u, IR_ADD, loop->counted.lo, pass, loop->loc), loop->loc);
}

void pass_merge(struct ir_unit *u, ir_stmt loop) {
    struct two x;
    if (!find(&x, u, loop)) return;
    const struct ir_stmt_node outer = u->stmts[loop], inner = u->stmts[x.inner];
    ir_var v = ir_add_var(u, "pass", IR_I32, IR_VAR_LOCAL, outer.loc);
    ir_expr pass = ir_var_read(u, v, outer.loc), width = ir_const_i32(u, (int32_t)x.passes);
    ir_stmt body = set_counter(u, &outer, ir_op2(u, IR_DIV, pass, width, outer.loc)), rest = inner.counted.body;
    for (ir_stmt s = outer.counted.body; s != x.inner; s = u->stmts[s].next)
        ir_append(u, &body, pass_clone_one(u, s));
    ir_append(u, &body, set_counter(u, &inner, ir_op2(u, IR_REM, pass, width, outer.loc)));
    if (!x.alike) {
        ir_expr at = ir_var_read(u, inner.counted.var, inner.loc);
        rest = ir_if(u, ir_op2(u, inner.counted.step > 0 ? IR_LT : IR_GT, at, inner.counted.hi, inner.loc), rest, 0,
                     inner.loc);
    }
    ir_append(u, &body, rest);
    ir_expr zero = ir_const_i32(u, 0), end = ir_const_i32(u, (int32_t)(x.rows * x.passes));
    struct ir_stmt_node *n = &u->stmts[loop];
    n->counted.var = v;
    n->counted.lo = zero;
    n->counted.hi = end;
    n->counted.step = 1;
    n->counted.body = body;
}
