// Teams: their loops are shared out over the whole grid, and a parallel loop inside of an iteration is that iteration's.
// test: -i n=32 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
void team_loops(int n, const int x[n][n], int rows[n], int y[n][n], int out[n]) {
#pragma omp target teams distribute
    for (int i = 0; i < n; i++) {
        int sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j < n; j++)
            sum += x[i][j];
        rows[i] = sum;
    }
#pragma omp target teams distribute parallel for collapse(2) dist_schedule(static, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i][j] = x[j][i] + rows[i];
#pragma omp target
#pragma omp teams num_teams(4)
    {
        int k = 3;
#pragma omp distribute parallel for
        for (int i = 0; i < n; i++)
            out[i] = y[i][i] * k;
    }
#pragma omp target teams num_teams(1)
    {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            out[i] += 1;
    }
#pragma omp target teams distribute simd
    for (int i = 0; i < n; i++)
        out[i] *= 2;
}
