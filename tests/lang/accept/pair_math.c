// Doubles as pairs of floats: the functions of math.h that there are, each within the bound of docs/double.md.
// test: -fdouble=pair -i n=300 -i x=uniform:lo=-1,hi=1,seed=1 -i y=uniform:lo=0.01,hi=60,seed=2
// check: rel 1e-12
#include <math.h>

void functions(int n, const double x[n], const double y[n], double out[n][30], int whole[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = x[i], w = y[i];
        double r[30] = {exp(v),      exp(w),       exp2(20 * v), expm1(v / 8), log(w),       log2(w),
                        log10(w),    log1p(v / 2), pow(w, v),    pow(v, 3),    cbrt(v),      hypot(v, w),
                        sin(w) + 2,  cos(w) + 2,   tan(v),       asin(v),      acos(v),      atan(w * v),
                        atan2(v, w), sinh(v),      cosh(w),      tanh(v),      fmin(v, w),   fmax(v, w),
                        fdim(w, v),  fma(v, w, 1), ldexp(v, 5),  floor(w),     round(v * w), copysign(w, v)};
        for (int k = 0; k < 30; k++)
            out[i][k] = r[k];
        whole[i] = (int)lround(v * w) + (int)lrint(w);
    }
}
