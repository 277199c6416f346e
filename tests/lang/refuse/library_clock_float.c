// The clock of OpenMP in an entry function, where doubles are floats.
// test: -fdouble=float -i n=16
// error: 6:17: 'omp_get_wtime' computes in double and has no float form; time cannot be read
#include <omp.h>
void f(int n, float x[n], float out[1]) {
    double t0 = omp_get_wtime();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] *= 2;
    out[0] = (float)(omp_get_wtime() - t0);
}
