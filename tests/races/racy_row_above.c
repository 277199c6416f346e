// The outer loop is parallel, and each row reads the one above.
// test: -i n=32
void f(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += a[i - 1][j];
}
