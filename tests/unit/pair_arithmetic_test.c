// The functions of -fdouble=pair as C has them here, against long double: the bounds of docs/double.md on random numbers
// and on the ends of ranges. What drivers make of them: tests/double.sh.
#include "check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/pairs.h"
#include "ir/ir.h"

#include "ir/eval.h"

// The operations of the IR, as its judge computes them.
static float evaluated(enum ir_op op, float a, float b, float c) {
    uint32_t bits = 0;
    CHECK(ir_eval_op(op, IR_F32, base_float_bits(a), base_float_bits(b), base_float_bits(c), &bits));
    return base_bits_float(bits);
}
float __whorl_hold(float x) { return evaluated(IR_HOLD, x, 0, 0); }
float __whorl_sum_error(float a, float b, float sum) { return evaluated(IR_SUM_ERROR, a, b, sum); }
float __whorl_product_error(float a, float b, float product) { return evaluated(IR_PRODUCT_ERROR, a, b, product); }
_Bool __whorl_is_plain(float x) { return x == 0.0f || !isfinite(x); }

#include "front/include/whorl/pair.h"
#include "front/include/whorl/pair_math.h"

typedef struct __whorl_pair pair;

static uint64_t state;
static double uniform(void) { // [0, 1)
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}
static pair pair_of(double value) {
    struct base_pair p = base_pair_of(value);
    return (pair){p.high, p.low};
}
static double value_of(pair p) { return base_pair_value((struct base_pair){p.hi, p.lo}); }
static double scattered(void) {
    double size = (1 + uniform()) * ldexp(1, (int)(uniform() * 40) - 20);
    return uniform() < 0.5 ? -size : size;
}

// How far off, in powers of two beside the exact result.
static void keep_worst(double *worst, pair got, long double want) {
    if (want == 0 || !isfinite((double)want)) return;
    double error = (double)(fabsl(((long double)got.hi + (long double)got.lo - want) / want));
    if (!(error <= *worst)) *worst = error;
}

enum { NUMBERS = 20000 };

TEST(arithmetic_is_within_its_bound) {
    double worst[5] = {0};
    state = 1;
    for (int i = 0; i < NUMBERS; i++) {
        pair a = pair_of(scattered()), b = pair_of(scattered());
        if (i % 4 == 0) b = pair_of(-value_of(a) * (1 + (uniform() - 0.5) * ldexp(1, -i % 44))); // cancels
        long double x = (long double)value_of(a), y = (long double)value_of(b);
        keep_worst(&worst[0], __wp_add(a, b), x + y);
        keep_worst(&worst[1], __wp_sub(a, b), x - y);
        keep_worst(&worst[2], __wp_mul(a, b), x * y);
        keep_worst(&worst[3], __wp_div(a, b), x / y);
        keep_worst(&worst[4], __wp_sqrt(__wp_fabs(a)), sqrtl(fabsl(x)));
    }
    for (int k = 0; k < 5; k++)
        CHECK(worst[k] > 0x1p-60 && worst[k] <= 0x1p-44);
}

