// Functions of math.h for -fdouble=pair. Where a float's function is near, it is corrected by one step of Newton's
// method; polynomials have their small terms in floats. docs/double.md has the errors.
#ifndef WHORL_PAIR_MATH_H
#define WHORL_PAIR_MATH_H

// exp(x) - 1 for |x| <= 0.36: of x / 16, doubled four times as m -> 2 m + m^2, which keeps small results exact.
__wp __wp_expm1_core(struct __whorl_pair x) {
    struct __whorl_pair r = __wp_scale(x, 0.0625f), m;
    float tail = 0x1.111112p-7f + r.hi * (0x1.6c16c2p-10f + r.hi * 0x1.a01a02p-13f);
    m = __wp_add(__wp_make(0x1.555556p-5f, -0x1.555556p-30f), __wp_times(r, tail));
    m = __wp_add(__wp_make(0x1.555556p-3f, -0x1.555556p-28f), __wp_mul(r, m));
    m = __wp_add(__wp_make(0.5f, 0.0f), __wp_mul(r, m));
    m = __wp_add(r, __wp_mul(__wp_mul(r, r), m));
    for (int i = 0; i < 4; i++)
        m = __wp_add(__wp_scale(m, 2.0f), __wp_mul(m, m));
    return m;
}
// x - k ln 2. k * 0x1.62ep-1 is exact for |k| < 2^11.
__wp __wp_less_ln2(struct __whorl_pair x, float k) {
    x = __wp_add(x, __wp_make(__whorl_hold(k * -0x1.62ep-1f), 0.0f));
    return __wp_sub(x, __wp_times(__wp_make(0x1.0bfbe8p-15f, 0x1.cf79acp-40f), k));
}
__wp __wp_exp_whole(struct __whorl_pair r, float k, float x) {
    struct __whorl_pair y = __wp_ldexp(__wp_add(__wp_make(1.0f, 0.0f), __wp_expm1_core(r)), (int)k);
    float end = x > 0.0f ? __builtin_inff() : 0.0f;
    _Bool out = x > 89.0f || x < -104.0f;
    float hi = out ? end : y.hi, hi_or_nan = __builtin_isnan(x) ? x : hi;
    return __wp_make(hi_or_nan, out || !__builtin_isfinite(hi_or_nan) ? 0.0f : y.lo);
}
// exp(x) / 2^halves
__wp __wp_exp_halved(struct __whorl_pair x, float halves) {
    float near = __builtin_fminf(__builtin_fmaxf(x.hi, -110.0f), 100.0f), k = __builtin_rintf(near * 0x1.715476p+0f);
    struct __whorl_pair r = __wp_less_ln2(__wp_make(near, near == x.hi ? x.lo : 0.0f), k);
    return __wp_exp_whole(r, k - halves, x.hi - halves * 0.6931472f);
}
__wp __wp_exp(struct __whorl_pair x) { return __wp_exp_halved(x, 0.0f); }
__wp __wp_exp2(struct __whorl_pair x) {
    float near = __builtin_fminf(__builtin_fmaxf(x.hi, -160.0f), 140.0f), k = __builtin_rintf(near);
    struct __whorl_pair left = __wp_add(__wp_make(near - k, 0.0f), __wp_make(near == x.hi ? x.lo : 0.0f, 0.0f));
    struct __whorl_pair r = __wp_mul(left, __wp_make(0x1.62e430p-1f, -0x1.05c610p-29f));
    return __wp_exp_whole(r, k, x.hi * 0x1.62e430p-1f);
}
__wp __wp_expm1(struct __whorl_pair x) {
    struct __whorl_pair large = __wp_sub(__wp_exp(x), __wp_make(1.0f, 0.0f));
    _Bool small = __builtin_fabsf(x.hi) < 0.35f;
    struct __whorl_pair core = __wp_expm1_core(__wp_make(small ? x.hi : 0.0f, small ? x.lo : 0.0f));
    _Bool zero = x.hi == 0.0f;
    return __wp_make(zero ? x.hi : small ? core.hi : large.hi, zero ? 0.0f : small ? core.lo : large.lo);
}

