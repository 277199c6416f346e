// Grids of several sizes, each behind pointers to planes and rows, and all behind one more: a region works on some of them.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 4 };

static double ***grid(int n) {
    double ***g = malloc((size_t)n * sizeof *g);
    for (int k = 0; k < n; k++) {
        g[k] = malloc((size_t)n * sizeof **g);
        for (int j = 0; j < n; j++)
            g[k][j] = calloc((size_t)n, sizeof ***g);
    }
    return g;
}

static double sum(double ****u, int at, int n) {
    double s = 0, most = 0;
#pragma omp parallel for reduction(+ : s) reduction(max : most) shared(u, at) // GPU: 4 calls
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                s += u[at][k][j][i];
                most = u[at][k][j][i] > most ? u[at][k][j][i] : most;
            }
    return s + most;
}

static void down(double ****u, int at, int n) {
#pragma omp parallel for // GPU: 2 calls
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                u[at - 1][k][j][i] = 0.5 * (u[at][2 * k][2 * j][2 * i] + u[at][2 * k + 1][2 * j + 1][2 * i + 1]);
}

static void all(double ****u, const int *sizes) {
#pragma omp parallel for // CPU: 'u' leads to tables of rows
    for (int l = 1; l < LEVELS; l++)
        for (int k = 0; k < sizes[l]; k++)
            u[l][k][0][0] = l;
}

int main(void) {
    double ****u = malloc(LEVELS * sizeof *u), ****nothing = NULL;
    int sizes[LEVELS] = {0, 4, 8, 16};
    u[0] = NULL;
    for (int l = 1; l < LEVELS; l++)
        u[l] = grid(sizes[l]);
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 16; j++)
            for (int i = 0; i < 16; i++)
                u[3][k][j][i] = (k * 5 + j * 3 + i) % 7;
    printf("%g\n", sum(u, 3, 16));
    down(u, 3, 8);
    down(u, 2, 4);
    printf("%g %g\n", sum(u, 2, 8), sum(u, 1, 4));
    all(u, sizes);
    printf("%g\n", sum(u, 2, 8));
    printf("%g %g\n", sum(u, 0, 0), sum(nothing, 1, 0)); // no iterations, and no grid
    return 0;
}
