// diffusion3.c - heat in a cube, with a copy back after each step.
//
// Source: forward in time, centred in space; stable for a number of at most 1/6.
//
// run: -i n=160 -i steps=200 -i number=0.15 -i u=uniform:seed=1
// test: -i n=14 -i steps=5 -i number=0.15 -i u=uniform:seed=1
// check: abs 1e-5
// dispatches: 1
// barriers: 1 a step
void diffusion3(int n, int steps, float number, float u[n][n][n]) {
    float next[n][n][n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(3)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    next[i][j][k] = u[i][j][k] + number * (u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] +
                                                           u[i][j][k - 1] + u[i][j][k + 1] - 6.0f * u[i][j][k]);
#pragma omp parallel for collapse(3)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    u[i][j][k] = next[i][j][k];
    }
}
