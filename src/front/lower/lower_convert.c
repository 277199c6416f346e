// Conversions between C's arithmetic types, and 64-bit integers in 32 bits.
//
// A 64-bit value is carried as I32 or U32: whichever its range is proven to fit, with that IR type's meaning. Where no
// proof is found it has two words (lower_words.c), unless -fint64=int32 says that 32 bits are enough.
#include "front/lower/lower.h"

enum ir_type lower_carrier(const struct front_type *type) { return ir_elem_type(front_dtype(type)); }

bool lower_is_wide(const struct front_type *type) { return type->kind == FRONT_I64 || type->kind == FRONT_U64; }

ir_expr lower_as(struct lower *lw, ir_expr e, enum ir_type type, base_loc loc) {
    enum ir_type from = lower_ir_type_of(lw, e);
    if (from == type) return e;
    if (type == LOWER_WIDE) return lower_words_node(lw, lower_words_of(lw, e, loc), loc);
    if (from == LOWER_WIDE) {
        struct lower_words w = lower_words_of(lw, e, loc);
        if (type == IR_F32) base_bug(lw->cx, "two words as a float");
        return lower_as(lw, type == IR_BOOL ? lower_fold2(lw, IR_OR, w.lo, w.hi, loc) : w.lo, type, loc);
    }
    if (type == IR_BOOL) return lower_fold2(lw, IR_NE, e, ir_const(lw->u, from, 0), loc);
    if (from == IR_BOOL) {
        ir_expr one = type == IR_F32 ? ir_const_f32(lw->u, 1) : ir_const(lw->u, type, 1);
        return lower_fold3(lw, IR_SELECT, e, one, ir_const(lw->u, type, 0), loc);
    }
    if (type == IR_I32 && from == IR_U32) return lower_fold1(lw, IR_U2I, e, loc);
    if (type == IR_U32 && from == IR_I32) return lower_fold1(lw, IR_I2U, e, loc);
    if (type == IR_F32) return lower_fold1(lw, from == IR_U32 ? IR_U2F : IR_I2F, e, loc);
    return ir_op1(lw->u, type == IR_U32 ? IR_F2U : IR_F2I, e, loc);
}

static bool fits(struct lower_range r, int64_t lo, int64_t hi) { return r.lo >= lo && r.hi <= hi; }

static ir_expr narrow(struct lower *lw, ir_expr e, const struct front_type *to, base_loc loc) {
    uint32_t bits = front_int_bits(to);
    bool is_unsigned = front_is_unsigned(to);
    struct lower_range r = lower_range_of(lw, e);
    int64_t hi = (1ll << (is_unsigned ? bits : bits - 1)) - 1, lo = is_unsigned ? 0 : -hi - 1;
    if (fits(r, lo, hi)) return lower_as(lw, e, IR_I32, loc);
    e = lower_as(lw, e, IR_I32, loc);
    if (is_unsigned) return lower_fold2(lw, IR_AND, e, ir_const_i32(lw->u, (int32_t)hi), loc);
    ir_expr shift = ir_const(lw->u, IR_U32, 32 - bits);
    return lower_fold2(lw, IR_SHR, lower_fold2(lw, IR_SHL, e, shift, loc), shift, loc);
}

// Into a 64-bit type.
static ir_expr widen(struct lower *lw, ir_expr e, const struct front_type *to, base_loc loc) {
    if (lower_ir_type_of(lw, e) == IR_BOOL) e = lower_as(lw, e, IR_I32, loc);
    if (lw->user->int64_as_int32) return lower_as(lw, e, lower_carrier(to), loc);
    if (to->kind == FRONT_U64 && lower_range_of(lw, e).lo < 0) return lower_as(lw, e, LOWER_WIDE, loc);
    return e;
}

