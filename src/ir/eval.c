// One operation on values. Integers are computed as uint32_t, so that they wrap; floats as float, each operation
// rounded once (values travel as bits, so no compiler can contract two of them). What C leaves undefined is what the
// emitted WGSL does: shift counts take their low five bits, float to integer saturates and NaN gives 0, counting zeros
// of 0 gives 32.
#include <float.h>
#include <math.h>

#include "ir/eval.h"

#if FLT_EVAL_METHOD != 0
#error "float arithmetic must be done in float"
#endif

static uint32_t bits_of(float value) { return base_float_bits(value); }

static uint32_t float_to_i32(float f) {
    if (!(f > -2147483904.0f)) // NaN, or the next float below -2^31
        return isnan(f) ? 0 : 0x80000000u;
    return f >= 2147483648.0f ? 0x7fffffffu : (uint32_t)(int32_t)f;
}

static uint32_t float_to_u32(float f) {
    if (!(f > 0.0f)) return 0;
    return f >= 4294967296.0f ? UINT32_MAX : (uint32_t)f;
}

static bool compare_order(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b) {
    if (type == IR_F32) {
        float x = base_bits_float(a), y = base_bits_float(b);
        return op == IR_LT ? x < y : op == IR_LE ? x <= y : op == IR_GT ? x > y : x >= y;
    }
    if (type == IR_I32) { // the order of i32 is that of u32 after flipping the sign bit
        a ^= 0x80000000u;
        b ^= 0x80000000u;
    }
    return op == IR_LT ? a < b : op == IR_LE ? a <= b : op == IR_GT ? a > b : a >= b;
}

static bool equal(enum ir_type type, uint32_t a, uint32_t b) {
    return type == IR_F32 ? base_bits_float(a) == base_bits_float(b) : a == b;
}

// DIV and REM of integers.
static bool divide(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b, uint32_t *out) {
    if (b == 0 || (type == IR_I32 && a == 0x80000000u && b == UINT32_MAX)) return false;
    if (type == IR_I32)
        *out = (uint32_t)(op == IR_DIV ? (int32_t)a / (int32_t)b : (int32_t)a % (int32_t)b);
    else
        *out = op == IR_DIV ? a / b : a % b;
    return true;
}

// Shifts of i32 keep the sign without relying on what the host's >> does with negative numbers.
static uint32_t shift_right(enum ir_type type, uint32_t a, uint32_t count) {
    if (type == IR_I32 && a & 0x80000000u) return ~(~a >> (count & 31));
    return a >> (count & 31);
}

static bool eval_integer(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b, uint32_t c, uint32_t *out) {
    switch (op) {
    case IR_NEG: *out = 0u - a; return true;
    case IR_ADD: *out = a + b; return true;
    case IR_SUB: *out = a - b; return true;
    case IR_MUL: *out = a * b; return true;
    case IR_DIV:
    case IR_REM: return divide(op, type, a, b, out);
    case IR_MIN: *out = compare_order(IR_LT, type, a, b) ? a : b; return true;
    case IR_MAX: *out = compare_order(IR_GT, type, a, b) ? a : b; return true;
    case IR_ABS: *out = a & 0x80000000u ? 0u - a : a; return true;
    case IR_MULHI: *out = (uint32_t)(((uint64_t)a * b) >> 32); return true;
    case IR_BITNOT: *out = ~a; return true;
    case IR_AND: *out = a & b; return true;
    case IR_OR: *out = a | b; return true;
    case IR_XOR: *out = a ^ b; return true;
    case IR_SHL: *out = a << (b & 31); return true;
    case IR_SHR: *out = shift_right(type, a, b); return true;
    case IR_POPCOUNT: *out = (uint32_t)__builtin_popcount(a); return true;
    case IR_CLZ: *out = a ? (uint32_t)__builtin_clz(a) : 32; return true;
    case IR_CTZ: *out = a ? (uint32_t)__builtin_ctz(a) : 32; return true;
    case IR_NOT: *out = !a; return true;
    case IR_LAND: *out = a && b; return true;
    case IR_LOR: *out = a || b; return true;
    case IR_SELECT: *out = a ? b : c; return true;
    case IR_I2F: *out = bits_of((float)(int32_t)a); return true;
    case IR_U2F: *out = bits_of((float)a); return true;
    case IR_I2U:
    case IR_U2I:
    case IR_BITS_F2U:
    case IR_BITS_U2F: *out = a; return true;
    default: return false;
    }
}

