// collapse(2), but the sum of a row is kept in an element of its own.
// test: -i n=16 -i m=8
// error: 8:13: data race
void f(int n, int m, const float w[n][m], float sum[n]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sum[i] += w[i][j];
}
