// -fdouble=float: modf and frexp of doubles that are floats; the pointer is one to a float.
// run: -fdouble=float -i n=1000 -i x=normal:sd=90,seed=3
// test: -fdouble=float -i n=200 -i x=normal:sd=90,seed=3
// check: exact
#include <math.h>

void parts(int n, const float x[n], float whole[n], float left[n], float half[n], int exponent[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double own, part = modf(x[i], &own), quarter = x[i] * 0.25;
        left[i] = (float)part;
        whole[i] = (float)own;
        half[i] = (float)frexp(quarter, &exponent[i]);
    }
}
