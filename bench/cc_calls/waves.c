// Waves on a membrane: positions and speeds, two parallel loops a step.
void work(int n, int steps, float a[n][n], float b[n][n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] += 0.1f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1] - 4 * a[i][j]);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] += 0.1f * b[i][j];
    }
}