// Of a number in [0.7, 1.42): logf, and what is left of m exp(-y) - 1.
__wp __wp_log_core(struct __whorl_pair m) {
    float y = __whorl_hold(__builtin_logf(m.hi));
    struct __whorl_pair e = __wp_expm1_core(__wp_make(-y, 0.0f));
    struct __whorl_pair z = __wp_add(__wp_sub(m, __wp_make(1.0f, 0.0f)), __wp_mul(m, e));
    return __wp_add(__wp_make(y, 0.0f), __wp_sub(z, __wp_make(0.5f * z.hi * z.hi, 0.0f)));
}
// The exponent k of a positive number x = m 2^k with m in [0.7, 1.42).
static inline int __wp_exponent(float x) {
    float lifted = x < 0x1p-100f ? x * 0x1p64f : x;
    unsigned bits;
    __builtin_memcpy(&bits, &lifted, 4);
    return (int)((bits - 0x3f3504f3u) >> 23) - ((bits < 0x3f3504f3u) ? 512 : 0) - (x < 0x1p-100f ? 64 : 0);
}
__wp __wp_log_whole(struct __whorl_pair x, struct __whorl_pair y) {
    float end = x.hi == 0.0f ? -__builtin_inff() : x.hi > 0.0f ? x.hi : __builtin_nanf("");
    _Bool number = x.hi > 0.0f && __builtin_isfinite(x.hi);
    return __wp_make(number ? y.hi : end, number ? y.lo : 0.0f);
}
__wp __wp_log(struct __whorl_pair x) {
    _Bool number = x.hi > 0.0f && __builtin_isfinite(x.hi);
    int k = __wp_exponent(number ? x.hi : 1.0f);
    struct __whorl_pair y = __wp_log_core(__wp_ldexp(__wp_make(number ? x.hi : 1.0f, number ? x.lo : 0.0f), -k));
    struct __whorl_pair whole = __wp_times(__wp_make(0x1.62e430p-1f, -0x1.05c610p-29f), (float)k);
    return __wp_log_whole(x, __wp_add(whole, y));
}
__wp __wp_log2(struct __whorl_pair x) {
    _Bool number = x.hi > 0.0f && __builtin_isfinite(x.hi);
    int k = __wp_exponent(number ? x.hi : 1.0f);
    struct __whorl_pair y = __wp_log_core(__wp_ldexp(__wp_make(number ? x.hi : 1.0f, number ? x.lo : 0.0f), -k));
    y = __wp_mul(y, __wp_make(0x1.715476p+0f, 0x1.4ae0c0p-26f));
    return __wp_log_whole(x, __wp_add(__wp_make((float)k, 0.0f), y));
}
__wp __wp_log10(struct __whorl_pair x) {
    struct __whorl_pair y = __wp_log(x);
    struct __whorl_pair scaled = __wp_mul(y, __wp_make(0x1.bcb7b2p-2f, -0x1.5b235ep-27f));
    return __wp_make(scaled.hi, scaled.lo);
}
// log(u) of u = 1 + x, times what rounding made of x.
__wp __wp_log1p(struct __whorl_pair x) {
    struct __whorl_pair u = __wp_add(__wp_make(1.0f, 0.0f), x), left = __wp_sub(u, __wp_make(1.0f, 0.0f));
    struct __whorl_pair y = __wp_log(u), scaled = __wp_mul(y, __wp_div(x, left));
    _Bool same = left.hi == 0.0f, plain = !__builtin_isfinite(y.hi) || x.hi > 0x1p60f;
    return __wp_make(same ? x.hi : plain ? y.hi : scaled.hi, same ? x.lo : plain ? y.lo : scaled.lo);
}

