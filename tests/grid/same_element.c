// Sums over a plane between updates of the same elements, each by the invocation that reads it again: one barrier for
// each sum, none for the updates.
// test: -i n=24 -i steps=9 -i u=normal:seed=1
// check: near 1e-4
// dispatches: 1
// barriers: 1 a step
#include <math.h>

void same_element(int n, int steps, float u[n][n], float norm[steps]) {
    for (int t = 0; t < steps; t++) {
        float sum = 0;
#pragma omp parallel for collapse(2) reduction(+ : sum)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < n; j++)
                sum += u[i][j] * u[i][j];
        norm[t] = sum;
        float scale = 2 / sqrtf(sum);
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < n; j++)
                u[i][j] = u[i][j] * scale + 0.25f / (1 + u[i][j] * u[i][j]);
    }
}
