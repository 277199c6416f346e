// The sum is kept in the iteration's own row.
// test: -i n=16 -i m=8 -i w=arange
// check: exact
void f(int n, int m, const float w[n][m], float sum[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum[i] += w[i][j];
}