// Whole powers up to 64 by squaring; else exp(y log |x|). The sign and the special cases are C's.
__wp __wp_pow(struct __whorl_pair x, struct __whorl_pair y) {
    struct __whorl_pair whole = __wp_trunc(y), half = __wp_scale(whole, 0.5f), r;
    _Bool is_whole = __wp_eq(whole, y), odd = is_whole && __wp_ne(half, __wp_trunc(half));
    struct __whorl_pair size = __wp_fabs(x);
    if (is_whole && __builtin_fabsf(y.hi) <= 64.0f) {
        int n = (int)__builtin_fabsf(y.hi);
        struct __whorl_pair square = size;
        if (y.hi < 0.0f) square = __wp_div(__wp_make(1.0f, 0.0f), size);
        r = __wp_make(1.0f, 0.0f);
        for (int i = 0; i < 7; i++) {
            if (n >> i & 1) r = __wp_mul(r, square);
            square = __wp_mul(square, square);
        }
    } else {
        r = __wp_exp(__wp_mul(y, __wp_log(size)));
        if (size.hi == 1.0f && size.lo == 0.0f) r = __wp_make(1.0f, 0.0f);
        if (x.hi < 0.0f && __builtin_isfinite(x.hi) && !is_whole) r = __wp_make(__builtin_nanf(""), 0.0f);
    }
    if (__builtin_isnan(x.hi) && y.hi != 0.0f) r = __wp_make(x.hi, 0.0f);
    if (__builtin_isnan(y.hi) && !(x.hi == 1.0f && x.lo == 0.0f)) r = __wp_make(y.hi, 0.0f);
    return odd && __builtin_signbit(x.hi) ? __wp_neg(r) : r;
}
__wp __wp_cbrt(struct __whorl_pair x) {
    float y = __whorl_hold(__builtin_cbrtf(x.hi)), p = __whorl_hold(y * y);
    struct __whorl_pair square = __wp_make(p, __whorl_product_error(y, y, p));
    struct __whorl_pair left = __wp_sub(x, __wp_times(square, y));
    float step = left.hi / (3.0f * p);
    return __wp_close(y, x.hi == 0.0f || !__builtin_isfinite(step) ? 0.0f : step);
}
__wp __wp_hypot(struct __whorl_pair x, struct __whorl_pair y) {
    float most = __builtin_fmaxf(__builtin_fabsf(x.hi), __builtin_fabsf(y.hi));
    int k = most > 0.0f && __builtin_isfinite(most) ? __wp_exponent(most) : 0;
    struct __whorl_pair a = __wp_ldexp(x, -k), b = __wp_ldexp(y, -k);
    struct __whorl_pair r = __wp_ldexp(__wp_sqrt(__wp_add(__wp_mul(a, a), __wp_mul(b, b))), k);
    _Bool large = __builtin_isinf(x.hi) || __builtin_isinf(y.hi);
    return __wp_make(large ? __builtin_inff() : r.hi, large ? 0.0f : r.lo);
}

