// Steps that write a second array and copy it back, as many programs have them: over rows, with an edge that stays, with
// two arrays at once, and an odd number of steps. Nothing is copied but once behind the loop.
// run: -i n=1024 -i steps=101 -i u=normal:seed=1 -i v=uniform:lo=0,hi=1,seed=2 -i live=uniform:lo=0,hi=2,seed=3
// test: -i n=41 -i steps=7 -i u=normal:seed=1 -i v=uniform:lo=0,hi=1,seed=2 -i live=uniform:lo=0,hi=2,seed=3
// check: near 1e-3
// dispatches: 1
void copied_back(int n, int steps, float u[n][n], float next[n][n], float v[n][n], int live[n][n], int count[n][n]) {
    float w[n][n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = u[i][j] + 0.2f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4.0f * u[i][j]);
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = next[i][j];
    }
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int all = 0;
                for (int a = n - 1; a <= n + 1; a++)
                    for (int b = n - 1; b <= n + 1; b++)
                        all += live[(i + a) % n][(j + b) % n];
                count[i][j] = all == 3 || (all == 4 && live[i][j]);
                w[i][j] = v[i][j] * 0.9f + 0.1f * v[j][i];
            }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                live[i][j] = count[i][j];
                v[i][j] = w[i][j];
            }
    }
}
