// Complex numbers of doubles that are floats: -fdouble=float.
// test: -i n=32 -i x=uniform:lo=0.1,hi=2,seed=1 -fdouble=float
// check: near 1e-5
#include <complex.h>

static const double complex turns[4] = {1, I, -1, -I};

void numbers(int n, const float x[n], float y[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double complex v = cexp(0.5i * x[i]) * CMPLX(x[i], 2.0) + turns[i % 4];
        float complex rough = v * 0.5;
        y[i][0] = creal(v) + cabs(rough);
        y[i][1] = cimag(csqrt(v));
        y[i][2] = carg(1 / v);
        y[i][3] = cimag(conj(v));
    }
}
