// Expressions of the plan, which the host evaluates in 64 bits: they come to what the device has in 32.
//
// A signed sum that does not fit is no program of C, an unsigned one wraps around, and so does what is converted from
// one to the other. Of those the remainder is taken, unless the operands say that it is the value itself.
#include <math.h>

#include "compile/build.h"

enum { MOST_NODES = 1000 }; // less than a plan allows, for there is more around it
static const int64_t two_32 = (int64_t)1 << 32;

// ---- between what an expression is ----------------------------------------------------------------------------------

struct bounds {
    double lo, hi; // near enough: what they are compared with is far from where they are not exact
};

static struct bounds corners(double a, double b, double c, double d) {
    return (struct bounds){fmin(fmin(a, b), fmin(c, d)), fmax(fmax(a, b), fmax(c, d))};
}

static struct bounds bounds_of(const struct plan *p, plan_expr e) {
    const struct plan_expr_node *n = &p->exprs[e];
    if (n->op == PLAN_CONST) return (struct bounds){(double)n->value, (double)n->value};
    if (n->op == PLAN_SCALAR)
        return p->scalars[n->a].dtype == WHORL_U32 ? (struct bounds){0, UINT32_MAX}
                                                   : (struct bounds){INT32_MIN, INT32_MAX};
    struct bounds a = bounds_of(p, n->a), b = bounds_of(p, n->b);
    double most = fmax(fabs(b.lo), fabs(b.hi)) - 1; // of a remainder
    switch (n->op) {
    case PLAN_ADD: return (struct bounds){a.lo + b.lo, a.hi + b.hi};
    case PLAN_SUB: return (struct bounds){a.lo - b.hi, a.hi - b.lo};
    case PLAN_MUL: return corners(a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi);
    case PLAN_DIV: return corners(a.lo, a.hi, b.lo < 0 ? -a.lo : 0, b.lo < 0 ? -a.hi : 0);
    case PLAN_REM: return (struct bounds){fmax(fmin(a.lo, 0), -most), fmin(fmax(a.hi, 0), most)};
    case PLAN_MIN: return (struct bounds){fmin(a.lo, b.lo), fmin(a.hi, b.hi)};
    default: return (struct bounds){fmax(a.lo, b.lo), fmax(a.hi, b.hi)};
    }
}

static bool fits(const struct plan *p, plan_expr e, double lo, double hi) {
    struct bounds b = bounds_of(p, e);
    return b.lo >= lo && b.hi <= hi;
}

// ---- 32 bits --------------------------------------------------------------------------------------------------------

static plan_expr with(struct compile_builder *b, enum plan_op op, plan_expr e, int64_t value) {
    return plan_op(b->cx, b->plan, op, e, plan_const(b->cx, b->plan, value));
}

// e modulo 2^32.
static plan_expr as_u32(struct compile_builder *b, plan_expr e) {
    if (fits(b->plan, e, 0, UINT32_MAX)) return e;
    if (!fits(b->plan, e, -(double)two_32, 2.0 * UINT32_MAX)) e = with(b, PLAN_REM, e, two_32);
    if (!fits(b->plan, e, 0, INFINITY)) e = with(b, PLAN_ADD, e, two_32);
    return with(b, PLAN_REM, e, two_32);
}

// The signed number with the bits of e, which is unsigned.
static plan_expr as_i32(struct compile_builder *b, plan_expr e) {
    if (fits(b->plan, e, INT32_MIN, INT32_MAX)) return e;
    e = with(b, PLAN_REM, with(b, PLAN_ADD, e, two_32 / 2), two_32);
    return with(b, PLAN_SUB, e, two_32 / 2);
}

static plan_expr of_type(struct compile_builder *b, uint8_t type, plan_expr e) {
    return type == IR_U32 ? as_u32(b, e) : e;
}

// Nodes of the expression written out as a tree, up to `most`.
static uint32_t size_of(const struct plan *p, plan_expr e, uint32_t most) {
    const struct plan_expr_node *n = &p->exprs[e];
    if (most <= 1 || n->op == PLAN_CONST || n->op == PLAN_SCALAR) return 1;
    uint32_t left = size_of(p, n->a, most - 1);
    return 1 + left + (left < most - 1 ? size_of(p, n->b, most - 1 - left) : 0);
}

