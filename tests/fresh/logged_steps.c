// logged_steps.c - a wave on rows in one dimension whose energy is logged every so many steps, before the step, and whose
// greatest height behind it.
//
// run: -i n=1024 -i steps=1000 -i u=normal:seed=1
// test: -i n=32 -i steps=97 -i u=normal:seed=1
// check: near 1e-3
// dispatches: 1
#include <math.h>
void logged(int n, int steps, float u[n * n], float energy[64], float height[64]) {
    float old[n * n], new[n * n], *a = old, *b = u, *c = new;
#pragma omp parallel for
    for (int i = 0; i < n * n; i++) {
        old[i] = u[i];
        new[i] = 0;
    }
    for (int t = 0; t < steps; t++) {
        if (t % 30 == 0) {
            float sum = 0;
#pragma omp parallel for reduction(+ : sum)
            for (int i = 0; i < n * n; i++)
                sum += (b[i] - a[i]) * (b[i] - a[i]);
            energy[t / 30] = sum;
        }
#pragma omp parallel for
        for (int y = 1; y < n - 1; y++)
            for (int x = 1; x < n - 1; x++) {
                int i = y * n + x;
                c[i] = 2 * b[i] - a[i] + 0.2f * (b[i - 1] + b[i + 1] + b[i - n] + b[i + n] - 4 * b[i]);
            }
        float *last = a;
        a = b;
        b = c;
        c = last;
        if (t % 30 == 29) {
            float most = 0;
#pragma omp parallel for reduction(max : most)
            for (int i = 0; i < n * n; i++)
                most = fmaxf(most, fabsf(b[i]));
            height[t / 30] = most;
        }
    }
}