TEST(functions_are_within_their_bounds) {
    static const struct {
        pair (*ours)(pair);
        long double (*exact)(long double);
        double lo, hi, bound;
    } rows[] = {
        {__wp_exp, expl, -60, 88, 0x1p-44},     {__wp_exp2, exp2l, -80, 127, 0x1p-44},
        {__wp_expm1, expm1l, -3, 3, 0x1p-44},   {__wp_log, logl, 0, 4, 0x1p-44},
        {__wp_log, logl, 0, 1e30, 0x1p-44},     {__wp_log2, log2l, 0, 4, 0x1p-44},
        {__wp_log10, log10l, 0, 4, 0x1p-44},    {__wp_log1p, log1pl, -0.5, 4, 0x1p-44},
        {__wp_cbrt, cbrtl, -100, 100, 0x1p-44}, {__wp_sin, sinl, -30, 30, 0x1p-44},
        {__wp_cos, cosl, -30, 30, 0x1p-44},     {__wp_tan, tanl, -30, 30, 0x1p-44},
        {__wp_sin, sinl, -4e6, 4e6, 0x1p-40},   {__wp_asin, asinl, -1, 1, 0x1p-44},
        {__wp_acos, acosl, -1, 1, 0x1p-44},     {__wp_atan, atanl, -10, 10, 0x1p-44},
        {__wp_sinh, sinhl, -80, 80, 0x1p-44},   {__wp_cosh, coshl, -80, 80, 0x1p-44},
        {__wp_tanh, tanhl, -9, 9, 0x1p-44},     {__wp_erf, erfl, -0.5, 0.5, 0x1p-44},
        {__wp_erf, erfl, -7, 7, 0x1p-44},       {__wp_erfc, erfcl, -3, 0.5, 0x1p-44},
        {__wp_erfc, erfcl, 0.4, 4.5, 0x1p-44},  {__wp_erfc, erfcl, 4, 7, 0x1p-44},
    };
    state = 2;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        double worst = 0;
        for (int i = 0; i < NUMBERS / 8; i++) {
            pair x = pair_of(rows[r].lo + (rows[r].hi - rows[r].lo) * uniform());
            keep_worst(&worst, rows[r].ours(x), rows[r].exact((long double)value_of(x)));
        }
        if (!(worst <= rows[r].bound)) printf("row %zu: 2^%.2f\n", r, log2(worst));
        CHECK(worst > 0 && worst <= rows[r].bound);
    }
}

TEST(functions_of_two_are_within_their_bounds) {
    double worst[4] = {0};
    state = 3;
    for (int i = 0; i < NUMBERS / 4; i++) {
        pair x = pair_of(0.01 + 100 * uniform()), y = pair_of(30 * uniform() - 15);
        pair whole = pair_of(floor(130 * uniform()) - 65), near = pair_of(0.5 + uniform());
        long double a = (long double)value_of(x), b = (long double)value_of(y);
        keep_worst(&worst[0], __wp_pow(x, y), powl(a, b));
        keep_worst(&worst[1], __wp_hypot(x, y), hypotl(a, b));
        keep_worst(&worst[2], __wp_atan2(y, x), atan2l(b, a));
        keep_worst(&worst[3], __wp_pow(near, whole), powl((long double)value_of(near), (long double)value_of(whole)));
    }
    CHECK(worst[0] <= 0x1p-40 && worst[1] <= 0x1p-44 && worst[2] <= 0x1p-44 && worst[3] <= 0x1p-40);
}

static bool same(double a, double b);
TEST(remainders_of_division) {
    state = 6;
    for (int i = 0; i < NUMBERS / 4; i++) {
        double large = floor(70368744177663 * uniform()), small = 1 + floor((i % 2 ? 2147483647 : 1000) * uniform());
        CHECK_EQ_INT((long long)fmod(large, small), (long long)value_of(__wp_fmod(pair_of(large), pair_of(small))));
        pair x = pair_of(200 * uniform() - 100), y = pair_of(0.01 + 3 * uniform());
        double a = value_of(x), b = value_of(y), off = fabs(value_of(__wp_fmod(x, y)) - fmod(a, b));
        CHECK(off <= fabs(a) * 0x1p-44 || fabs(off - b) <= fabs(a) * 0x1p-44); // on either side of a whole quotient
    }
    static const double ends[] = {0.0, -0.0, 1, -5, 3, 1e30, INFINITY, -INFINITY, NAN, 4194304, 1e-20};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            double a = value_of(pair_of(ends[i])), b = value_of(pair_of(ends[k]));
            bool is_rounded = isfinite(a) && isfinite(b) && b != 0 && fabs(a) > 0x1p46 * fabs(b);
            if (!is_rounded) CHECK(same(value_of(__wp_fmod(pair_of(a), pair_of(b))), fmod(a, b)));
        }
}

static bool same(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && !signbit(a) == !signbit(b)); }

