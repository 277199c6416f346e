// Diagonals in order, their elements side by side.
// test: -i n=8
void f(int n, float a[n][n]) {
    for (int d = 2; d < 2 * n - 1; d++) {
#pragma omp parallel for
        for (int i = 1; i < n; i++) {
            int j = d - i;
            if (j > 0 && j < n) a[i][j] = a[i - 1][j] + a[i][j - 1];
        }
    }
}
