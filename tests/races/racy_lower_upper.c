// The update of a matrix reads its pivot row while it may change it.
// test: -i n=32
void f(int n, float a[n][n]) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                a[i][j] -= 0.01f * a[i][k] * a[k][j];
    }
}
