// Diagonals one too far.
// test: -i n=8
void f(int n, float a[n][n]) {
    for (int d = 2; d < 2 * n - 1; d++) {
#pragma omp parallel for
        for (int i = 1; i < n; i++) {
            int j = d - i;
            if (j > 0 && j < n - 1) a[i][j] = a[i - 1][j + 1];
        }
    }
}
