// Writes the row that the next iteration reads.
// test: -i n=64
// error: 8:13: data race
void f(int n, float g[n][8]) {
#pragma omp parallel for
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < 8; j++)
            g[i + 1][j] = g[i][j] * 0.5f;
}
