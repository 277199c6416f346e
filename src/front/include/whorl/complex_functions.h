// The operators of complex numbers, and the functions of complex.h, once for each of the two types. Products and
// quotients are those of finite numbers: what C's annex G makes of infinite ones again is not done.
__wc_number __WC_MATH(sqrt)(__wc_number x);
__wc_number __WC_MATH(fabs)(__wc_number x);
__wc_number __WC_MATH(copysign)(__wc_number x, __wc_number y);
__wc_number __WC_MATH(hypot)(__wc_number x, __wc_number y);
__wc_number __WC_MATH(atan2)(__wc_number y, __wc_number x);
__wc_number __WC_MATH(exp)(__wc_number x);
__wc_number __WC_MATH(log)(__wc_number x);
__wc_number __WC_MATH(sin)(__wc_number x);
__wc_number __WC_MATH(cos)(__wc_number x);
__wc_number __WC_MATH(sinh)(__wc_number x);
__wc_number __WC_MATH(cosh)(__wc_number x);

static inline __wc __WC_OWN(make)(__wc_number re, __wc_number im) {
    __wc r;
    r.re = re;
    r.im = im;
    return r;
}
static inline __wc __WC_OWN(from_real)(__wc_number x) { return __WC_OWN(make)(x, 0); }
static inline __wc __WC_OWN(from_other)(__wc_other z) {
    return __WC_OWN(make)((__wc_number)z.re, (__wc_number)z.im);
}
static inline __wc_number __WC_OWN(to_real)(__wc z) { return z.re; }
static inline _Bool __WC_OWN(to_bool)(__wc z) { return z.re != 0 || z.im != 0; }
static inline int __WC_OWN(eq)(__wc a, __wc b) { return a.re == b.re && a.im == b.im; }