ir_expr lower_convert(struct lower *lw, ir_expr e, const struct front_type *from, const struct front_type *to,
                      base_loc loc) {
    if (to->kind == FRONT_BOOL) return lower_as(lw, e, IR_BOOL, loc);
    if (front_is_float(to)) {
        if (!front_is_float(from))
            e = lower_is_words(lw, e) ? lower_words_to_float(lw, e, from, loc) : lower_as(lw, e, IR_F32, loc);
        enum ir_op round = ir_round_op(front_dtype(to)), op = (enum ir_op)lw->u->nodes[e].op;
        // what is computed of halves is a float until it is kept; an element is rounded already
        bool rounded = from->kind == FRONT_BOOL || (from->kind == to->kind && (op == IR_LOAD || op == round));
        return round == IR_EXACT || rounded ? e : ir_op1(lw->u, round, e, loc);
    }
    if (front_is_float(from)) {
        if (lower_is_wide(to) && !lw->user->int64_as_int32) return lower_words_from_float(lw, e, to, loc);
        e = ir_op1(lw->u, lower_carrier(to) == IR_U32 ? IR_F2U : IR_F2I, e, loc);
        return front_int_bits(to) < 32 ? narrow(lw, e, to, loc) : e;
    }
    if (lower_is_wide(to)) return lower_is_wide(from) && from->kind == to->kind ? e : widen(lw, e, to, loc);
    if (front_int_bits(to) < 32) return narrow(lw, e, to, loc);
    return lower_as(lw, e, lower_carrier(to), loc);
}

ir_expr lower_low32(struct lower *lw, struct front_node *node, enum ir_type type) {
    if (lower_is_wide(node->type)) {
        if (node->kind == FRONT_CAST && front_is_integer(node->a->type)) return lower_low32(lw, node->a, type);
        if (node->kind == FRONT_BINARY &&
            (node->op == FRONT_OP_ADD || node->op == FRONT_OP_SUB || node->op == FRONT_OP_MUL)) {
            ir_expr a = lower_low32(lw, node->a, type), b = lower_low32(lw, node->b, type);
            return lower_fold2(lw,
                               node->op == FRONT_OP_ADD   ? IR_ADD
                               : node->op == FRONT_OP_SUB ? IR_SUB
                                                          : IR_MUL,
                               a, b, node->loc);
        }
        if (node->kind == FRONT_INT) return ir_const(lw->u, type, (uint32_t)node->integer);
    }
    return lower_as(lw, lower_scalar(lw, node), type, node->loc);
}

// ---- 64-bit arithmetic ----------------------------------------------------------------------------------------------

