// Rows below the pivot are changed, the pivot's row is read.
// test: -i n=32
void f(int n, float a[n][n]) {
    for (int k = 0; k < n - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            float factor = 0.01f * a[i][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}