// What the arithmetic of pairs of floats is made of.
static bool eval_pair(enum ir_op op, float x, float y, float z, uint32_t *out) {
    float of_y = z - x, of_x = z - of_y; // of a sum z; Knuth's, exact whichever is larger
    float left_x = x - of_x, left_y = y - of_y;
    switch (op) {
    case IR_HOLD: *out = bits_of(x); return true;
    case IR_IS_PLAIN: *out = x == 0.0f || !isfinite(x); return true;
    case IR_SUM_ERROR: *out = bits_of(left_x + left_y); return true;
    case IR_PRODUCT_ERROR: *out = bits_of((float)((double)x * (double)y - (double)z)); return true; // exact in double
    default: return false;
    }
}

// Functions of math.h that no device has exactly.
static bool eval_function(enum ir_op op, float x, float y, float *out) {
    switch (op) {
    case IR_EXP: *out = expf(x); return true;
    case IR_EXP2: *out = exp2f(x); return true;
    case IR_EXPM1: *out = expm1f(x); return true;
    case IR_LOG: *out = logf(x); return true;
    case IR_LOG2: *out = log2f(x); return true;
    case IR_LOG10: *out = log10f(x); return true;
    case IR_LOG1P: *out = log1pf(x); return true;
    case IR_POW: *out = powf(x, y); return true;
    case IR_CBRT: *out = cbrtf(x); return true;
    case IR_HYPOT: *out = hypotf(x, y); return true;
    case IR_SIN: *out = sinf(x); return true;
    case IR_COS: *out = cosf(x); return true;
    case IR_TAN: *out = tanf(x); return true;
    case IR_ASIN: *out = asinf(x); return true;
    case IR_ACOS: *out = acosf(x); return true;
    case IR_ATAN: *out = atanf(x); return true;
    case IR_ATAN2: *out = atan2f(x, y); return true;
    case IR_SINH: *out = sinhf(x); return true;
    case IR_COSH: *out = coshf(x); return true;
    case IR_TANH: *out = tanhf(x); return true;
    case IR_ASINH: *out = asinhf(x); return true;
    case IR_ACOSH: *out = acoshf(x); return true;
    case IR_ATANH: *out = atanhf(x); return true;
    case IR_ERF: *out = erff(x); return true;
    case IR_ERFC: *out = erfcf(x); return true;
    default: return false;
    }
}

static bool eval_float(enum ir_op op, float x, float y, float z, uint32_t b, uint32_t *out) {
    float r;
    switch (op) {
    case IR_NEG: *out = bits_of(x) ^ 0x80000000u; return true;
    case IR_FABS: *out = bits_of(x) & 0x7fffffffu; return true;
    case IR_F2I: *out = float_to_i32(x); return true;
    case IR_F2U: *out = float_to_u32(x); return true;
    case IR_ISNAN: *out = isnan(x) != 0; return true;
    case IR_ISINF: *out = isinf(x) != 0; return true;
    case IR_ISFINITE: *out = isfinite(x) != 0; return true;
    case IR_SIGNBIT: *out = bits_of(x) >> 31; return true;
    case IR_ADD: r = x + y; break;
    case IR_SUB: r = x - y; break;
    case IR_MUL: r = x * y; break;
    case IR_DIV: r = x / y; break;
    case IR_FMIN: r = fminf(x, y); break;
    case IR_FMAX: r = fmaxf(x, y); break;
    case IR_FLOOR: r = floorf(x); break;
    case IR_CEIL: r = ceilf(x); break;
    case IR_TRUNC: r = truncf(x); break;
    case IR_ROUND: r = roundf(x); break;
    case IR_RINT: r = rintf(x); break;
    case IR_SQRT: r = sqrtf(x); break;
    case IR_FMA: r = fmaf(x, y, z); break;
    case IR_FMOD: r = fmodf(x, y); break;
    case IR_COPYSIGN: r = copysignf(x, y); break;
    case IR_LDEXP: r = ldexpf(x, (int32_t)b); break;
    default:
        if (eval_pair(op, x, y, z, out)) return true;
        if (eval_function(op, x, y, &r)) break;
        if (ir_rounds_to((uint8_t)op) == WHORL_F32) return false;
        r = base_dtype_round(ir_rounds_to((uint8_t)op), x);
    }
    *out = bits_of(r);
    return true;
}

bool ir_eval_op(enum ir_op op, enum ir_type type, uint32_t a, uint32_t b, uint32_t c, uint32_t *out_bits) {
    switch (op) {
    case IR_EQ: *out_bits = equal(type, a, b); return true;
    case IR_NE: *out_bits = !equal(type, a, b); return true;
    case IR_LT:
    case IR_LE:
    case IR_GT:
    case IR_GE: *out_bits = compare_order(op, type, a, b); return true;
    default: break;
    }
    if (type != IR_F32 || op == IR_BITS_F2U) return eval_integer(op, type, a, b, c, out_bits);
    return eval_float(op, base_bits_float(a), base_bits_float(b), base_bits_float(c), b, out_bits);
}
