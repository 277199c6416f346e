// fmod of doubles that are pairs: a generator whose products have 46 bits, and coordinates in a box.
// test: -fdouble=pair -i n=40 -i x=uniform:lo=-9,hi=9,seed=1
// check: near 1e-11
#include <math.h>

void f(int n, const double x[n], double y[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double seed = i + 1;
        for (int k = 0; k < 9; k++)
            seed = fmod(seed * 16807.0, 2147483647.0);
        y[i][0] = seed;
        y[i][1] = fmod(x[i] + 20, 1.75);
        y[i][2] = fmod(x[i], 2.5);
    }
}
