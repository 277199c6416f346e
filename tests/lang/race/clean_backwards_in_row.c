// A prefix sum inside each iteration's own row.
// test: -i n=16 -i m=8 -i g=arange
// check: exact
void f(int n, int m, float g[n][m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            g[i][j] += g[i][j - 1];
}
