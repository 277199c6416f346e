// The outer loop is parallel, the sums belong to the inner index.
// test: -i n=16 -i m=8
// error: 8:13: data race
void f(int n, int m, const float w[n][m], float sum[m]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum[j] += w[i][j];
}
