// Arithmetic of -fdouble=pair: a double is the sum of two floats, `hi` the nearest float and `lo` the rest, about 48
// bits. front/doubles/pair.c makes calls of these functions; docs/double.md has the bounds and the reasons.
//
// __whorl_hold(x) is x, and no compiler of kernels can know that: without it one may contract a product or cancel
// (a + b) - a. The errors of one sum and one product are operations of the IR.
#ifndef WHORL_PAIR_H
#define WHORL_PAIR_H

float __whorl_hold(float x);
_Bool __whorl_is_plain(float x);                              // a zero, infinite or no number
float __whorl_sum_error(float a, float b, float sum);         // a + b - sum, sum = a + b rounded
float __whorl_product_error(float a, float b, float product); // a * b - product, product = a * b rounded

#ifdef __WHORL__ // of C, whatever the program declares
float __builtin_sqrtf(float x);
float __builtin_floorf(float x);
float __builtin_ceilf(float x);
float __builtin_truncf(float x);
float __builtin_rintf(float x);
float __builtin_fabsf(float x);
float __builtin_copysignf(float x, float y);
float __builtin_ldexpf(float x, int n);
float __builtin_fminf(float x, float y);
float __builtin_fmaxf(float x, float y);
float __builtin_logf(float x);
float __builtin_cbrtf(float x);
float __builtin_atanf(float x);
void *__builtin_memcpy(void *to, const void *from, unsigned long size);
#endif

struct __whorl_pair {
    float hi, lo;
};
#define __wp static inline struct __whorl_pair

__wp __wp_make(float hi, float lo) {
    struct __whorl_pair r;
    r.hi = hi;
    r.lo = lo;
    return r;
}

// sum + error, where the first is the larger one. Infinities and the sign of a zero stay.
__wp __wp_close(float sum, float error) {
    _Bool plain = __whorl_is_plain(error);
    float hi = __whorl_hold(sum + error), lo = error - __whorl_hold(hi - sum);
    return __wp_make(plain ? sum : hi, plain ? 0.0f : lo);
}

__wp __wp_neg(struct __whorl_pair a) { return __wp_make(-a.hi, -a.lo); }

// Where e is 0, f is below the error that is allowed: the sums of neither half cancel then.
__wp __wp_add(struct __whorl_pair a, struct __whorl_pair b) {
    float s = __whorl_hold(a.hi + b.hi), t = __whorl_hold(a.lo + b.lo);
    float e = __whorl_sum_error(a.hi, b.hi, s) + t;
    float f = __whorl_sum_error(a.lo, b.lo, t);
    float m = __whorl_hold(s + e);
    float n = __whorl_hold(e - __whorl_hold(m - s)) + f;
    float hi = __whorl_hold(m + n), lo = n - __whorl_hold(hi - m);
    _Bool plain = __whorl_is_plain(e);
    return __wp_make(plain ? s : hi, plain ? 0.0f : lo);
}

__wp __wp_sub(struct __whorl_pair a, struct __whorl_pair b) { return __wp_add(a, __wp_neg(b)); }

__wp __wp_mul(struct __whorl_pair a, struct __whorl_pair b) {
    float p = __whorl_hold(a.hi * b.hi);
    float e = __whorl_product_error(a.hi, b.hi, p) + __whorl_hold(a.hi * b.lo + a.lo * b.hi);
    return __wp_close(p, e);
}

// By a float, and by a power of two.
__wp __wp_times(struct __whorl_pair a, float b) {
    float p = __whorl_hold(a.hi * b);
    return __wp_close(p, __whorl_product_error(a.hi, b, p) + __whorl_hold(a.lo * b));
}
__wp __wp_scale(struct __whorl_pair a, float power) { return __wp_make(a.hi * power, a.lo * power); }

