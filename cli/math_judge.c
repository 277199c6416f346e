// How far a result is from the exact value, and what is plainly wrong.
//
// The exact value is libm's in double: 29 bits more than a float. Its unit in the last place is that of a float with
// its exponent, at infinity that of the largest float. As on most GPUs, subnormal arguments and results may count as
// zero. So where the exact value is below 2^-126, any result of its sign that is no larger than 2^-126 is right.
#include <math.h>

#include "math_judge.h"

static const double smallest = 0x1p-126, too_large = 0x1p128;

static double ulp_of(double x) {
    int e;
    if (fabs(x) >= too_large) return 0x1p104;
    (void)frexp(x, &e); // |x| in [2^(e-1), 2^e)
    return ldexp(1.0, (e < -125 ? -125 : e) - 24);
}

static bool is_subnormal(double x) { return x != 0 && fabs(x) < smallest; }

// The distance, or -1 where the kinds differ: NaN, pole, zero, sign of either.
static double distance(const struct math_function *f, double want, float got, bool of_subnormal, bool *out_flushed) {
    *out_flushed = false;
    if (isnan(want) || isnan(got)) return isnan(want) && isnan(got) ? 0 : -1;
    bool same_sign = !signbit(want) == !signbit(got);
    if (want == 0 && of_subnormal && is_subnormal((double)got)) return 0; // fmin(0, subnormal): both are zero
    if (want == 0) return got == 0 && (same_sign || (f->traits & MATH_ANY_ZERO)) ? 0 : -1;
    if (isinf(want)) return isinf(got) && same_sign ? 0 : -1;
    if (is_subnormal(want) && fabs((double)got) <= smallest) {
        *out_flushed = got == 0;
        return same_sign ? 0 : -1;
    }
    // beyond the largest float both are taken for 2^128: infinity is then the right rounding
    double w = fmax(-too_large, fmin(too_large, want)), g = fmax(-too_large, fmin(too_large, (double)got));
    return fabs(g - w) / ulp_of(w);
}

static bool is_open(const struct math_function *f, const float *args, double want) {
    if ((f->traits & MATH_TO_INT) && !(fabsf(args[0]) < 2147483520.0f)) return true;
    if ((f->traits & MATH_DIVISOR) && !(fabsf(args[1]) >= 0x1p-126f && fabsf(args[1]) <= 0x1p126f)) return true;
    if (!(f->traits & MATH_WGSL)) return false;
    for (int k = 0; k < f->arity; k++)
        if (!isfinite(args[k])) return true;
    return !(fabs(want) < 0x1p127); // NaN too
}

struct math_verdict math_judge(const struct math_function *f, const float *args, float got) {
    struct math_verdict v = {0};
    double exact[MATH_MOST_ARITY], flushed[MATH_MOST_ARITY];
    bool any_subnormal = false;
    for (int k = 0; k < f->arity; k++) {
        exact[k] = flushed[k] = args[k];
        if (is_subnormal(exact[k])) {
            any_subnormal = true;
            flushed[k] = copysign(0.0, exact[k]);
        }
    }
    v.want = f->reference(exact);
    v.judged = !is_open(f, args, v.want);
    if (!v.judged) return v;
    v.ulp = distance(f, v.want, got, any_subnormal, &v.flushed);
    if (f->traits & MATH_EITHER_FMA) {
        bool ignored;
        double product = (double)(float)(exact[0] * exact[1]); // rounded by itself; of no use where it is subnormal
        double twice = distance(f, product + exact[2], got, any_subnormal, &ignored);
        if (twice >= 0 && (v.ulp < 0 || twice < v.ulp)) v.ulp = twice;
        if (fabs((double)got - v.want) <= smallest) v.ulp = 0;
    }
    if (any_subnormal && (v.ulp < 0 || v.ulp > 0.5)) {
        bool ignored;
        double other = distance(f, f->reference(flushed), got, true, &ignored);
        if (other >= 0 && (v.ulp < 0 || other < v.ulp)) {
            v.ulp = other;
            v.flushed = true;
        }
    }
    v.wrong = v.ulp < 0;
    if (v.wrong) v.ulp = 0;
    return v;
}
