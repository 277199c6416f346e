// The second dimension is shifted, and it is collapsed.
// test: -i n=8
void f(int n, float a[n][n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1; j++)
            a[i][j] = a[i][j + 1];
}
