// The clause collapse: two and three loops, with steps, decreasing, with code before and after in the innermost body.
// test: -i n=7 -i m=5
// check: exact
void grid(int n, int m, int a[n][m], int b[2 * n][m], int c[n][m][3]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = i * 10 + j;
#pragma omp parallel for collapse(2)
    for (int i = 2 * n - 1; i >= 0; i -= 2)
        for (int j = 1; j <= m - 1; j += 2)
            b[i][j] = a[i / 2][j] * 3 - i;
#pragma omp parallel for collapse(3) schedule(static)
    for (int i = 0; i < n; ++i) {
        for (int j = m; j > 0; --j) {
            for (int k = 0; k < 3; k++) {
                int v = i * 100;
                v += j * 10 + k;
                c[i][j - 1][k] = v;
            }
        }
    }
}
