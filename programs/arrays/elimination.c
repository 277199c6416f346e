// elimination.c - LU decomposition in place, without pivots, of a matrix with a heavy diagonal.
//
// Source: Gaussian elimination, right-looking: column k is divided by the pivot, then the rest is updated.
//
// run: -i n=1024 -i a=uniform:lo=-1,hi=1,seed=1
// test: -i n=45 -i a=uniform:lo=-1,hi=1,seed=1
// check: abs 1e-4
// dispatches: 1
// barriers: 2 a column
void elimination(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i][i] += (float)n;
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}
