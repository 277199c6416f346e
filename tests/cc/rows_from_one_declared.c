// build: -Wno-array-bounds
// Tables that count from 1 where functions are declared in other words, hand them on in other places, and where directives name all
// that they share.
#include <stdio.h>
#include <stdlib.h>
static float **g, store[12 * 8];
static float get(float *const *t, int i, int j);
static float far(float *t[], int i), two(float **t, float **u, int i);
static float near(float **t, int i) { return t[i][8] + g[i][8]; }
static void run(float **t, float *x, int n) {
#pragma omp parallel for default(none) shared(t, x, n) // GPU
    for (int i = 1; i <= n; i++)
        x[i] += get(t, i, 8) + t[i][1];
}
static void run2(float **t, float *x, int n) {
#pragma omp parallel for default(none) shared(t, x, n, g)
    for (int i = 1; i <= n; i++)
        x[i] += far(t, i) + two(t, g, i) + near(t, i);
}
int main(void) {
    int n = 12;
    float **t = malloc(13 * sizeof *t), *x = calloc(14, sizeof *x), *y = malloc(12 * sizeof *y);
    g = malloc(13 * sizeof *g);
    t[1] = malloc(12 * 8 * sizeof **t), g[1] = malloc(12 * 8 * sizeof **t);
    t[1]--, g[1]--;
    for (int i = 2; i <= 12; i++)
        t[i] = t[i - 1] + 8, g[i] = g[i - 1] + 8;
    for (int i = 1; i <= 12; i++)
        for (int j = 1; j <= 8; j++)
            t[i][j] = i * j, g[i][j] = i - j;
    run(t, x, n);
    for (int k = 0; k < 3; k++) { // GPU
        run2(t, x, n);
        run2(g, x, n);
    }
    float s = 0, **f = malloc(13 * sizeof *f); // rows of an array of the file's
    f[1] = store - 1;
    for (int i = 2; i <= 12; i++)
        f[i] = f[i - 1] + 8;
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= 8; j++)
            f[i][j] = t[i][9 - j] * 2;
    for (int i = 0; i < 96; i++)
        s += store[i] * i;
    for (int i = 1; i <= n; i++)
        s += x[i] * i;
    printf("%g\n", s);
    return 0;
}
static float get(float *const *t, int i, int j) { return t[i][j]; }
static float far(float *t[], int i) { return t[i][2] + two(t, t, i) + two(g, t, i); }
static float two(float **t, float **u, int i) {
    float *r = u[i];
    return t[i][8] - r[4];
}
