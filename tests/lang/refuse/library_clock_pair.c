// The same where they are pairs of floats.
// test: -fdouble=pair -i n=16
// error: 6:17: 'omp_get_wtime' is not computed in pairs of floats: time cannot be read
#include <omp.h>
void f(int n, float x[n], float out[1]) {
    double t0 = omp_get_wtime();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 2;
    out[0] = (float)(omp_get_wtime() - t0);
}
