// A membrane with a source, written with three arrays and copies: each step keeps what was a step before. On the device
// two arrays take turns, in place.
//
// run: -i n=1024 -i steps=300 -i u=uniform:lo=0,hi=0.01,seed=1
// test: -i n=26 -i steps=9 -i u=uniform:lo=0,hi=0.01,seed=1
// check: near 1e-4
#include <math.h>
void membrane(int n, int steps, float u[n][n], float before[n][n], float heard[steps]) {
    float next[n][n];
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            before[i][j] = u[i][j];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float last = before[i][j], all = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0f * u[i][j];
                next[i][j] = 1.999f * u[i][j] - 0.999f * last + 0.24f * all;
            }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                before[i][j] = u[i][j];
                u[i][j] = next[i][j];
            }
        u[n / 2][n / 3] += 0.1f * sinf(0.3f * (float)t);
        heard[t] = u[n / 3][n / 2];
    }
}
