// What C rounds twice, a driver may compute at once, as if floats were real numbers: all three that were tried do.
//
//   x * 3.3f / 7.7f              becomes  x * 0.428571433f
//   t = sum + y; t - sum         becomes  y, and so what a compensated sum adds up becomes 0
//
// The one decides otherwise where a value lies on a border, as places of a grid do; the other undoes what the program
// is written for. They fuse products with additions, too, as C's compilers may, which matters where the product is one
// of two constants. So the inner result is used as a HOLD, of which no compiler knows what it is made of. Of a division
// it is the divisor: by a constant that they know, drivers multiply with its reciprocal, which is rounded, too; and the
// quotient is made as C has it (whorl_divide), as WGSL promises no more than a few units in the last place.
//
// The law: it is one operation more. It is left out where the two constants make an exact one and either is a power of
// two, so that all is rounded once; and with --fast-math, which asks for no such care.
#include <math.h>
#include <string.h>

#include "pass/cost.h"
#include "pass/passes.h"

struct rounding {
    struct ir_unit *u;
    const ir_expr *made; // by variable (ir_definitions)
    uint8_t *products;   // by variable, an enum answer: is_held_product of what it is made of
    uint32_t held;
};
enum answer { NOT_ASKED, NO, YES };

// What the operand is made of, where a variable has its name.
static const struct ir_node *made_of(const struct rounding *r, ir_expr e) {
    const struct ir_node *n = &r->u->nodes[e];
    if (n->op == IR_VAR && r->made[n->a]) n = &r->u->nodes[r->made[n->a]];
    return n;
}

// ---- two constants --------------------------------------------------------------------------------------------------

static ir_expr without_hold(const struct rounding *r, ir_expr e) {
    return r->u->nodes[e].op == IR_HOLD ? r->u->nodes[e].a : e;
}

// Also a divisor that is held by now.
static bool constant(const struct rounding *r, ir_expr e, double *out) {
    uint32_t bits;
    float value;
    if (!ir_is_const(r->u, without_hold(r, e), &bits)) return false;
    memcpy(&value, &bits, sizeof value);
    *out = value;
    return isfinite(value);
}

static bool is_power(double c) {
    int exponent;
    return fabs(frexp(c, &exponent)) == 0.5;
}

// A constant and something else: *other, and whether the constant is on the right.
static bool has_constant(const struct rounding *r, const struct ir_node *n, ir_expr *out_other, double *out_c,
                         bool *out_right) {
    *out_right = constant(r, n->b, out_c);
    *out_other = *out_right ? n->a : n->b;
    return *out_right || constant(r, n->a, out_c);
}

// An exact number, which one operation with x is rounded by as both are.
static bool is_exact(double one) { return (double)(float)one == one && isfinite(one); }

// (x * inner) or (x / inner), and then * outer or / outer.
static bool is_one_rounding(double inner, bool divided, double outer, bool divides) {
    if (!is_power(inner) && !is_power(outer)) return false;
    if (divided == divides) return is_exact(inner * outer);
    double up = divided ? outer : inner, down = divided ? inner : outer, one = up / down;
    return is_exact(one) && one * down == up;
}

// The operand that a driver would make one with this one's constant; 0: there is none. Behind a factor that is a power
// of two, which rounds nothing, another one may stand.
static ir_expr with_constant(const struct rounding *r, const struct ir_node *n) {
    ir_expr other, inner;
    double c, d;
    bool right, inner_right, product = n->op == IR_MUL || n->op == IR_DIV;
    if (!has_constant(r, n, &other, &c, &right)) return 0;
    bool over = n->op == IR_DIV && !right; // a constant over something
    inner = other;
    for (int powers = 0; powers < PASS_HOLD_POWERS; powers++) {
        const struct ir_node *m = made_of(r, inner);
        bool same_kind = product ? m->op == IR_MUL || m->op == IR_DIV : m->op == IR_ADD || m->op == IR_SUB;
        if (!same_kind || m->type != IR_F32 || !has_constant(r, m, &inner, &d, &inner_right)) return 0;
        bool inner_over = m->op == IR_DIV && !inner_right;
        bool once = over         ? !inner_over && is_power(d)
                    : inner_over ? is_power(c)
                                 : is_one_rounding(d, m->op == IR_DIV, c, n->op == IR_DIV);
        if (!product || !once) return other;
        if (!is_power(d) || inner_over) return 0;
    }
    return 0;
}

// ---- what cancels ---------------------------------------------------------------------------------------------------

// The same, whatever of the two is held by now.
static bool is_same(const struct rounding *r, ir_expr a, ir_expr b) {
    a = without_hold(r, a), b = without_hold(r, b);
    const struct ir_node *x = &r->u->nodes[a], *y = &r->u->nodes[b];
    if (x->op == IR_LOAD || ir_ops[x->op].arity == 0 || x->op != y->op || x->type != y->type)
        return ir_same_expr(r->u, a, b);
    uint32_t ours[] = {x->a, x->b, x->c}, theirs[] = {y->a, y->b, y->c};
    bool same = true;
    for (uint32_t i = 0; i < ir_ops[x->op].arity && same; i++)
        same = is_same(r, ours[i], theirs[i]);
    return same;
}