static inline __wc __WC_OWN(neg)(__wc z) { return __WC_OWN(make)(-z.re, -z.im); }
static inline __wc __WC_OWN(conj)(__wc z) { return __WC_OWN(make)(z.re, -z.im); }
static inline __wc __WC_OWN(add)(__wc a, __wc b) { return __WC_OWN(make)(a.re + b.re, a.im + b.im); }
static inline __wc __WC_OWN(sub)(__wc a, __wc b) { return __WC_OWN(make)(a.re - b.re, a.im - b.im); }
static inline __wc __WC_OWN(mul)(__wc a, __wc b) {
    return __WC_OWN(make)(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
// By the larger part of b, so that no square is too large (R. Smith, 1962).
static inline __wc __WC_OWN(div)(__wc a, __wc b) {
    _Bool first = (b.re < 0 ? -b.re : b.re) >= (b.im < 0 ? -b.im : b.im);
    __wc_number large = first ? b.re : b.im, small = first ? b.im : b.re;
    __wc_number ratio = small / large, size = large + small * ratio;
    __wc_number re = first ? a.re + a.im * ratio : a.re * ratio + a.im;
    __wc_number im = first ? a.im - a.re * ratio : a.im * ratio - a.re;
    return __WC_OWN(make)(re / size, im / size);
}
// With a real number, which has no part that could be 0.
static inline __wc __WC_OWN(add_real)(__wc a, __wc_number b) { return __WC_OWN(make)(a.re + b, a.im); }
static inline __wc __WC_OWN(sub_real)(__wc a, __wc_number b) { return __WC_OWN(make)(a.re - b, a.im); }
static inline __wc __WC_OWN(mul_real)(__wc a, __wc_number b) { return __WC_OWN(make)(a.re * b, a.im * b); }
static inline __wc __WC_OWN(div_real)(__wc a, __wc_number b) { return __WC_OWN(make)(a.re / b, a.im / b); }
static inline __wc __WC_OWN(real_add)(__wc_number a, __wc b) { return __WC_OWN(make)(a + b.re, b.im); }
static inline __wc __WC_OWN(real_sub)(__wc_number a, __wc b) { return __WC_OWN(make)(a - b.re, -b.im); }
static inline __wc __WC_OWN(real_mul)(__wc_number a, __wc b) { return __WC_OWN(make)(a * b.re, a * b.im); }
static inline __wc __WC_OWN(real_div)(__wc_number a, __wc b) { return __WC_OWN(div)(__WC_OWN(from_real)(a), b); }

// z++, and through an operand that has effects: `*p++ += z`.
static inline __wc __WC_OWN(post_add)(__wc *a, __wc_number b) {
    __wc old = *a;
    *a = __WC_OWN(add_real)(old, b);
    return old;
}
static inline __wc __WC_OWN(set_add)(__wc *a, __wc b) { return *a = __WC_OWN(add)(*a, b); }
static inline __wc __WC_OWN(set_sub)(__wc *a, __wc b) { return *a = __WC_OWN(sub)(*a, b); }
static inline __wc __WC_OWN(set_mul)(__wc *a, __wc b) { return *a = __WC_OWN(mul)(*a, b); }
static inline __wc __WC_OWN(set_div)(__wc *a, __wc b) { return *a = __WC_OWN(div)(*a, b); }

static inline __wc_number __WC_LIBRARY(creal)(__wc z) { return z.re; }
static inline __wc_number __WC_LIBRARY(cimag)(__wc z) { return z.im; }
static inline __wc_number __WC_LIBRARY(cabs)(__wc z) { return __WC_MATH(hypot)(z.re, z.im); }
static inline __wc_number __WC_LIBRARY(carg)(__wc z) { return __WC_MATH(atan2)(z.im, z.re); }
static inline __wc __WC_LIBRARY(conj)(__wc z) { return __WC_OWN(make)(z.re, -z.im); }
static inline __wc __WC_LIBRARY(cexp)(__wc z) {
    __wc_number size = __WC_MATH(exp)(z.re);
    return __WC_OWN(make)(size * __WC_MATH(cos)(z.im), size * __WC_MATH(sin)(z.im));
}
static inline __wc __WC_LIBRARY(clog)(__wc z) {
    return __WC_OWN(make)(__WC_MATH(log)(__WC_MATH(hypot)(z.re, z.im)), __WC_MATH(atan2)(z.im, z.re));
}
static inline __wc __WC_LIBRARY(csqrt)(__wc z) {
    __wc_number half = (__wc_number)0.5;
    __wc_number large = __WC_MATH(sqrt)(half * (__WC_MATH(fabs)(z.re) + __WC_MATH(hypot)(z.re, z.im)));
    __wc_number small = large > 0 ? half * __WC_MATH(fabs)(z.im) / large : 0;
    _Bool right = z.re >= 0;
    return __WC_OWN(make)(right ? large : small, __WC_MATH(copysign)(right ? small : large, z.im));
}
static inline __wc __WC_LIBRARY(cpow)(__wc a, __wc b) {
    if (a.re == 0 && a.im == 0) return __WC_OWN(make)(b.re == 0 && b.im == 0 ? 1 : 0, 0);
    return __WC_LIBRARY(cexp)(__WC_OWN(mul)(b, __WC_LIBRARY(clog)(a)));
}
static inline __wc __WC_LIBRARY(csin)(__wc z) {
    return __WC_OWN(make)(__WC_MATH(sin)(z.re) * __WC_MATH(cosh)(z.im), __WC_MATH(cos)(z.re) * __WC_MATH(sinh)(z.im));
}
static inline __wc __WC_LIBRARY(ccos)(__wc z) {
    return __WC_OWN(make)(__WC_MATH(cos)(z.re) * __WC_MATH(cosh)(z.im), -__WC_MATH(sin)(z.re) * __WC_MATH(sinh)(z.im));
}
static inline __wc __WC_LIBRARY(csinh)(__wc z) {
    return __WC_OWN(make)(__WC_MATH(sinh)(z.re) * __WC_MATH(cos)(z.im), __WC_MATH(cosh)(z.re) * __WC_MATH(sin)(z.im));
}
static inline __wc __WC_LIBRARY(ccosh)(__wc z) {
    return __WC_OWN(make)(__WC_MATH(cosh)(z.re) * __WC_MATH(cos)(z.im), __WC_MATH(sinh)(z.re) * __WC_MATH(sin)(z.im));
}
