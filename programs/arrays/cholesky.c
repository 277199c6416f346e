// cholesky.c - the Cholesky factor of a symmetric matrix in place, and a system solved with it.
//
// Source: the column form of G. H. Golub, C. F. Van Loan, "Matrix Computations", section 4.2. The matrix is made in the
// program: distances on a line, with a heavy diagonal, so it is positive definite.
//
// run: -i n=1024 -i b=normal:seed=1
// test: -i n=45 -i b=normal:seed=1
// check: abs 1e-4
// dispatches: 1
// barriers: 3 a column
#include <math.h>

void cholesky(int n, const float b[n], float a[n][n], float x[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i == j ? 3.0f : 1.0f / (1.0f + (float)(i - j) * (float)(i - j));

    for (int k = 0; k < n; k++) {
        float pivot = sqrtf(a[k][k]);
#pragma omp parallel for
        for (int i = k; i < n; i++)
            a[i][k] = i == k ? pivot : a[i][k] / pivot;
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++)
                a[i][j] -= a[i][k] * a[j][k];
    }

    // L y = b forwards, then L' x = y backwards, both by columns and in place.
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = b[i];
    for (int k = 0; k < n; k++) {
        x[k] /= a[k][k];
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            x[i] -= a[i][k] * x[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        x[k] /= a[k][k];
#pragma omp parallel for
        for (int i = 0; i < k; i++)
            x[i] -= a[k][i] * x[k];
    }
}
