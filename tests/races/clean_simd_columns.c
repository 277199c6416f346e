// An inner sequential loop in each pass.
// entry: f
// test: -i n=32
void f(int n, float a[n][n]) {
#pragma omp simd
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            a[i][j] += a[i - 1][j];
}
