// Each row's simd loop has its own elements.
// test: -i n=8
void f(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float t[4] = {0};
#pragma omp simd
        for (int j = 0; j < n; j++) {
            float u[2] = {a[i][j], 1.0f};
            a[i][j] = u[0] * 2.0f + u[1];
        }
        t[i & 3] += a[i][0];
        a[i][0] = t[i & 3];
    }
}
