// flat_ring.c - a mean of four neighbours on a torus in one dimension, with counters of type size_t.
//
// run: -i n=1024 -i m=2048 -i steps=100 -i u=normal:seed=1
// test: -i n=32 -i m=48 -i steps=10 -i u=normal:seed=1
// check: near 1e-4
// dispatches: 1
#include <stddef.h>
void ring(int n, int m, int steps, float u[n * m]) {
    float v[n * m];
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for
        for (size_t i = 0; i < (size_t)n; i++)
            for (size_t j = 0; j < (size_t)m; j++) {
                size_t up = (i + n - 1) % n, down = (i + 1) % n;
                size_t left = j == 0 ? (size_t)m - 1 : j - 1, right = j + 1 == (size_t)m ? 0 : j + 1;
                v[i * m + j] = 0.25f * (u[up * m + j] + u[down * m + j] + u[i * m + left] + u[i * m + right]);
            }
#pragma omp parallel for
        for (int t = 0; t < n * m; t++)
            u[t] = v[t];
    }
}
