// The time loop calls functions that have the parallel loops: all of it is one dispatch.
#include <stdio.h>
#include <stdlib.h>

static void advance(int n, float *x, const float *v, float dt) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += v[i] * dt;
}

static void bounce(int n, const float *x, float *v) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        if (x[i] > 1 || x[i] < 0) v[i] = -v[i];
}

static void simulate(int n, int steps, float *x, float *v) {
    int t = 0;
    while (t < steps) { // GPU
        advance(n, x, v, 0.01f);
        bounce(n, x, v);
        t++;
    }
}

int main(void) {
    int n = 256;
    float *x = malloc((size_t)n * sizeof *x), *v = malloc((size_t)n * sizeof *v), s = 0;
    for (int i = 0; i < n; i++) {
        x[i] = (float)i / (float)n;
        v[i] = (float)(i % 5 - 2);
    }
    simulate(n, 40, x, v);
    for (int i = 0; i < n; i++)
        s += x[i] + v[i];
    printf("%.3f\n", (double)s);
    free(x);
    free(v);
    return 0;
}
