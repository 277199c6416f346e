// Relaxation: each step has a sum over the plate, which a scalar of the loop keeps.
void work(int n, int steps, float a[n][n], float b[n][n]) {
    float change = 1.0f;
    for (int t = 0; t < steps && change > 1e-9f; t++) {
        change = 0.0f;
#pragma omp parallel for reduction(+ : change)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                b[i][j] = 0.25f * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                change += (b[i][j] - a[i][j]) * (b[i][j] - a[i][j]);
            }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}
