// Rows are taken in order, but within a row each iteration reads its left neighbour.
// test: -i n=32
void f(int n, float a[n][n]) {
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int j = 1; j < n; j++)
            a[i][j] = a[i][j - 1] + 1.0f;
    }
}