// ---- angles ---------------------------------------------------------------------------------------------------------
// Of |x| <= 0.79.
__wp __wp_sin_core(struct __whorl_pair x) {
    struct __whorl_pair s = __wp_mul(x, x), r;
    float t = s.hi, tail = 0x1.71de3ap-19f + t * (-0x1.ae6456p-26f + t * (0x1.612462p-33f + t * -0x1.ae7f3ep-41f));
    r = __wp_add(__wp_make(-0x1.a01a02p-13f, 0x1.7f97fap-39f), __wp_times(s, tail));
    r = __wp_add(__wp_make(0x1.111112p-7f, -0x1.ddddde0p-32f), __wp_mul(s, r));
    r = __wp_add(__wp_make(-0x1.555556p-3f, 0x1.555556p-28f), __wp_mul(s, r));
    return __wp_add(x, __wp_mul(x, __wp_mul(s, r)));
}
__wp __wp_cos_core(struct __whorl_pair x) {
    struct __whorl_pair s = __wp_mul(x, x), r;
    float t = s.hi, tail = -0x1.27e4fcp-22f + t * (0x1.1eed8ep-29f + t * (-0x1.93974ap-37f + t * 0x1.ae7f3ep-45f));
    r = __wp_add(__wp_make(0x1.a01a02p-16f, -0x1.7f97fap-42f), __wp_times(s, tail));
    r = __wp_add(__wp_make(-0x1.6c16c2p-10f, 0x1.27d27ep-35f), __wp_mul(s, r));
    r = __wp_add(__wp_make(0x1.555556p-5f, -0x1.555556p-30f), __wp_mul(s, r));
    r = __wp_add(__wp_make(-0.5f, 0.0f), __wp_mul(s, r));
    return __wp_add(__wp_make(1.0f, 0.0f), __wp_mul(s, r));
}
// Quarter turns in x; NaN beyond 2^22, where a pair has no digits of the angle left.
static inline float __wp_quarters(struct __whorl_pair x) {
    return __builtin_fabsf(x.hi) < 0x1p22f ? __builtin_rintf(x.hi * 0x1.45f306p-1f) : __builtin_nanf("");
}
__wp __wp_less_quarters(struct __whorl_pair x, float k) {
    static const float part[4] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f, 0x1.98a2e0p-77f};
    for (int i = 0; i < 4; i++) {
        float p = __whorl_hold(k * part[i]);
        x = __wp_sub(x, __wp_make(p, __whorl_product_error(k, part[i], p)));
    }
    return x;
}
// sin of x + quarters more quarter turns
__wp __wp_sin_from(struct __whorl_pair x, int quarters) {
    float k = __wp_quarters(x);
    int turn = (__builtin_isnan(k) ? 0 : (int)k) + quarters;
    struct __whorl_pair r = __wp_less_quarters(x, k), y;
    if (turn & 1)
        y = __wp_cos_core(r);
    else
        y = __wp_sin_core(r);
    _Bool minus = (turn & 2) != 0;
    return __wp_make(minus ? -y.hi : y.hi, minus ? -y.lo : y.lo);
}
__wp __wp_sin(struct __whorl_pair x) {
    struct __whorl_pair y = __wp_sin_from(x, 0);
    return __wp_make(x.hi == 0.0f ? x.hi : y.hi, y.lo);
}
__wp __wp_cos(struct __whorl_pair x) { return __wp_sin_from(x, 1); }
__wp __wp_tan(struct __whorl_pair x) {
    float k = __wp_quarters(x);
    struct __whorl_pair r = __wp_less_quarters(x, k), s = __wp_sin_core(r), c = __wp_cos_core(r);
    _Bool odd = ((__builtin_isnan(k) ? 0 : (int)k) & 1) != 0;
    struct __whorl_pair over = __wp_make(odd ? -c.hi : s.hi, odd ? -c.lo : s.lo);
    struct __whorl_pair y = __wp_div(over, __wp_make(odd ? s.hi : c.hi, odd ? s.lo : c.lo));
    return __wp_make(x.hi == 0.0f ? x.hi : y.hi, y.lo);
}
// The angle of (x, y) with x >= |y|: atanf, and what is left of it.
__wp __wp_atan_core(struct __whorl_pair y, struct __whorl_pair x) {
    float a = __whorl_hold(__builtin_atanf(y.hi / x.hi));
    struct __whorl_pair angle = __wp_make(a, 0.0f), s = __wp_sin_core(angle), c = __wp_cos_core(angle);
    struct __whorl_pair over = __wp_sub(__wp_mul(y, c), __wp_mul(x, s));
    float step = over.hi / (x.hi * c.hi + y.hi * s.hi);
    return __wp_close(a, __builtin_isfinite(step) ? step : 0.0f);
}
// The octant first: the core sees a quotient of at most 1.
__wp __wp_atan2(struct __whorl_pair y, struct __whorl_pair x) {
    struct __whorl_pair ay = __wp_fabs(y), ax = __wp_fabs(x), r;
    _Bool steep = ay.hi > ax.hi, none = ax.hi == 0.0f && ay.hi == 0.0f;
    _Bool ends = __builtin_isinf(ax.hi) && __builtin_isinf(ay.hi),
          wrong = __builtin_isnan(x.hi) || __builtin_isnan(y.hi);
    if (ends) ax = ay = __wp_make(1.0f, 0.0f);
    if (none) ax = __wp_make(1.0f, 0.0f);
    int k =
        __wp_exponent(wrong || __builtin_isinf(ax.hi) || __builtin_isinf(ay.hi) ? 1.0f : __builtin_fmaxf(ax.hi, ay.hi));
    ax = __wp_ldexp(ax, -k);
    ay = __wp_ldexp(ay, -k);
    if (steep)
        r = __wp_sub(__wp_make(0x1.921fb6p+0f, -0x1.777a5cp-25f), __wp_atan_core(ax, ay));
    else
        r = __wp_atan_core(ay, ax);
    if (__builtin_signbit(x.hi)) r = __wp_sub(__wp_make(0x1.921fb6p+1f, -0x1.777a5cp-24f), r);
    if (wrong) r = __wp_make(__builtin_nanf(""), 0.0f);
    return __wp_copysign(r, y);
}
__wp __wp_atan(struct __whorl_pair x) { return __wp_atan2(x, __wp_make(1.0f, 0.0f)); }
// sqrt(1 - x^2) as a product, which cancels nothing.
__wp __wp_side(struct __whorl_pair x) {
    struct __whorl_pair one = __wp_make(1.0f, 0.0f);
    return __wp_sqrt(__wp_mul(__wp_sub(one, x), __wp_add(one, x)));
}
__wp __wp_asin(struct __whorl_pair x) { return __wp_atan2(x, __wp_side(x)); }
__wp __wp_acos(struct __whorl_pair x) { return __wp_atan2(__wp_side(x), x); }

