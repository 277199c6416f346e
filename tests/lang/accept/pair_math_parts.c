// modf and frexp of doubles as pairs of floats.
// run: -fdouble=pair -i n=1000 -i x=normal:sd=90,seed=3
// test: -i n=200 -i x=normal:sd=90,seed=3 -fdouble=pair
// check: rel 1e-12
// check: exponent exact
// check: whole exact
#include <math.h>

void parts(int n, const double x[n], double whole[n], double left[n], double half[n], int exponent[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own;
        left[i] = modf(x[i], &own);
        whole[i] = own;
        half[i] = frexp(x[i] / 3, &exponent[i]);
    }
}
