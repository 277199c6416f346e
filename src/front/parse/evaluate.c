// Constants: integer operations are folded while the tree is built; whole constant expressions are evaluated where C
// needs one.
//
// Only integers are folded in place: the text of floating constants is still needed when the double policy rewrites it.
#include "front/parse/parse.h"

#include <math.h>

uint64_t front_wrap(const struct front_type *type, uint64_t value) {
    uint32_t bits = front_int_bits(type);
    if (bits == 1) return value != 0;
    if (bits >= 64) return value;
    uint64_t mask = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (bits - 1);
    value &= mask;
    return front_is_unsigned(type) ? value : (value ^ sign) - sign;
}

static bool compare(enum front_op op, bool less, bool equal) {
    switch (op) {
    case FRONT_OP_EQ: return equal;
    case FRONT_OP_NE: return !equal;
    case FRONT_OP_LT: return less;
    case FRONT_OP_LE: return less || equal;
    case FRONT_OP_GT: return !less && !equal;
    default: return !less && !equal ? true : equal;
    }
}

static bool is_compare(enum front_op op) { return op >= FRONT_OP_EQ && op <= FRONT_OP_GE; }

// a op b for operands of type `type`; false where C defines no value. *overflow: signed and does not fit.
static bool integer_op(enum front_op op, const struct front_type *type, uint64_t a, uint64_t b, uint64_t *out,
                       bool *overflow) {
    bool is_signed = !front_is_unsigned(type);
    uint32_t bits = front_int_bits(type);
    *overflow = false;
    int64_t exact = 0;
    switch (op) {
    case FRONT_OP_ADD:
        *out = a + b;
        *overflow = is_signed && (__builtin_add_overflow((int64_t)a, (int64_t)b, &exact));
        break;
    case FRONT_OP_SUB:
        *out = a - b;
        *overflow = is_signed && (__builtin_sub_overflow((int64_t)a, (int64_t)b, &exact));
        break;
    case FRONT_OP_MUL:
        *out = a * b;
        *overflow = is_signed && (__builtin_mul_overflow((int64_t)a, (int64_t)b, &exact));
        break;
    case FRONT_OP_DIV:
    case FRONT_OP_REM:
        if (b == 0 || (is_signed && b == UINT64_MAX && (int64_t)a == INT64_MIN)) return false;
        if (op == FRONT_OP_DIV)
            *out = is_signed ? (uint64_t)((int64_t)a / (int64_t)b) : a / b;
        else
            *out = is_signed ? (uint64_t)((int64_t)a % (int64_t)b) : a % b;
        break;
    case FRONT_OP_SHL:
    case FRONT_OP_SHR:
        if (b >= bits) return false;
        if (op == FRONT_OP_SHL)
            *out = a << b;
        else
            *out = is_signed && (int64_t)a < 0 ? ~(~a >> b) : a >> b;
        *out = front_wrap(type, *out);
        return true;
    case FRONT_OP_AND: *out = a & b; break;
    case FRONT_OP_OR: *out = a | b; break;
    case FRONT_OP_XOR: *out = a ^ b; break;
    default: *out = compare(op, is_signed ? (int64_t)a < (int64_t)b : a < b, a == b); return true;
    }
    *overflow = *overflow || (is_signed && front_wrap(type, *out) != *out);
    *out = front_wrap(type, *out);
    return true;
}

static void become_int(struct front_node *node, uint64_t value) {
    node->kind = FRONT_INT;
    node->op = FRONT_OP_NONE;
    node->flags &= FRONT_FLAG_PAREN;
    node->integer = value;
    node->a = node->b = node->c = NULL;
    node->height = 1;
}

static bool is_int(const struct front_node *node) { return node && node->kind == FRONT_INT; }