// ---- hyperbolic -----------------------------------------------------------------------------------------------------
__wp __wp_sinh(struct __whorl_pair x) {
    struct __whorl_pair e = __wp_expm1(__wp_fabs(x)), half = __wp_scale(e, 0.5f);
    struct __whorl_pair r = __wp_add(half, __wp_div(half, __wp_add(e, __wp_make(1.0f, 0.0f))));
    struct __whorl_pair far = __wp_exp_halved(__wp_fabs(x), 1.0f);
    _Bool is_far = __builtin_fabsf(x.hi) > 40.0f;
    return __wp_copysign(__wp_make(is_far ? far.hi : r.hi, is_far ? far.lo : r.lo), x);
}
__wp __wp_cosh(struct __whorl_pair x) {
    struct __whorl_pair size = __wp_fabs(x), half = __wp_exp_halved(size, 1.0f);
    struct __whorl_pair r = __wp_add(half, __wp_div(__wp_make(0.25f, 0.0f), half));
    _Bool is_far = size.hi > 40.0f;
    return __wp_make(is_far ? half.hi : r.hi, is_far ? half.lo : r.lo);
}
__wp __wp_tanh(struct __whorl_pair x) {
    struct __whorl_pair size = __wp_fabs(x), e = __wp_expm1(__wp_scale(size, 2.0f));
    struct __whorl_pair r = __wp_div(e, __wp_add(e, __wp_make(2.0f, 0.0f)));
    _Bool one = size.hi > 20.0f;
    return __wp_copysign(__wp_make(one ? 1.0f : r.hi, one ? 0.0f : r.lo), x);
}

