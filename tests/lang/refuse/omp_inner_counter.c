// The counter of a sequential loop that is declared outside of the parallel one is shared: all iterations would step it.
// error: 10:14: 'j' counts this loop and is shared by all iterations of the parallel loop, which all step it: add private(j), or declare it in the loop, as in 'for (int j = ...'
// error: 15:18: 'k' counts this loop and is shared by all iterations of the parallel loop
// error: 19:14: 'k' counts this loop and is shared by all threads of the region, which all step it: add private(k), or declare it in the loop
// test: -i n=8
void f(int n, float x[n][n]) {
    int i, j, k;
#pragma omp parallel for
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            x[i][j] += 1.0f;
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 1; k < n; k++)
                x[i][j] += x[i][j] * 0.5f;
#pragma omp parallel
    {
        for (k = 0; k < 3; k++) {
#pragma omp for
            for (i = 0; i < n; i++)
                x[i][0] += 1.0f;
        }
    }
}