// WGSL's division may be wrong in its last digits: two corrections, each by what the product leaves over.
__wp __wp_div(struct __whorl_pair a, struct __whorl_pair b) {
    float q = __whorl_hold(a.hi / b.hi);
    float p = __whorl_hold(q * b.hi), d = __whorl_hold(a.hi - p), e = __whorl_product_error(q, b.hi, p);
    float s = __whorl_hold(d - e);
    float t = __whorl_sum_error(d, -e, s);
    float u = __whorl_hold(a.lo - q * b.lo), v = __whorl_hold(s + u);
    float w = __whorl_sum_error(s, u, v) + t;
    float q2 = __whorl_hold(v / b.hi), p2 = __whorl_hold(q2 * b.hi);
    float rest = __whorl_hold(__whorl_hold(v - p2) - __whorl_product_error(q2, b.hi, p2)) + __whorl_hold(w - q2 * b.lo);
    float hi = __whorl_hold(q + q2), lo = __whorl_hold(q2 - __whorl_hold(hi - q)) + rest / b.hi;
    _Bool plain = __whorl_is_plain(q), finite = __builtin_isfinite(lo);
    float sum = finite ? hi : q, error = finite ? lo : 0.0f;
    return __wp_close(plain ? q : sum, plain ? 0.0f : error);
}

__wp __wp_sqrt(struct __whorl_pair a) {
    float root = __builtin_sqrtf(a.hi), s = __whorl_hold(root), half = 0.5f / s;
    float p = __whorl_hold(s * s), d = __whorl_hold(a.hi - p);
    float c = __whorl_hold((__whorl_hold(d - __whorl_product_error(s, s, p)) + a.lo) * half);
    float hi = __whorl_hold(s + c), lo = c - __whorl_hold(hi - s), p2 = __whorl_hold(hi * hi);
    float rest = __whorl_hold(__whorl_hold(a.hi - p2) - __whorl_product_error(hi, hi, p2)) + (a.lo - 2.0f * hi * lo);
    float last = lo + rest * half;
    _Bool zero = a.hi == 0.0f, finite = __builtin_isfinite(last);
    float sum = finite ? hi : root;
    return __wp_close(zero ? a.hi : sum, finite ? last : 0.0f);
}

// ---- comparisons: the pair of a number is one alone -----------------------------------------------------------------
static inline _Bool __wp_lt(struct __whorl_pair a, struct __whorl_pair b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}
static inline _Bool __wp_le(struct __whorl_pair a, struct __whorl_pair b) {
    return a.hi < b.hi || (a.hi == b.hi && a.lo <= b.lo);
}
static inline _Bool __wp_gt(struct __whorl_pair a, struct __whorl_pair b) { return __wp_lt(b, a); }
static inline _Bool __wp_ge(struct __whorl_pair a, struct __whorl_pair b) { return __wp_le(b, a); }
static inline _Bool __wp_eq(struct __whorl_pair a, struct __whorl_pair b) { return a.hi == b.hi && a.lo == b.lo; }
static inline _Bool __wp_ne(struct __whorl_pair a, struct __whorl_pair b) { return !(a.hi == b.hi && a.lo == b.lo); }
static inline _Bool __wp_isnan(struct __whorl_pair a) { return __builtin_isnan(a.hi); }
static inline _Bool __wp_isinf(struct __whorl_pair a) { return __builtin_isinf(a.hi); }
static inline int __wp_isinf_sign(struct __whorl_pair a) { return __builtin_isinf_sign(a.hi); }
static inline _Bool __wp_isfinite(struct __whorl_pair a) { return __builtin_isfinite(a.hi); }
static inline _Bool __wp_signbit(struct __whorl_pair a) { return __builtin_signbit(a.hi); }

