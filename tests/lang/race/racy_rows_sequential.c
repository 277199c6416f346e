// The rows are taken one after the other, but in each of them an iteration reads what its neighbour writes.
// test: -i n=24
// error: 8:13: data race
void f(int n, float x[n][n]) {
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int j = 2; j < n; j++)
            x[i][j] = 0.5f * x[i][j - 2];
    }
}