// Of unsigned numbers, modulo 2^32. The halves of the second one are multiplied on their own where all may not fit:
// then both operands stand there twice.
static plan_expr product(struct compile_builder *b, plan_expr x, plan_expr y, base_loc loc) {
    struct plan *p = b->plan;
    plan_expr whole = plan_op(b->cx, p, PLAN_MUL, x, y);
    if (fits(p, whole, 0, (double)((int64_t)1 << 53))) return as_u32(b, whole);
    if (size_of(p, whole, MOST_NODES) >= MOST_NODES)
        base_unsupported(b->cx, loc, "this arithmetic of unsigned numbers is too long to be done before the run");
    plan_expr low = plan_op(b->cx, p, PLAN_MUL, x, with(b, PLAN_REM, y, 1 << 16)),
              high = plan_op(b->cx, p, PLAN_MUL, x, with(b, PLAN_DIV, y, 1 << 16));
    high = with(b, PLAN_MUL, with(b, PLAN_REM, high, 1 << 16), 1 << 16);
    return as_u32(b, plan_op(b->cx, p, PLAN_ADD, low, high));
}

// ---- from the IR ----------------------------------------------------------------------------------------------------

static plan_expr scalar_expr(struct compile_builder *b, struct compile_rung *r, ir_var v) {
    struct plan *p = b->plan;
    if (r->scalar_index[v] != UINT32_MAX) return plan_op(b->cx, p, PLAN_SCALAR, r->scalar_index[v], 0);
    if (r->state_scalar[v] == UINT32_MAX) { // its word is known when all kernels are
        const struct ir_var_info *info = &r->unit->vars[v];
        BASE_RESERVE(b->cx, p->scalars, p->scalar_count, p->scalar_cap);
        p->scalars[p->scalar_count] =
            (struct plan_scalar){.name = base_format(b->cx, "%s.%u", info->name, p->scalar_count),
                                 .kind = PLAN_STATE,
                                 .dtype = info->type == IR_U32 ? WHORL_U32 : WHORL_I32};
        r->state_scalar[v] = p->scalar_count++;
    }
    return plan_op(b->cx, p, PLAN_SCALAR, r->state_scalar[v], 0);
}

plan_expr compile_plan_expr(struct compile_builder *b, struct compile_rung *r, const struct ir_unit *u, ir_expr e,
                            base_loc loc) {
    const struct ir_node n = u->nodes[e];
    struct plan *p = b->plan;
    enum plan_op op;
    switch (n.op) {
    case IR_CONST: return plan_const(b->cx, p, n.type == IR_U32 ? (int64_t)n.a : (int64_t)(int32_t)n.a);
    case IR_VAR: return scalar_expr(b, r, n.a);
    case IR_I2U: return as_u32(b, compile_plan_expr(b, r, u, n.a, loc));
    case IR_U2I: return as_i32(b, compile_plan_expr(b, r, u, n.a, loc));
    case IR_NEG:
        return of_type(b, n.type,
                       plan_op(b->cx, p, PLAN_SUB, plan_const(b->cx, p, 0), compile_plan_expr(b, r, u, n.a, loc)));
    case IR_ADD: op = PLAN_ADD; break;
    case IR_SUB: op = PLAN_SUB; break;
    case IR_MUL: op = PLAN_MUL; break;
    case IR_DIV: op = PLAN_DIV; break;
    case IR_REM: op = PLAN_REM; break;
    case IR_MIN: op = PLAN_MIN; break;
    case IR_MAX: op = PLAN_MAX; break;
    default:
        base_unsupported(b->cx, loc ? loc : n.loc,
                         "array sizes must be arithmetic (+ - * / %% min max) over constants and scalars known before "
                         "the run; of scalars that are compiled in, without --uniform, they may be anything");
    }
    plan_expr left = compile_plan_expr(b, r, u, n.a, loc), right = compile_plan_expr(b, r, u, n.b, loc);
    if (n.type == IR_U32 && op == PLAN_MUL) return product(b, left, right, loc ? loc : n.loc);
    return of_type(b, n.type, plan_op(b->cx, p, op, left, right));
}
