// The table of measured functions and the arguments that they are measured with.
//
// Arguments come from their index alone, so every device, today and next year, is asked the same questions.
#include <math.h>
#include <string.h>

#include "math_judge.h"

#define ONE(f) \
    static double ref_##f(const double *a) { return f(a[0]); }
#define TWO(f) \
    static double ref_##f(const double *a) { return f(a[0], a[1]); }
ONE(fabs)
ONE(floor)
ONE(ceil)
ONE(trunc)
ONE(round)
ONE(rint)
ONE(sqrt)
ONE(exp)
ONE(exp2)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(cbrt)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asinh)
ONE(acosh)
ONE(atanh)
ONE(erf)
ONE(erfc)
TWO(fmin)
TWO(fmax)
TWO(fdim)
TWO(copysign)
TWO(fmod)
TWO(pow)
TWO(hypot)
TWO(atan2)
static double ref_isnan(const double *a) { return isnan(a[0]) ? 1 : 0; }
static double ref_isinf(const double *a) { return isinf(a[0]) ? 1 : 0; }
static double ref_isfinite(const double *a) { return isfinite(a[0]) ? 1 : 0; }
static double ref_signbit(const double *a) { return signbit(a[0]) ? 1 : 0; }
static double ref_divide(const double *a) { return a[0] / a[1]; }
static double ref_ldexp(const double *a) { return ldexp(a[0], (int)a[1]); }
static double ref_fma(const double *a) { return a[0] * a[1] + a[2]; } // the product of two floats is exact
static double ref_lround(const double *a) { return round(a[0]) + 0.0; }
static double ref_lrint(const double *a) { return rint(a[0]) + 0.0; }

