// Cholesky's decomposition: the inner loop over a triangle becomes a dimension that is as long as its longest row.
//
// test: -i n=90 -i a=uniform:lo=-1,hi=1,seed=1
// check: abs 1e-4
// dispatches: 1
// barriers: 3 a step
#include <math.h>

void cholesky(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i][i] = (float)(2 * n);
    for (int k = 0; k < n; k++) {
        float root = sqrtf(a[k][k]);
#pragma omp parallel for
        for (int i = k; i < n; i++)
            a[i][k] /= root;
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
    }
}
