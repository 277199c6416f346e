// Doubles as pairs of floats, to and from 64-bit integers that do not fit in 32 bits.
// test: -fdouble=pair -i n=60 -i x=normal:seed=1 -i k=uniform:lo=-9000000000000000000,hi=9000000000000000000,seed=2
// check: y exact
// check: z rel 1e-13
#include <stdint.h>

void both_ways(int n, const double x[n], const int64_t k[n], int64_t y[n][4], double z[n][4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int64_t v = k[i] >> (i % 40);
        y[i][0] = (int64_t)(x[i] * 1048576.0);
        y[i][1] = (int64_t)(x[i] * 1099511627776.0); // 2^40
        y[i][2] = (int64_t)(uint64_t)(x[i] * x[i] * 1048576.0);
        y[i][3] = (int64_t)x[i] > 0 ? (int64_t)(double)(v >> 24) : -1;
        z[i][0] = (double)v;
        z[i][1] = (double)(uint64_t)k[i];
        z[i][2] = 0.5 * (double)v + x[i];
        z[i][3] = (double)(v >> 40) / 3;
    }
}