// ---- whole numbers --------------------------------------------------------------------------------------------------
__wp __wp_floor(struct __whorl_pair a) {
    float whole = __builtin_floorf(a.hi);
    return __wp_close(whole, whole == a.hi ? __builtin_floorf(a.lo) : 0.0f);
}
// A zero that comes of a negative number is a negative one.
__wp __wp_ceil(struct __whorl_pair a) {
    float whole = __builtin_ceilf(a.hi);
    struct __whorl_pair r = __wp_close(whole, whole == a.hi ? __builtin_ceilf(a.lo) : 0.0f);
    return __wp_make(r.hi == 0.0f ? __builtin_copysignf(0.0f, a.hi) : r.hi, r.lo);
}
__wp __wp_trunc(struct __whorl_pair a) {
    float whole = __builtin_truncf(a.hi);
    float rest = a.hi < 0.0f ? __builtin_ceilf(a.lo) : __builtin_floorf(a.lo);
    struct __whorl_pair r = __wp_close(whole, whole == a.hi ? rest : 0.0f);
    return __wp_make(r.hi == 0.0f ? __builtin_copysignf(0.0f, a.hi) : r.hi, r.lo);
}
__wp __wp_fabs(struct __whorl_pair a) {
    _Bool minus = __builtin_signbit(a.hi);
    return __wp_make(__builtin_fabsf(a.hi), minus ? -a.lo : a.lo);
}
__wp __wp_copysign(struct __whorl_pair a, struct __whorl_pair b) {
    _Bool turn = __builtin_signbit(a.hi) != __builtin_signbit(b.hi);
    return __wp_make(__builtin_copysignf(a.hi, b.hi), turn ? -a.lo : a.lo);
}
// The magnitude's floor, one more where half or more is left.
__wp __wp_round(struct __whorl_pair a) {
    struct __whorl_pair size = __wp_fabs(a), whole = __wp_floor(size);
    struct __whorl_pair left = __wp_sub(size, whole),
                        up = __wp_add(whole, __wp_make(left.hi >= 0.5f ? 1.0f : 0.0f, 0.0f));
    struct __whorl_pair below = __wp_make(left.hi == 0.5f && left.lo < 0.0f ? whole.hi : up.hi,
                                          left.hi == 0.5f && left.lo < 0.0f ? whole.lo : up.lo);
    return __wp_copysign(below, a);
}
__wp __wp_rint(struct __whorl_pair a) {
    struct __whorl_pair size = __wp_fabs(a), whole = __wp_floor(size), half = __wp_scale(whole, 0.5f);
    struct __whorl_pair left = __wp_sub(size, whole);
    _Bool odd = __wp_ne(half, __wp_floor(half));
    _Bool up = left.hi > 0.5f || (left.hi == 0.5f && (left.lo > 0.0f || (left.lo == 0.0f && odd)));
    return __wp_copysign(__wp_add(whole, __wp_make(up ? 1.0f : 0.0f, 0.0f)), a);
}
__wp __wp_nearbyint(struct __whorl_pair a) { return __wp_rint(a); }

// ---- conversions ----------------------------------------------------------------------------------------------------
__wp __wp_from_float(float x) { return __wp_make(x, 0.0f); }
// Halves of 16 bits are exact floats.
__wp __wp_from_int(int x) {
    float high = (float)(x >> 16) * 65536.0f, low = (float)(x & 0xffff), s = __whorl_hold(high + low);
    return __wp_make(s, low - __whorl_hold(s - high));
}
__wp __wp_from_unsigned(unsigned x) {
    float high = (float)(x >> 16) * 65536.0f, low = (float)(x & 0xffffu), s = __whorl_hold(high + low);
    return __wp_make(s, low - __whorl_hold(s - high));
}
__wp __wp_from_long(long x) {
    float high = (float)(int)(x >> 16) * 65536.0f, low = (float)(int)(x & 0xffff), s = __whorl_hold(high + low);
    return __wp_make(s, low - __whorl_hold(s - high));
}
__wp __wp_from_unsigned_long(unsigned long x) {
    float high = (float)(unsigned)(x >> 16) * 65536.0f, low = (float)(unsigned)(x & 0xffffu);
    float s = __whorl_hold(high + low);
    return __wp_make(s, low - __whorl_hold(s - high));
}
// Of 64-bit integers that may have more than 32 bits, by their words.
__wp __wp_from_words(unsigned lo, unsigned hi) {
    struct __whorl_pair upper = __wp_from_unsigned(hi);
    return __wp_add(__wp_scale(upper, 0x1p32f), __wp_from_unsigned(lo));
}
__wp __wp_from_signed_words(unsigned lo, int hi) {
    struct __whorl_pair upper = __wp_from_int(hi);
    return __wp_add(__wp_scale(upper, 0x1p32f), __wp_from_unsigned(lo));
}
// The bits of a whole number below 2^32 in size.
static inline unsigned __wp_word(struct __whorl_pair whole) {
    float high = __builtin_truncf(whole.hi * 0x1p-16f);
    float low = __whorl_hold(whole.hi - high * 65536.0f);
    return ((unsigned)(int)high << 16) + (unsigned)(int)low + (unsigned)(int)whole.lo;
}
// The nearest end of the range where it does not fit, 0 for what is no number.
static inline int __wp_to_int(struct __whorl_pair a) {
    struct __whorl_pair whole = __wp_trunc(a);
    _Bool over = whole.hi > 0x1p31f || (whole.hi == 0x1p31f && whole.lo >= 0.0f);
    _Bool under = whole.hi < -0x1p31f || (whole.hi == -0x1p31f && whole.lo < 0.0f);
    int fits = (int)__wp_word(whole);
    int end = __builtin_isnan(a.hi) ? 0 : over ? 2147483647 : -2147483647 - 1;
    return over || under || __builtin_isnan(a.hi) ? end : fits;
}
static inline unsigned __wp_to_unsigned(struct __whorl_pair a) {
    struct __whorl_pair whole = __wp_trunc(a);
    _Bool over = whole.hi > 0x1p32f || (whole.hi == 0x1p32f && whole.lo >= 0.0f);
    _Bool none = !(whole.hi > 0.0f);
    // a half more than an int holds
    struct __whorl_pair upper = __wp_sub(whole, __wp_make(0x1p31f, 0.0f));
    unsigned fits = upper.hi >= 0.0f ? __wp_word(upper) + 0x80000000u : __wp_word(whole);
    return none ? 0u : over ? 0xffffffffu : fits;
}
// Each of the two is a whole number that converts exactly.
static inline long long __wp_to_long(struct __whorl_pair a) {
    struct __whorl_pair whole = __wp_trunc(a);
    _Bool end = whole.hi >= 0x1p63f || __builtin_isnan(a.hi); // of which the smaller part takes nothing away
    long long high = (long long)whole.hi;
    unsigned long long sum = (unsigned long long)high + (unsigned long long)(long long)whole.lo;
    return end && whole.lo >= 0.0f ? high : (long long)sum;
}
static inline unsigned long long __wp_to_unsigned_long(struct __whorl_pair a) {
    struct __whorl_pair whole = __wp_trunc(a);
    unsigned long long high = (unsigned long long)(whole.hi > 0.0f ? whole.hi : 0.0f);
    _Bool end = whole.hi >= 0x1p64f && whole.lo >= 0.0f;
    return end || whole.hi <= 0.0f ? high : high + (unsigned long long)(long long)whole.lo;
}

