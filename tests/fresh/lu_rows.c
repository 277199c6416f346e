// LU decomposition without pivots with one parallel loop over rows: each divides its element of the column first, which
// lives in a register, so that lanes may share the row.
// run: -i n=512 -i a=uniform:lo=0,hi=1,seed=1
// test: -i n=40 -i a=uniform:lo=0,hi=1,seed=1
// check: near 1e-3
// dispatches: 1
void lu_rows(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i][i] += (float)n;
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
}
