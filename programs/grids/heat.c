// heat.c - heat spreads over a square plate whose edge is held at its temperature: each cell becomes the mean of itself
// and its four neighbours.
//
// Source: the explicit five-point scheme of the heat equation at diffusion number 0.2 (stable up to 0.25). `u` holds
// the plate at the start and at the end. The rows are read from one array and written to the other, which then change
// roles. Other sizes that are compared: n=1024 steps=2000, n=4096 steps=200.
//
// A step reads what neighbours wrote in the step before, and overwrites what they read in it: the one barrier between
// two steps is needed for both.
//
// run: -i n=256 -i steps=10000 -i u=uniform:seed=1
// test: -i n=32 -i steps=9 -i u=uniform:seed=1
// check: abs 5e-5
// dispatches: 1
// barriers: 1 a step

void heat(int n, int steps, float u[n][n], float other[n][n]) {
    float(*now)[n] = u, (*next)[n] = other;

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            other[i][j] = u[i][j];

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                next[i][j] = 0.2f * (now[i][j] + now[i][j - 1] + now[i][j + 1] + now[i + 1][j] + now[i - 1][j]);
        float(*old)[n] = now;
        now = next;
        next = old;
    }

    if (steps % 2 == 1) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                u[i][j] = other[i][j];
    }
}