// ---- the error function ---------------------------------------------------------------------------------------------
// W. J. Cody, Rational Chebyshev approximations for the error function, Mathematics of Computation 23 (1969): for each
// of three ranges two polynomials, the highest coefficients first, behind zeros.
static const float __wp_erf_over[27][2] = {
    {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0x1.7c7906p-3f, -0x1.738f38p-29f},
    {0x1.949fb4p+1f, -0x1.2bbc18p-27f}, {0x1.c774e4p+6f, 0x1.a6cbb4p-19f}, {0x1.797c38p+8f, 0x1.12ea52p-17f},
    {0x1.912c16p+11f, -0x1.945dbcp-14f}, {0x1.71e704p-26f, -0x1.d053f6p-53f}, {0x1.20dd5p-1f, 0x1.1d6208p-26f},
    {0x1.1c42c4p+3f, -0x1.48e88p-22f}, {0x1.087a0ep+6f, -0x1.c77be6p-19f}, {0x1.2aa298p+8f, 0x1.aae918p-18f},
    {0x1.b8f9e2p+9f, 0x1.8ae7e8p-17f}, {0x1.ac030cp+10f, 0x1.5dc8d8p-18f}, {0x1.006282p+11f, 0x1.236f6cp-17f},
    {0x1.3395b8p+10f, -0x1.681b9p-21f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0x1.0b4fb2p-6f, -0x1.d2de8ep-32f},
    {0x1.38a78cp-2f, -0x1.83e682p-28f}, {0x1.70fe4p-2f, 0x1.c484b8p-27f}, {0x1.0199dap-3f, -0x1.fd5ef4p-29f},
    {0x1.078448p-6f, 0x1.9ad8b6p-31f}, {0x1.595fdp-11f, 0x1.ae3c68p-36f}};
static const float __wp_erf_under[27][2] = {
    {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0x1.0p+0f, 0x0.0p+0f},
    {0x1.799ee4p+4f, -0x1.7a09a4p-21f}, {0x1.e80c9ep+7f, -0x1.503548p-18f}, {0x1.40a776p+10f, -0x1.ac6a48p-15f},
    {0x1.638794p+11f, 0x1.1dc3d6p-16f}, {0x1.0p+0f, 0x0.0p+0f}, {0x1.f7d67p+3f, -0x1.6f2426p-22f},
    {0x1.d6c69cp+6f, -0x1.e00644p-19f}, {0x1.0c972ep+9f, 0x1.621d28p-17f}, {0x1.9558eep+10f, 0x1.9453a4p-15f},
    {0x1.9b5994p+11f, -0x1.525dcp-14f}, {0x1.10a9e8p+12f, -0x1.a778bcp-15f}, {0x1.adebc4p+11f, -0x1.b79218p-20f},
    {0x1.3395b8p+10f, -0x1.6504f8p-21f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0.0f, 0.0f}, {0x1.0p+0f, 0x0.0p+0f},
    {0x1.48c546p+1f, -0x1.eeffe4p-24f}, {0x1.df79d6p+0f, 0x1.0abe1ap-25f}, {0x1.0e4994p-1f, -0x1.edd3c8p-29f},
    {0x1.efc42ap-5f, -0x1.d05044p-30f}, {0x1.32147ap-9f, 0x1.4bad1p-41f}};
// exp(-y y): the square of y in sixteenths is exact.
__wp __wp_exp_of_square(struct __whorl_pair y) {
    float near = __builtin_truncf(y.hi * 16.0f) * 0.0625f, square = near * near;
    struct __whorl_pair part = __wp_make(near, 0.0f), left = __wp_mul(__wp_sub(y, part), __wp_add(y, part));
    float k = __builtin_rintf((square + left.hi) * -0x1.715476p+0f);
    return __wp_exp_whole(__wp_sub(__wp_less_ln2(__wp_make(-square, 0.0f), k), left), k, -square);
}
// Of y in [0, 10]: erf(y) up to 0.46875, and erfc(y) beyond.
__wp __wp_erf_core(struct __whorl_pair y) {
    int range = y.hi <= 0.46875f ? 0 : y.hi <= 4.0f ? 1 : 2;
    struct __whorl_pair one = __wp_make(1.0f, 0.0f), v = y, over = __wp_make(0.0f, 0.0f), under = over, r;
    if (range != 1) v = __wp_mul(y, y);
    if (range == 2) v = __wp_div(one, v);
    for (int i = 0; i < 9; i++) {
        const float *a = __wp_erf_over[9 * range + i], *b = __wp_erf_under[9 * range + i];
        over = __wp_add(__wp_mul(over, v), __wp_make(a[0], a[1]));
        under = __wp_add(__wp_mul(under, v), __wp_make(b[0], b[1]));
    }
    r = __wp_div(over, under);
    if (range == 0) return __wp_mul(y, r);
    // (1 / sqrt(pi) - v r) / y
    if (range == 2) r = __wp_div(__wp_sub(__wp_make(0x1.20dd76p-1f, -0x1.f7ac92p-26f), __wp_mul(v, r)), y);
    return __wp_mul(r, __wp_exp_of_square(y));
}
__wp __wp_erf(struct __whorl_pair x) {
    float size = __builtin_fabsf(x.hi);
    struct __whorl_pair one = __wp_make(1.0f, 0.0f), y = __wp_fabs(x), r = one;
    if (size < 6.0f) {
        r = __wp_erf_core(y);
        if (size > 0.46875f) r = __wp_sub(one, r);
    }
    if (__builtin_isnan(x.hi) || x.hi == 0.0f) r = x;
    return __wp_copysign(r, x);
}
__wp __wp_erfc(struct __whorl_pair x) {
    float size = __builtin_fabsf(x.hi);
    struct __whorl_pair y = __wp_fabs(x), r = __wp_make(__builtin_isnan(x.hi) ? x.hi : 0.0f, 0.0f);
    if (size < 10.0f) r = __wp_erf_core(y);
    if (size <= 0.46875f) return __wp_sub(__wp_make(1.0f, 0.0f), x.hi < 0.0f ? __wp_neg(r) : r);
    return x.hi < 0.0f ? __wp_sub(__wp_make(2.0f, 0.0f), r) : r;
}

