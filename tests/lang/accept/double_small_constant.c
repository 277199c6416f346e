// -fdouble=float: a constant that is too small for a float is the smallest float that is not 0: DBL_MIN, 1e-300.
// test: -fdouble=float -i n=16 -i x=uniform:lo=0,hi=1,seed=1
// check: exact
#include <float.h>
void small(int n, const float x[n], int zeros[n], float ratio[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double v = i % 4 * 0.25 + 0.0 * x[i];
        zeros[i] = v < 1e-300 ? 1 : v > -DBL_MIN ? 2 : 3;
        ratio[i] = (float)(v / (v + 1e-200));
    }
}
