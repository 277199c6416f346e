// Many rows behind two tables, and many arrays in a loop, which fit together as large as they are.
// build: -fdouble=pair
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1500, W = 90 };
static double a[W][W], b[W][W], c[W][W], d[W][W], e[W][W], f[W][W], g[W][W], h[W][W], p[W][W], q[W][W], r[W][W];

static float **table(int rows, int width) {
    float **t = malloc((unsigned)rows * sizeof *t);
    for (int i = 0; i < rows; i++)
        t[i] = malloc((unsigned)width * sizeof **t);
    return t;
}

int main(void) {
    float **old = table(ROWS, 3), **now = table(ROWS, 3), sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++)
            old[i][k] = (float)(i + k), now[i][k] = (float)k;
#pragma omp parallel for // GPU
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < ROWS; i++) {
            float step = 0.5f * old[i][k];
            now[i][k] += step;
            old[i][k] = step;
        }
    now[7] = old[9];
#pragma omp parallel for // CPU at run time: 'now' and 'old' share memory
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 8; i++)
            now[i][k] += 0 * old[i][k];
    for (int i = 0; i < ROWS; i++)
        sum += old[i][1] + 2 * now[i][2];
    printf("%g\n", (double)sum);
    int n = W - 1;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j] = c[i][j] = d[i][j] = i + 0.25 * j;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            e[i][j] = a[i][j] + b[i][j + 1];
            f[i][j] = c[i + 1][j] - d[i][j];
            g[i][j] = e[i][j] * 0.5;
            h[i][j] = f[i][j] + p[i + 1][j];
            q[i][j] = a[i][j] * 2 + r[i][j];
        }
    printf("%.6g %.6g %.6g %.6g\n", e[5][7], g[80][70], h[3][4], q[88][88]);
    return 0;
}
