// Columns in parallel, rows in order.
// test: -i n=32
void f(int n, float a[n][n]) {
    for (int i = 1; i < n; i++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            a[i][j] += a[i - 1][j];
    }
}