TEST(ends_and_special_values) {
    static const double numbers[] = {
        0.0,           -0.0,         1,         -1,   INFINITY,      -INFINITY,      NAN,
        0.5,           -2.5,         3.5,       1.5,  -0.4,          16777217,       2147483647,
        -2147483648.0, 4294967295.0, 8388608.5, 1e12, 0.99999999999, -0.99999999999, 65535.99999999};
    enum { COUNT = sizeof numbers / sizeof *numbers };
    for (int i = 0; i < COUNT; i++) {
        pair x = pair_of(numbers[i]);
        double a = value_of(x);
        CHECK(same(value_of(__wp_floor(x)), floor(a)) && same(value_of(__wp_ceil(x)), ceil(a)));
        CHECK(same(value_of(__wp_trunc(x)), trunc(a)) && same(value_of(__wp_round(x)), round(a)));
        CHECK(same(value_of(__wp_rint(x)), rint(a)) && same(value_of(__wp_neg(x)), -a));
        if (fabs(a) < 2147483648.0) CHECK_EQ_INT((int)a, __wp_to_int(x));
        if (a > -1 && a < 4294967296.0) CHECK_EQ_INT((long long)(unsigned)a, (long long)__wp_to_unsigned(x));
        for (int k = 0; k < COUNT; k++) {
            pair y = pair_of(numbers[k]);
            double b = value_of(y);
            CHECK(__wp_lt(x, y) == (a < b) && __wp_le(x, y) == (a <= b) && __wp_eq(x, y) == (a == b));
            CHECK(__wp_ne(x, y) == (a != b) && __wp_gt(x, y) == (a > b) && __wp_ge(x, y) == (a >= b));
            bool plain = fabs(a) <= 4 && fabs(b) <= 4 && fabs(a) * fabs(b) * 2 == floor(fabs(a) * fabs(b) * 2);
            if (!plain && isfinite(a) && isfinite(b)) continue; // rounded: the other tests have those
            CHECK(same(value_of(__wp_add(x, y)), a + b) && same(value_of(__wp_mul(x, y)), a * b));
            if (b == 0 || !isfinite(a) || !isfinite(b)) CHECK(same(value_of(__wp_div(x, y)), a / b));
        }
    }
    CHECK_EQ_INT(2147483647, __wp_to_int(pair_of(1e20)));
    CHECK_EQ_INT(-2147483647 - 1, __wp_to_int(pair_of(-1e20)));
    CHECK_EQ_INT(0, __wp_to_int(pair_of(NAN)));
    CHECK(value_of(__wp_from_int(-2147483647 - 1)) == -2147483648.0 &&
          value_of(__wp_from_unsigned(~0u)) == 4294967295.0);
}

TEST(the_error_function_ends) {
    static const double numbers[] = {0.0, -0.0, 6, -6, 40, -40, INFINITY, -INFINITY, NAN, 1e-30, -1e-30};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double x = value_of(pair_of(numbers[i])), y = value_of(__wp_erf(pair_of(x)));
        CHECK(same(y, erf(x)) || fabs(y - erf(x)) <= 0x1p-44 * fabs(erf(x)));
        double c = value_of(__wp_erfc(pair_of(x))), want = x == 40 ? 0 : erfc(x);
        CHECK(same(c, want) || fabs(c - want) <= 0x1p-40 * want);
    }
}

TEST(parts_of_numbers_are_exact) {
    static const double ends[] = {0.0, -0.0, 1, -1, 0.5, 2, 1 - 0x1p-40, -1 + 0x1p-40, 3 - 0x1p-44, 0x1p100, -0x1p-120};
    state = 9;
    for (size_t i = 0; i < NUMBERS + sizeof ends / sizeof *ends; i++) {
        pair x = pair_of(i < NUMBERS ? scattered() : ends[i - NUMBERS]), whole;
        int exponent, want_exponent;
        double value = value_of(x), want_whole, want = modf(value, &want_whole);
        pair left = __wp_modf(x, &whole), half = __wp_frexp(x, &exponent);
        CHECK(value_of(whole) == want_whole && value_of(left) == want && signbit(left.hi) == signbit(x.hi));
        CHECK(value_of(half) == frexp(value, &want_exponent) && exponent == want_exponent);
    }
    pair whole;
    int exponent;
    pair left = __wp_modf((pair){-INFINITY, 0}, &whole);
    CHECK(left.hi == 0 && signbit(left.hi) && whole.hi == -INFINITY);
    CHECK(isnan(__wp_modf((pair){NAN, 0}, &whole).hi) && __wp_frexp((pair){INFINITY, 0}, &exponent).hi == INFINITY);
}
