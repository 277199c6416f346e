// LU factors without pivoting, in place: the square that is left shrinks with each step.
// test: -i n=40 -i a=uniform:lo=1,hi=2,seed=3
// check: rel 1e-3
// dispatches: 1
// barriers: 2 a step
void lu(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i][i] += (float)n;
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
#pragma omp parallel for collapse(2)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}
