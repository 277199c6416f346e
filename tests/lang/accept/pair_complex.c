// Complex numbers of doubles, as pairs of floats.
// test: -i n=32 -i x=uniform:lo=0.1,hi=2,seed=1 -fdouble=pair
// check: rel 1e-11
#include <complex.h>

static const double complex turns[4] = {1, I, -1, -I}, shift = 0.5 - 0.25 * I;

void numbers(int n, const double x[n], double y[n][6]) {
    double complex sum = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double complex z = x[i] + 2.0 * I, w = CMPLX(1, x[i]), v = cexp(z * 0.1) / w;
        float complex rough = v;
        y[i][0] = creal(z * w) + cabs(v);
        y[i][1] = cimag(csqrt(v) - turns[i % 4] * shift);
        y[i][2] = carg(v) + (v == rough);
        y[i][3] = cimag(cpow(z, 2 + I));
        y[i][4] = creal(clog(conj(w)));
        y[i][5] = __real__ v;
    }
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * turns[i % 4];
    y[0][0] = creal(sum) + cimag(sum);
}
