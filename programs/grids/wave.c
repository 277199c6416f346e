// wave.c - a drum: a square membrane, fixed at its edge, lifted to a bump and let go.
//
// Source: the leapfrog scheme of the two-dimensional wave equation, second order in space and time, at a Courant
// number of 0.5 (stable up to 1/sqrt 2): next = 2 now - before + 0.25 (sum of the neighbours - 4 now). A cell needs
// its own value of two steps ago and no other, so the new one takes its place. `u` is the membrane at the end,
// `before` one step earlier. The bump is smooth and off the centre: (1 - (r / radius)^2)^3 within a radius of n / 4.
//
// A step reads what neighbours wrote in the step before, and overwrites what they read in it: one barrier for both.
//
// run: -i n=1024 -i steps=2000
// test: -i n=32 -i steps=9
// check: abs 1e-5
// dispatches: 1
// barriers: 1 a step

static float bump(int n, int i, int j) {
    float y = (float)(8 * i - 3 * n) / (float)(2 * n), x = (float)(8 * j - 3 * n) / (float)(2 * n); // in radii
    float inside = 1.0f - x * x - y * y;
    return inside > 0.0f ? inside * inside * inside : 0.0f;
}

void wave(int n, int steps, float u[n][n], float before[n][n]) {
    float(*now)[n] = u, (*next)[n] = before;

#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            u[i][j] = bump(n, i, j);
            before[i][j] = u[i][j]; // at rest
        }

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(2)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++) {
                float around = now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1];
                next[i][j] = 2.0f * now[i][j] - next[i][j] + 0.25f * (around - 4.0f * now[i][j]);
            }
        float(*old)[n] = now;
        now = next;
        next = old;
    }

    if (steps % 2 == 1) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float last = before[i][j];
                before[i][j] = u[i][j];
                u[i][j] = last;
            }
    }
}