static void fold_binary(struct front_parser *p, struct front_node *node) {
    uint64_t value;
    bool overflow;
    if (!is_int(node->b) || !front_is_integer(node->a->type)) return;
    uint32_t bits = front_int_bits(node->a->type);
    if ((node->op == FRONT_OP_DIV || node->op == FRONT_OP_REM) && node->b->integer == 0) {
        base_warn(p->cx, node->loc, "%s by zero is undefined", node->op == FRONT_OP_DIV ? "division" : "remainder");
        return;
    }
    if ((node->op == FRONT_OP_SHL || node->op == FRONT_OP_SHR) && node->b->integer >= bits) {
        bool negative = !front_is_unsigned(node->b->type) && (int64_t)node->b->integer < 0;
        base_warn(p->cx, node->loc, negative ? "shift count is negative" : "shift count >= width of type (%u bits)",
                  bits);
        return;
    }
    if (!is_int(node->a) || !integer_op(node->op, node->a->type, node->a->integer, node->b->integer, &value, &overflow))
        return;
    if (overflow)
        base_warn(p->cx, node->loc, "overflow in a constant expression of type '%s'",
                  front_type_name(p->cx, node->type));
    become_int(node, value);
}

void front_fold(struct front_parser *p, struct front_node *node) {
    switch (node->kind) {
    case FRONT_CAST:
        if (is_int(node->a) && front_is_integer(node->type) && front_is_integer(node->a->type))
            become_int(node, front_wrap(node->type, node->a->integer));
        break;
    case FRONT_UNARY:
        if (!is_int(node->a)) break;
        if (node->op == FRONT_OP_NOT)
            become_int(node, !node->a->integer);
        else
            become_int(node,
                       front_wrap(node->type, node->op == FRONT_OP_NEG ? 0 - node->a->integer : ~node->a->integer));
        break;
    case FRONT_BINARY: fold_binary(p, node); break;
    case FRONT_LOGIC:
        if (is_int(node->a) && (node->op == FRONT_OP_LAND ? !node->a->integer : !!node->a->integer))
            become_int(node, node->op == FRONT_OP_LOR);
        else if (is_int(node->a) && is_int(node->b))
            become_int(node, node->b->integer);
        break;
    case FRONT_COND:
        if (is_int(node->a) && front_is_integer(node->type) && is_int(node->a->integer ? node->b : node->c))
            become_int(node, (node->a->integer ? node->b : node->c)->integer);
        break;
    default: break;
    }
}

// ---- evaluation -----------------------------------------------------------------------------------------------------

static double round_to(const struct front_type *type, double value) {
    return type->kind == FRONT_F64 ? value : (double)base_dtype_round(front_dtype(type), (float)value);
}

static bool evaluate_cast(const struct front_node *node, bool knows, struct front_constant *out) {
    struct front_constant a;
    if (!front_evaluate(node->a, knows, &a)) return false;
    if (front_is_float(node->type)) {
        out->is_float = true;
        double real = a.is_float                         ? a.real
                      : front_is_unsigned(node->a->type) ? (double)a.integer
                                                         : (double)(int64_t)a.integer;
        if (!a.is_float && node->type->kind == FRONT_F32) // once: not through double
            real = front_is_unsigned(node->a->type) ? (double)(float)a.integer : (double)(float)(int64_t)a.integer;
        out->real = round_to(node->type, real);
        return true;
    }
    if (!front_is_integer(node->type)) return false;
    out->is_float = false;
    if (!a.is_float) {
        out->integer = front_wrap(node->type, a.integer);
        return true;
    }
    if (node->type->kind == FRONT_BOOL) {
        out->integer = a.real != 0.0;
        return true;
    }
    uint32_t bits = front_int_bits(node->type);
    bool is_unsigned = front_is_unsigned(node->type);
    double lowest = is_unsigned ? -1.0 : -ldexp(1.0, (int)bits - 1), end = ldexp(1.0, (int)bits - !is_unsigned);
    double whole = trunc(a.real);
    if (!(is_unsigned ? whole > lowest : whole >= lowest) || !(whole < end)) return false;
    out->integer = is_unsigned ? (uint64_t)whole : (uint64_t)(int64_t)whole;
    return true;
}