#define F1(c, low, high, bound) \
    { #c "f", #c "f(x[i])", 1, MATH_PLAIN, {low }, {high }, bound, ref_##c }
#define IS(c) \
    { #c, #c "(x[i]) ? 1.0f : 0.0f", 1, MATH_PLAIN, {-100 }, {100 }, 0, ref_##c }
#define F2(c, traits, low, high, bound) \
    { #c "f", #c "f(x[i], y[i])", 2, traits, {low, low }, {high, high }, bound, ref_##c }

// clang-format off
const struct math_function math_functions[] = {
    F1(fabs, -100, 100, 0), F1(floor, -100, 100, 0), F1(ceil, -100, 100, 0), F1(trunc, -100, 100, 0),
    F1(round, -100, 100, 0), F1(rint, -100, 100, 0),
    {"nearbyintf", "nearbyintf(x[i])", 1, MATH_PLAIN, {-100}, {100}, 0, ref_rint},
    {"lroundf", "(float)lroundf(x[i])", 1, MATH_TO_INT | MATH_ANY_ZERO, {-100}, {100}, 0, ref_lround},
    {"lrintf", "(float)lrintf(x[i])", 1, MATH_TO_INT | MATH_ANY_ZERO, {-100}, {100}, 0, ref_lrint},
    F2(fmin, MATH_ANY_ZERO, -100, 100, 0), F2(fmax, MATH_ANY_ZERO, -100, 100, 0), F2(fdim, MATH_PLAIN, -100, 100, 0.5),
    F2(copysign, MATH_PLAIN, -100, 100, 0), F2(fmod, MATH_PLAIN, -100, 100, 0),
    {"ldexpf", "ldexpf(x[i], (int)y[i])", 2, MATH_WHOLE_SECOND, {-100, -60}, {100, 60}, 0, ref_ldexp},
    {"scalbnf", "scalbnf(x[i], (int)y[i])", 2, MATH_WHOLE_SECOND, {-100, -60}, {100, 60}, 0, ref_ldexp},
    IS(isnan), IS(isinf), IS(isfinite), IS(signbit),
    {"x / y", "x[i] / y[i]", 2, MATH_DIVISOR | MATH_WGSL, {-100, -100}, {100, 100}, 3, ref_divide},
    {"fmaf", "fmaf(x[i], y[i], z[i])", 3, MATH_EITHER_FMA | MATH_WGSL, {-100, -100}, {100, 100}, 0.5, ref_fma},
    {"sqrtf", "sqrtf(x[i])", 1, MATH_WGSL, {0}, {100}, 3, ref_sqrt},
    F1(exp, -87, 88, 1.5), F1(exp2, -126, 128, 1.5), F1(expm1, -18, 20, 2),
    F1(log, 0, 4, 1.5), F1(log2, 0, 4, 1.5), F1(log10, 0, 4, 1.5), F1(log1p, -1, 4, 1.5),
    {"powf", "powf(x[i], y[i])", 2, MATH_POWER, {0.01, -15}, {100, 15}, 2, ref_pow},
    F1(cbrt, -100, 100, 1.5), F2(hypot, MATH_PLAIN, -100, 100, 2),
    F1(sin, -30, 30, 3.5), F1(cos, -30, 30, 3.5), F1(tan, -30, 30, 5),
    F1(asin, -1, 1, 3.5), F1(acos, -1, 1, 3), F1(atan, -10, 10, 3), F2(atan2, MATH_PLAIN, -10, 10, 3.5),
    F1(sinh, -10, 10, 3.5), F1(cosh, -10, 10, 3), F1(tanh, -9, 9, 5),
    F1(asinh, -10, 10, 3), F1(acosh, 1, 10, 3), F1(atanh, -1, 1, 3),
    F1(erf, -4, 4, 3.5), F1(erfc, -3, 9, 5),
};
// clang-format on
const size_t math_function_count = sizeof math_functions / sizeof *math_functions;

// ---- arguments ----

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    if (isnan(x)) { // quiet: what a signalling one does is not C's business
        bits |= 0x400000u;
        memcpy(&x, &bits, sizeof x);
    }
    return x;
}

static uint64_t random_of(uint64_t index, uint64_t stream) { // splitmix64
    uint64_t x = (index * 4 + stream + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}
static double unit(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

// Where some function begins, ends, turns or changes its formula; each with its neighbours and its negative.
static const float landmarks[] = {
    0.29f,
    0.41f,
    0.5f,
    0.70710678f,
    0.87f,
    0.875f,
    0.92f,
    1.125f,
    1.41421356f,
    1.5f,
    2.5f,
    3.0f,
    3.5f,
    4.5f,
    9.01f,
    10.05f,
    11.0f,
    16.635532f,
    88.0f,
    87.336548f,
    88.722839f,
    89.415986f,
    103.278929f,
    103.972084f,
    126.0f,
    127.0f,
    149.0f,
    150.0f,
    2097151.5f,
    4194303.5f,
    4194304.5f,
    8388607.5f,
    8388609.0f,
    16777215.0f,
    100000.0f,
    99999.9922f,
    2147483520.f,
    1.1754942e-38f,
    1.17549435e-38f,
    3.40282347e+38f,
    1.84467441e+19f,
    1.0842022e-19f,
};
// The few that pairs are made of.
static const float pair_landmarks[] = {
    0.0f,
    1.0f,
    0.5f,
    2.0f,
    3.0f,
    2.5f,
    0.33333334f,
    10.0f,
    150.0f,
    1.40129846e-45f,
    7.0f,
    1e-3f,
    0.99999994f,
    1.00000012f,
    16777216.f,
    16777215.0f,
    1.17549421e-38f,
    1.17549435e-38f,
    3.40282347e+38f,
    1e20f,
};

struct specials {
    float *out;
    size_t count;
};
static void add_special(struct specials *s, float x) {
    if (s->count + 2 > MATH_MOST_SPECIALS) return;
    s->out[s->count++] = x;
    s->out[s->count++] = -x;
}
static void add_near(struct specials *s, float x) {
    add_special(s, x);
    add_special(s, nextafterf(x, 0.0f));
    add_special(s, nextafterf(x, INFINITY));
}

static size_t list_specials(float *out) {
    struct specials s = {.out = out};
    add_special(&s, 0.0f);
    add_special(&s, INFINITY);
    add_special(&s, NAN);
    for (int e = -149; e < 128; e++)
        add_near(&s, ldexpf(1.0f, e));
    for (size_t i = 0; i < sizeof landmarks / sizeof *landmarks; i++)
        add_near(&s, landmarks[i]);
    for (int k = 1; k <= 32; k++) // multiples of a quarter turn, where sine and cosine are smallest
        add_near(&s, (float)(k * 1.5707963267948966));
    for (int e = 5; e < 120; e += 5)
        add_special(&s, (float)ldexp(1.5707963267948966, e));
    add_near(&s, 16367173.0f * 0x1p72f); // the float that comes closest to a multiple of pi/2
    return s.count;
}

static size_t list_pairs(float *const args[MATH_MOST_ARITY]) {
    float few[2 * (sizeof pair_landmarks / sizeof *pair_landmarks + 2)];
    struct specials s = {.out = few};
    add_special(&s, INFINITY);
    add_special(&s, NAN);
    for (size_t i = 0; i < sizeof pair_landmarks / sizeof *pair_landmarks; i++)
        add_special(&s, pair_landmarks[i]);
    for (size_t i = 0; i < s.count * s.count; i++) {
        args[0][i] = few[i / s.count];
        args[1][i] = few[i % s.count];
        args[2][i] = few[(i * 7) % s.count];
    }
    return s.count * s.count;
}

// The second argument of a sweep: any float, or one that is related to the first, as most pairs in programs are.
static float second(const struct math_function *f, float x, uint64_t index, bool related) {
    uint64_t r = random_of(index, 1);
    if (!related) return float_of((uint32_t)(r >> 32));
    if (f->traits & MATH_POWER) return (float)((unit(r) * 2 - 1) * 150 / log2(fabs((double)x)));
    double scale = ldexp(1 + unit(r), (int)(random_of(index, 2) % 25) - 12);
    return (float)(r & 1 ? scale * (double)x : -scale * (double)x);
}

size_t math_arguments(const struct math_function *f, float *const args[MATH_MOST_ARITY], size_t *out_even) {
    size_t n = f->arity == 1 ? list_specials(args[0]) : list_pairs(args);
    // every sign, every exponent and 8 bits of the fraction, the rest at random
    for (uint32_t i = 0; i < MATH_SWEEP / 2; i++, n++) {
        args[0][n] = float_of(i << 15 | (uint32_t)(random_of(i, 0) & 0x7fff));
        if (f->arity > 1) args[1][n] = second(f, args[0][n], i, i & 1);
    }
    *out_even = n;
    for (uint32_t i = MATH_SWEEP / 2; i < MATH_SWEEP; i++, n++)
        for (int k = 0; k < f->arity && k < 2; k++)
            args[k][n] = (float)(f->low[k] + (f->high[k] - f->low[k]) * unit(random_of(i, (uint64_t)k)));
    for (size_t i = 0; i < n && f->arity > 2; i++) // a sum that nearly cancels, or any
        args[2][i] = i & 1 ? -args[0][i] * args[1][i] : float_of((uint32_t)random_of(i, 3));
    for (size_t i = 0; i < n && (f->traits & MATH_WHOLE_SECOND); i++) {
        float whole = rintf(fmodf(args[1][i], 400.0f));
        args[1][i] = isfinite(args[1][i]) ? whole : (float)((int)(random_of(i, 3) % 601) - 300);
    }
    return n;
}
