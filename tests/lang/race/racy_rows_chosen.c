// Odd rows only: what the outer loop's test lets through races.
// test: -i n=24
// error: 9:17: data race
void f(int n, float x[n][n]) {
    for (int i = 0; i < n; i++)
        if (i % 2 == 1) {
#pragma omp parallel for
            for (int j = 1; j < n; j++)
                x[i][j] = x[i - 1][j] + x[i][j - 1];
        }
}