static bool evaluate_binary(const struct front_node *node, bool knows, struct front_constant *out) {
    struct front_constant a, b;
    bool overflow;
    if (!front_evaluate(node->a, knows, &a) || !front_evaluate(node->b, knows, &b)) return false;
    if (!a.is_float) {
        out->is_float = false;
        return integer_op(node->op, node->a->type, a.integer, b.integer, &out->integer, &overflow);
    }
    out->is_float = !is_compare(node->op);
    if (is_compare(node->op)) {
        bool nan = isnan(a.real) || isnan(b.real);
        out->integer = nan ? node->op == FRONT_OP_NE : compare(node->op, a.real < b.real, a.real == b.real);
        return true;
    }
    // float in double, rounded once more: the same as float arithmetic for these four
    switch (node->op) {
    case FRONT_OP_ADD: out->real = a.real + b.real; break;
    case FRONT_OP_SUB: out->real = a.real - b.real; break;
    case FRONT_OP_MUL: out->real = a.real * b.real; break;
    case FRONT_OP_DIV:
        if (b.real == 0.0)
            out->real = a.real == 0.0 || isnan(a.real)           ? NAN
                        : !!signbit(a.real) == !!signbit(b.real) ? INFINITY
                                                                 : -INFINITY;
        else
            out->real = a.real / b.real;
        break;
    default: return false;
    }
    out->real = round_to(node->type, out->real);
    return true;
}

bool front_evaluate(const struct front_node *node, bool knows, struct front_constant *out) {
    struct front_constant a;
    if (front_is_error(node)) return false;
    switch (node->kind) {
    case FRONT_INT: *out = (struct front_constant){.integer = node->integer}; return true;
    case FRONT_FLOAT: *out = (struct front_constant){.is_float = true, .real = node->real}; return true;
    case FRONT_VAR:
        *out = (struct front_constant){.integer = (uint64_t)node->symbol->value};
        return knows && node->symbol->known;
    case FRONT_CAST: return evaluate_cast(node, knows, out);
    case FRONT_UNARY:
        if (!front_evaluate(node->a, knows, &a)) return false;
        *out = a;
        if (node->op == FRONT_OP_NEG && a.is_float)
            out->real = -a.real;
        else if (node->op == FRONT_OP_NEG)
            out->integer = front_wrap(node->type, 0 - a.integer);
        else if (node->op == FRONT_OP_BITNOT)
            out->integer = front_wrap(node->type, ~a.integer);
        else
            out->integer = !a.integer;
        return true;
    case FRONT_BINARY: return evaluate_binary(node, knows, out);
    case FRONT_LOGIC:
        if (!front_evaluate(node->a, knows, &a)) return false;
        if (node->op == FRONT_OP_LAND ? !a.integer : a.integer != 0) {
            *out = (struct front_constant){.integer = node->op == FRONT_OP_LOR};
            return true;
        }
        return front_evaluate(node->b, knows, out);
    case FRONT_COND:
        return front_evaluate(node->a, knows, &a) && front_evaluate(a.integer ? node->b : node->c, knows, out);
    default: return false;
    }
}

void front_fold_inits(struct front_parser *p, struct front_inits *inits) {
    for (uint32_t i = 0; i < inits->count; i++) {
        struct front_node *value = inits->items[i].value;
        if (!value || !front_is_arithmetic(value->type)) continue; // pointers: what uses them says what is wrong
        struct front_constant c;
        if (!front_evaluate(value, true, &c)) {
            base_error(p->cx, value->loc, "initializer element is not a compile-time constant");
            continue;
        }
        if (c.is_float) {
            value->kind = FRONT_FLOAT;
            value->flags = 0;
            value->real = c.real;
            value->a = value->b = value->c = NULL;
        } else {
            become_int(value, c.integer);
        }
    }
}
