// Rows belong to iterations, whatever happens in them.
// test: -i n=32
void f(int n, float a[n][n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < n; j++)
            a[i][j] = a[i][j - 1] + 1.0f;
}
