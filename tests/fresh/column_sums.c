// column_sums.c - rows made alike by the mean and variance of each column, and what the gradient of a bias adds up to.
//
// test: -i n=8192 -i c=64 -i x=uniform:seed=1 -i dy=uniform:lo=-1,hi=1,seed=2
// check: abs 2e-3
// dispatches: 1
#include <math.h>

void column_sums(int n, int c, const float x[n][c], const float dy[n][c], float y[n][c], float bias[c], int most[c]) {
    float mean[c], scale[c];
#pragma omp parallel for
    for (int j = 0; j < c; j++) {
        float s = 0.0f, q = 0.0f;
        for (int i = 0; i < n; i++) {
            s += x[i][j];
            q += x[i][j] * x[i][j];
        }
        mean[j] = s / (float)n;
        scale[j] = 1.0f / sqrtf(q / (float)n - mean[j] * mean[j] + 1e-5f);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++)
            y[i][j] = (x[i][j] - mean[j]) * scale[j];
#pragma omp parallel for
    for (int j = 0; j < c; j++) {
        float s = 0.0f;
        int m = 0;
        for (int i = 0; i < n; i++) {
            s += dy[i][j];
            m = dy[i][j] > 0.75f ? m + 1 : m;
        }
        bias[j] = s;
        most[j] = m;
    }
}