// Of operands that have one word each.
static bool wide_result(enum front_op op, struct lower_range a, struct lower_range b, struct lower_range *out) {
    int64_t x[4];
    switch (op) {
    case FRONT_OP_ADD: *out = (struct lower_range){a.lo + b.lo, a.hi + b.hi}; return true;
    case FRONT_OP_SUB: *out = (struct lower_range){a.lo - b.hi, a.hi - b.lo}; return true;
    case FRONT_OP_MUL:
        for (int i = 0; i < 4; i++) {
            double p = (double)(i & 1 ? a.hi : a.lo) * (double)(i & 2 ? b.hi : b.lo);
            if (p > 9e18 || p < -9e18) return false;
            x[i] = (i & 1 ? a.hi : a.lo) * (i & 2 ? b.hi : b.lo);
        }
        *out = (struct lower_range){x[0], x[0]};
        for (int i = 1; i < 4; i++) {
            out->lo = x[i] < out->lo ? x[i] : out->lo;
            out->hi = x[i] > out->hi ? x[i] : out->hi;
        }
        return true;
    case FRONT_OP_DIV:
    case FRONT_OP_REM:
    case FRONT_OP_AND:
    case FRONT_OP_OR:
    case FRONT_OP_XOR: // of two operands with the same sign rules the result needs no more bits
        *out = (struct lower_range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
        if (op == FRONT_OP_DIV && out->lo < 0) out->hi = INT32_MAX;
        if (out->lo >= 0) *out = (struct lower_range){0, out->hi <= INT32_MAX ? INT32_MAX : UINT32_MAX};
        return true;
    case FRONT_OP_SHL:
        if (b.lo < 0 || b.hi > 31 || a.lo < 0) return false;
        *out = (struct lower_range){a.lo << b.lo, a.hi << b.hi};
        return true;
    case FRONT_OP_SHR:
        if (b.lo < 0 || b.hi > 31) return false;
        *out = a;
        return true;
    default: return false;
    }
}

ir_expr lower_wide_binary(struct lower *lw, enum front_op op, ir_expr a, ir_expr b, const struct front_type *type,
                          base_loc loc) {
    static const uint8_t ops[] = {
        [FRONT_OP_ADD] = IR_ADD, [FRONT_OP_SUB] = IR_SUB, [FRONT_OP_MUL] = IR_MUL, [FRONT_OP_DIV] = IR_DIV,
        [FRONT_OP_REM] = IR_REM, [FRONT_OP_AND] = IR_AND, [FRONT_OP_OR] = IR_OR,   [FRONT_OP_XOR] = IR_XOR,
        [FRONT_OP_SHL] = IR_SHL, [FRONT_OP_SHR] = IR_SHR,
    };
    bool shift = op == FRONT_OP_SHL || op == FRONT_OP_SHR;
    enum ir_type carrier = lower_carrier(type);
    struct lower_range x = lower_range_of(lw, a), y = lower_range_of(lw, b), r;
    bool words = false, deferred = false;
    if (lower_is_words(lw, a) || (!shift && lower_is_words(lw, b))) return lower_words_binary(lw, op, a, b, type, loc);
    if (!lw->user->int64_as_int32) {
        bool known = wide_result(op, x, y, &r);
        bool exact = op == FRONT_OP_ADD || op == FRONT_OP_SUB || op == FRONT_OP_MUL; // modulo 2^32 is enough for these
        bool signed_in = fits(x, INT32_MIN, INT32_MAX) && (shift || fits(y, INT32_MIN, INT32_MAX));
        bool unsigned_in = x.lo >= 0 && y.lo >= 0;
        if (known && fits(r, INT32_MIN, INT32_MAX) && (exact || signed_in) && !(type->kind == FRONT_U64 && r.lo < 0))
            carrier = IR_I32;
        else if (known && fits(r, 0, UINT32_MAX) && (exact || unsigned_in))
            carrier = IR_U32;
        else if (op == FRONT_OP_ADD || op == FRONT_OP_SUB)
            deferred = true;
        else
            words = true;
    }
    if (words) return lower_words_binary(lw, op, a, b, type, loc);
    ir_expr left = lower_as(lw, a, carrier, loc), right = lower_as(lw, b, shift ? IR_U32 : carrier, loc);
    ir_expr result = lower_fold2(lw, (enum ir_op)ops[op], left, right, loc);
    if (deferred && !lower_sum_defer(lw, result, x, y, loc)) return lower_words_binary(lw, op, a, b, type, loc);
    return result;
}

enum ir_type lower_common_type(struct lower *lw, ir_expr a, ir_expr b) {
    enum ir_type x = lower_ir_type_of(lw, a), y = lower_ir_type_of(lw, b);
    enum ir_type type = x == IR_BOOL ? y : x;
    if (x == LOWER_WIDE || y == LOWER_WIDE) return LOWER_WIDE;
    if (x != y && x != IR_BOOL && y != IR_BOOL) {
        struct lower_range r = lower_range_of(lw, a), s = lower_range_of(lw, b);
        if (fits(r, INT32_MIN, INT32_MAX) && fits(s, INT32_MIN, INT32_MAX))
            type = IR_I32;
        else
            type = r.lo >= 0 && s.lo >= 0 ? IR_U32 : LOWER_WIDE;
    }
    return type == IR_BOOL ? IR_I32 : type;
}

enum ir_type lower_common(struct lower *lw, ir_expr *a, ir_expr *b, base_loc loc) {
    enum ir_type type = lower_common_type(lw, *a, *b);
    *a = lower_as(lw, *a, type, loc);
    *b = lower_as(lw, *b, type, loc);
    return type;
}

bool lower_fits_wide(struct lower *lw, ir_expr e, const struct front_type *type) {
    if (lw->user->int64_as_int32 || lower_ir_type_of(lw, e) == IR_BOOL) return true;
    struct lower_range r = lower_range_of(lw, e), want = lower_type_range(lower_carrier(type));
    return !lower_is_words(lw, e) && fits(r, want.lo, want.hi);
}