// ---- parts of a number ----------------------------------------------------------------------------------------------
// By quotients that are not more than what is there, 22 bits of it at a time. Of whole numbers below 2^46 nothing is
// lost.
__wp __wp_fmod(struct __whorl_pair x, struct __whorl_pair y) {
    struct __whorl_pair rest = __wp_fabs(x), size = __wp_fabs(y);
    _Bool finite = !__whorl_is_plain(rest.hi) && !__whorl_is_plain(size.hi);
    for (int k = 0; k < 12 && !__wp_lt(rest, size); k++) {
        float ratio = rest.hi / size.hi * 0.99999976f;
        float times = __builtin_truncf(finite && ratio > 1e30f ? 1e30f : ratio);
        rest = __wp_sub(rest, __wp_times(size, times < 1.0f ? 1.0f : times));
    }
    rest = rest.hi < 0.0f ? __wp_add(rest, size) : rest;
    return __wp_copysign(rest, x);
}

__wp __wp_modf(struct __whorl_pair x, struct __whorl_pair *whole) {
    struct __whorl_pair w = __wp_trunc(x), left = __wp_sub(x, w);
    _Bool none = __builtin_isinf(x.hi);
    *whole = w;
    return __wp_copysign(__wp_make(none ? 0.0f : left.hi, none ? 0.0f : left.lo), x);
}
__wp __wp_frexp(struct __whorl_pair x, int *exponent) {
    float size = __builtin_fabsf(x.hi);
    _Bool number = size > 0.0f && __builtin_isfinite(size);
    int k = __wp_exponent(number ? size : 1.0f);
    struct __whorl_pair half = __wp_ldexp(__wp_make(number ? x.hi : 1.0f, number ? x.lo : 0.0f), -k);
    _Bool large = __wp_ge(__wp_fabs(half), __wp_make(1.0f, 0.0f));
    half = __wp_scale(half, large ? 0.5f : 1.0f);
    *exponent = number ? k + large : 0;
    return __wp_make(number ? half.hi : x.hi, number ? half.lo : 0.0f);
}

// ---- to whole numbers -----------------------------------------------------------------------------------------------
static inline int __wp_lround(struct __whorl_pair a) { return __wp_to_int(__wp_round(a)); }
static inline int __wp_lrint(struct __whorl_pair a) { return __wp_to_int(__wp_rint(a)); }
static inline int __wp_llround(struct __whorl_pair a) { return __wp_to_int(__wp_round(a)); }
static inline int __wp_llrint(struct __whorl_pair a) { return __wp_to_int(__wp_rint(a)); }

#endif
