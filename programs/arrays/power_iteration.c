// power_iteration.c - the largest eigenvalue of a symmetric matrix by the power method.
//
// Source: R. von Mises, H. Pollaczek-Geiringer, 1929. A step multiplies by the matrix and scales to length 1; the length before
// scaling tends to the largest eigenvalue in size.
//
// run: -i n=4096 -i steps=100 -i a=normal:sd=0.02,seed=1 -i v=const:0.015625
// test: -i n=75 -i steps=12 -i a=normal:sd=0.1,seed=1 -i v=const:0.1
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a step
#include <math.h>

void power_iteration(int n, int steps, const float a[n][n], float v[n], float lengths[steps]) {
    float w[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0.0f;
            for (int j = 0; j < n; j++)
                sum += (a[i][j] + (i == j ? 2.0f : 0.0f)) * v[j];
            w[i] = sum;
        }
        float square = 0.0f;
#pragma omp parallel for reduction(+ : square)
        for (int i = 0; i < n; i++)
            square += w[i] * w[i];
        float length = sqrtf(square);
        lengths[t] = length;
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            v[i] = w[i] / length;
    }
}
