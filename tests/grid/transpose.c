// Two dimensions: what one writes along rows is read along columns.
// test: -i n=24 -i steps=5 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
void transpose(int n, int steps, int x[n][n], int y[n][n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                y[j][i] = x[i][j] * 3 + i;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] = (y[i][n - 1 - j] + j * t) % 1009;
    }
}
