// build: -fdouble=pair
// Matrices and vectors that count from 1 in functions: as a parameter, by their names at file scope, handed on, in functions
// that hold a region, and in a time loop. Also those whose pointers lead before their allocations.
#include <stdio.h>
#include <stdlib.h>

static double *vector(long low, long high) {
    double *v = malloc((size_t)(high - low + 2) * sizeof *v);
    return v - low + 1;
}
static double *vector0(long low, long high) {
    double *v = malloc((size_t)(high - low + 1) * sizeof *v);
    return v - low;
}
static double **matrix(long row_low, long row_high, long low, long high) {
    long rows = row_high - row_low + 1, columns = high - low + 1;
    double **m = malloc((size_t)(rows + 1) * sizeof *m);
    m += 1;
    m -= row_low;
    m[row_low] = malloc((size_t)(rows * columns + 1) * sizeof **m);
    m[row_low] += 1;
    m[row_low] -= low;
    for (long i = row_low + 1; i <= row_high; i++)
        m[i] = m[i - 1] + columns;
    return m;
}
static double **matrix0(long row_low, long row_high, long low, long high) {
    long rows = row_high - row_low + 1, columns = high - low + 1;
    double **m = malloc((size_t)(rows) * sizeof *m);
    m -= row_low;
    for (long i = row_low; i <= row_high; i++)
        m[i] = (double *)malloc(columns * sizeof **m) - low;
    return m;
}
static double **g;
static int n = 33;

static void step(double **u, double **f, int n) {
#pragma omp parallel for
    for (int i = 2; i < n; i++)
        for (int j = 2; j < n; j++)
            f[i][j] = 0.25 * (u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1]);
}
static double row_sum(double *r, int n) {
    double s = 0;
    for (int k = 1; k <= n; k++)
        s += r[k];
    return s;
}
static double inner(double **a, int i) { return row_sum(a[i], n) + a[i][n]; }
static void set(int i, int j, double v) { g[i][j] = v; }
static void fill(double **t, int i) {
    for (int j = 1; j <= n; j++)
        t[i][j] = i + j * 0.5;
}
static double last(double **t, int i) { return t[i][n]; }
static double deep(double **t, int j, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++)
        s += t[i][j];
    return s;
}
static double below(double **t, int j, int n) { // a part of it is handed on
    return n > 1 ? deep(t + 1, j, n - 1) * 0.5 + deep(&t[n / 2], j, n - n / 2) + t[1][j] : t[n][j];
}
struct part {
    int from;
};
int main(void) {
    double **u = matrix(1, n, 1, n), **f = matrix(1, n, 1, n), *x = vector(1, n), *y = vector0(1, n),
           **z = matrix0(1, n, 1, n);
    g = matrix(1, n, 1, n);
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++) {
        fill(u, i);
        fill(f, i);
    }
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            set(i, j, i * j);
    for (int t = 0; t < 4; t++) { // GPU
        step(u, f, n);
        step(f, u, n);
    }
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++)
        x[i] = inner(u, i) + inner(g, i);
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++)
        y[i] = x[i] * 2;
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++)
            z[i][j] = y[i] + j;
    double s = 0, *h[33];
    int order[34];
    struct part part = {3};
    for (int i = 0; i < n; i++) { // from 0
        h[i] = malloc(40 * sizeof(double));
        order[i + 1] = i * 7 % 33;
        for (int j = 0; j < 40; j++)
            h[i][j] = i * j % 9;
    }
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i <= n; i++)
        s += last(z, i) + z[i][1];
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i < n; i++)
        s += last(u + 1, i) + u[i][1];
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i <= n; i++)
        s += below(&u[i - 1], i, n - i + 1) + below(z + part.from, i, n - part.from) + below(h - 1, order[i], n);
    printf("%.9g %.9g %.9g %.9g %.9g\n", x[1], x[n], u[4][n], y[n], s);
}