// ---- choices --------------------------------------------------------------------------------------------------------
__wp __wp_fmin(struct __whorl_pair a, struct __whorl_pair b) {
    _Bool first = __wp_lt(a, b) || __builtin_isnan(b.hi);
    return __wp_make(first ? a.hi : b.hi, first ? a.lo : b.lo);
}
__wp __wp_fmax(struct __whorl_pair a, struct __whorl_pair b) {
    _Bool first = __wp_lt(b, a) || __builtin_isnan(b.hi);
    return __wp_make(first ? a.hi : b.hi, first ? a.lo : b.lo);
}
__wp __wp_fdim(struct __whorl_pair a, struct __whorl_pair b) {
    struct __whorl_pair left = __wp_sub(a, b);
    _Bool none = __wp_le(a, b);
    return __wp_make(none ? 0.0f : left.hi, none ? 0.0f : left.lo);
}
__wp __wp_fma(struct __whorl_pair a, struct __whorl_pair b, struct __whorl_pair c) {
    return __wp_add(__wp_mul(a, b), c);
}
__wp __wp_ldexp(struct __whorl_pair a, int n) {
    float hi = __builtin_ldexpf(a.hi, n);
    return __wp_make(hi, __builtin_isfinite(hi) ? __builtin_ldexpf(a.lo, n) : 0.0f);
}
__wp __wp_scalbn(struct __whorl_pair a, int n) { return __wp_ldexp(a, n); }

// ---- updates through a pointer, where what it points to has effects -------------------------------------------------
__wp __wp_set_add(struct __whorl_pair *to, struct __whorl_pair b) { return *to = __wp_add(*to, b); }
__wp __wp_set_sub(struct __whorl_pair *to, struct __whorl_pair b) { return *to = __wp_sub(*to, b); }
__wp __wp_set_mul(struct __whorl_pair *to, struct __whorl_pair b) { return *to = __wp_mul(*to, b); }
__wp __wp_set_div(struct __whorl_pair *to, struct __whorl_pair b) { return *to = __wp_div(*to, b); }
__wp __wp_post_add(struct __whorl_pair *to, struct __whorl_pair b) {
    struct __whorl_pair old = *to;
    *to = __wp_add(old, b);
    return old;
}
__wp __wp_post_sub(struct __whorl_pair *to, struct __whorl_pair b) {
    struct __whorl_pair old = *to;
    *to = __wp_sub(old, b);
    return old;
}

#endif
