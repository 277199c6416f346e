// Expressions of a plan: sizes and counts over the plan's scalars, in checked 64-bit arithmetic.
//
// Operands always have smaller handles than the node that uses them, which is what makes a cycle impossible.
#include <string.h>

#include "plan/laws.h"

static bool add_checked(int64_t a, int64_t b, int64_t *out) {
    if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) return false;
    *out = a + b;
    return true;
}

static bool sub_checked(int64_t a, int64_t b, int64_t *out) {
    if ((b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b)) return false;
    *out = a - b;
    return true;
}

static bool mul_checked(int64_t a, int64_t b, int64_t *out) {
    if (a == 0 || b == 0) {
        *out = 0;
        return true;
    }
    if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) return false;
    if (a > 0 ? (b > 0 ? a > INT64_MAX / b : b < INT64_MIN / a) : (b > 0 ? a < INT64_MIN / b : b < INT64_MAX / a))
        return false;
    *out = a * b;
    return true;
}

static bool apply(enum plan_op op, int64_t a, int64_t b, int64_t *out) {
    switch (op) {
    case PLAN_ADD: return add_checked(a, b, out);
    case PLAN_SUB: return sub_checked(a, b, out);
    case PLAN_MUL: return mul_checked(a, b, out);
    case PLAN_DIV:
    case PLAN_REM:
        if (b == 0 || (a == INT64_MIN && b == -1)) return false;
        *out = op == PLAN_DIV ? a / b : a % b; // towards zero, as C
        return true;
    case PLAN_MIN: *out = a < b ? a : b; return true;
    case PLAN_MAX: *out = a > b ? a : b; return true;
    default: return false;
    }
}

static plan_expr add_node(struct base_cx *cx, struct plan *p, struct plan_expr_node node) {
    if (p->expr_count == 0) { // handle 0 is "none"
        BASE_RESERVE(cx, p->exprs, p->expr_count, p->expr_cap);
        p->exprs[p->expr_count++] = (struct plan_expr_node){0};
    }
    BASE_RESERVE(cx, p->exprs, p->expr_count, p->expr_cap);
    p->exprs[p->expr_count] = node;
    return p->expr_count++;
}

plan_expr plan_const(struct base_cx *cx, struct plan *p, int64_t value) {
    return add_node(cx, p, (struct plan_expr_node){.op = PLAN_CONST, .value = value});
}

static bool is_const(const struct plan *p, plan_expr e, int64_t *out) {
    if (e == 0 || e >= p->expr_count || p->exprs[e].op != PLAN_CONST) return false;
    *out = p->exprs[e].value;
    return true;
}

// A PLAN_SCALAR leaf is made with a = the scalar's index. What would overflow is left to plan_eval, which reports it.
plan_expr plan_op(struct base_cx *cx, struct plan *p, enum plan_op op, plan_expr a, plan_expr b) {
    int64_t x, y, value;
    if (op != PLAN_SCALAR && is_const(p, a, &x) && is_const(p, b, &y) && apply(op, x, y, &value))
        return plan_const(cx, p, value);
    return add_node(cx, p, (struct plan_expr_node){.op = (uint8_t)op, .a = a, .b = op == PLAN_SCALAR ? 0 : b});
}

static bool eval(const struct plan *p, plan_expr e, const int64_t *values, uint32_t depth, int64_t *out) {
    if (e == 0 || e >= p->expr_count || depth > PLAN_MAX_EXPR_DEPTH) return false;
    const struct plan_expr_node *node = &p->exprs[e];
    if (node->op == PLAN_CONST) {
        *out = node->value;
        return true;
    }
    if (node->op == PLAN_SCALAR) {
        if (node->a >= p->scalar_count) return false;
        *out = values[node->a];
        return true;
    }
    int64_t a, b;
    return node->a < e && node->b < e && eval(p, node->a, values, depth + 1, &a) &&
           eval(p, node->b, values, depth + 1, &b) && apply((enum plan_op)node->op, a, b, out);
}

bool plan_eval(const struct plan *p, plan_expr e, const int64_t *values, int64_t *out) {
    return eval(p, e, values, 0, out);
}

uint32_t plan_states(const struct plan *p, plan_expr e, uint32_t out[PLAN_MAX_STATES + 1], uint32_t count) {
    const struct plan_expr_node *node = &p->exprs[e];
    if (node->op == PLAN_CONST || count > PLAN_MAX_STATES) return count;
    if (node->op != PLAN_SCALAR) return plan_states(p, node->b, out, plan_states(p, node->a, out, count));
    if (p->scalars[node->a].kind != PLAN_STATE) return count;
    for (uint32_t i = 0; i < count; i++)
        if (out[i] == node->a) return count;
    out[count] = node->a;
    return count + 1;
}

bool plan_may_set(const struct plan *p, const struct plan_kernel *k, uint32_t scalar) {
    for (uint32_t i = 0; k->lists_sets && i < k->set_count; i++)
        if (k->sets[i] == p->scalars[scalar].word) return true;
    for (uint32_t b = 0; !k->lists_sets && b < k->binding_count; b++)
        if (k->bindings[b].buffer == p->state_buffer && k->bindings[b].writable) return true;
    return false;
}

bool plan_is_fixed(const struct plan *p, plan_expr e) {
    const struct plan_expr_node *node = &p->exprs[e];
    if (node->op == PLAN_CONST) return true;
    if (node->op == PLAN_SCALAR) return p->scalars[node->a].kind < PLAN_REPEAT;
    return plan_is_fixed(p, node->a) && plan_is_fixed(p, node->b);
}

bool plan_same_pairs(const struct plan_array *a, const struct plan_array *b) {
    return a->pairs == b->pairs && a->pair_run_count == b->pair_run_count &&
           (!a->pair_run_count || memcmp(a->pair_runs, b->pair_runs, 8 * (size_t)a->pair_run_count) == 0);
}
