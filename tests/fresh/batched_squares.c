// Small matrices, many of them: each is squared and scaled back, step by step.
// run: -i count=2048 -i n=32 -i steps=20 -i a=normal:sd=0.2,seed=1
// test: -i count=9 -i n=33 -i steps=3 -i a=normal:sd=0.2,seed=1
// check: abs 1e-4
// dispatches: 1
void batched_squares(int count, int n, int steps, float a[count][n][n]) {
    float c[count][n][n], most[count];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(3)
        for (int b = 0; b < count; b++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    float sum = 0.0f;
                    for (int k = 0; k < n; k++)
                        sum += a[b][i][k] * a[b][k][j];
                    c[b][i][j] = sum;
                }
#pragma omp parallel for
        for (int b = 0; b < count; b++) {
            float sum = 0.0f;
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    sum += c[b][i][j] * c[b][i][j];
            most[b] = 1.0f / (1.0f + sum / (float)n);
        }
#pragma omp parallel for collapse(3)
        for (int b = 0; b < count; b++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    a[b][i][j] = 0.5f * a[b][i][j] + c[b][i][j] * most[b];
    }
}
