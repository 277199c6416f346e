// The simd loop stands in an iteration.
// test: -i n=32
void f(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int j = 1; j < n; j++)
            a[i][j] = 0.5f * a[i][j - 1];
    }
}
