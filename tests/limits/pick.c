// Rows of choices between loads that nothing but the choice makes.
// run: -i n=40 -i steps=9 -i x=uniform:lo=0,hi=1,seed=3 -i y=uniform:lo=0,hi=1,seed=4
// check: exact
void pick(int n, int steps, float x[n][n], float y[n][n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                x[i][j] = x[i][j] < 0.5f ? y[j][i] : y[i][(j + t) % n];
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                y[i][j] = x[i][j] < 0.25f ? x[j][i] : x[(j + t) % n][i] * 0.5f;
    }
}