// The operand, a sum or a difference, in which the other one cancels: its sign there, and that of the operand itself.
static bool cancels(const struct rounding *r, ir_expr sum, bool sum_minus, ir_expr other, bool other_minus) {
    const struct ir_node *m = made_of(r, sum);
    if (m->type != IR_F32 || (m->op != IR_ADD && m->op != IR_SUB)) return false;
    bool first = sum_minus, second = sum_minus != (m->op == IR_SUB);
    return (is_same(r, m->a, other) && first != other_minus) || (is_same(r, m->b, other) && second != other_minus);
}

static ir_expr hold(struct rounding *r, ir_expr e) {
    r->held++;
    return ir_op1(r->u, IR_HOLD, e, r->u->nodes[e].loc);
}

// The operation with the operand held, one of two constants'. Of a division by a constant that is the divisor.
static ir_expr with_held(struct rounding *r, const struct ir_node *n, ir_expr operand) {
    struct ir_unit *u = r->u;
    const struct ir_node m = u->nodes[operand];
    double c;
    ir_expr a = n->a, b = n->b, now = operand;
    bool divides = n->op == IR_DIV && constant(r, b, &c);
    bool divided = m.op == IR_DIV && constant(r, m.b, &c), is_held = divided && u->nodes[m.b].op == IR_HOLD;
    if (divided && !is_held && !is_power(c))
        now = ir_op2(u, IR_DIV, m.a, hold(r, m.b), m.loc);
    else if (!is_held && !divides)
        now = hold(r, operand);
    if (a == operand) a = now;
    if (b == operand) b = now;
    return ir_op2(u, (enum ir_op)n->op, a, divides ? hold(r, b) : b, n->loc);
}

static bool is_held_product(const struct rounding *r, ir_expr e);

static bool is_product_of_held(const struct rounding *r, const struct ir_node *m) {
    if (m->op != IR_MUL || m->type != IR_F32) return false;
    const struct ir_node *a = &r->u->nodes[m->a], *b = &r->u->nodes[m->b];
    bool divided =
        (a->op == IR_DIV && r->u->nodes[a->b].op == IR_HOLD) || (b->op == IR_DIV && r->u->nodes[b->b].op == IR_HOLD);
    return divided || a->op == IR_HOLD || b->op == IR_HOLD || with_constant(r, m) || is_held_product(r, m->a) ||
           is_held_product(r, m->b);
}

// A product of two constants and something else, which rounds twice: as an operand of a sum it would round with that.
// A variable is asked once: in a chain of squares each is twice in the next.
static bool is_held_product(const struct rounding *r, ir_expr e) {
    const struct ir_node *n = &r->u->nodes[e];
    uint8_t once = NOT_ASKED, *known = n->op == IR_VAR ? &r->products[n->a] : &once;
    if (*known != NOT_ASKED) return *known == YES;
    *known = NO; // a variable that nobody has set before may be made of itself
    *known = is_product_of_held(r, made_of(r, e)) ? YES : NO;
    return *known == YES;
}

static ir_expr on_expr(void *user, ir_expr e) {
    struct rounding *r = user;
    const struct ir_node n = r->u->nodes[e];
    if (n.type != IR_F32 || (n.op != IR_ADD && n.op != IR_SUB && n.op != IR_MUL && n.op != IR_DIV)) return e;
    bool minus = n.op == IR_SUB, sum = minus || n.op == IR_ADD;
    ir_expr held = with_constant(r, &n);
    if (held) return with_held(r, &n, held);
    if (!sum) return e;
    bool first = cancels(r, n.a, false, n.b, minus), second = !first && cancels(r, n.b, minus, n.a, false);
    first |= is_held_product(r, n.a), second |= is_held_product(r, n.b);
    if (!first && !second) return e;
    return ir_op2(r->u, (enum ir_op)n.op, first ? hold(r, n.a) : n.a, second ? hold(r, n.b) : n.b, n.loc);
}

void pass_hold_rounding(struct pass_cx *p) {
    struct ir_unit *units[] = {p->u, p->tree};
    if (p->target->fast_math) return;
    for (int k = 0; k < 2 && units[k]; k++) {
        struct ir_unit *u = units[k];
        struct rounding r = {.u = u, .made = ir_definitions(u, u->root, false)};
        r.products = base_alloc_array(u->cx, u->var_count, sizeof *r.products);
        ir_map_block(u, u->root, on_expr, &r);
        if (k == 0 && r.held)
            base_text_format(p->explain, "hold_rounding: %u result%s round%s as C does\n", r.held, base_s(r.held),
                             r.held == 1 ? "s" : "");
    }
}
