// build: -fdouble=pair
// Matrices and vectors whose indices begin with 1, as Numerical Recipes allocate them: the pointer before the first row leads nowhere, and the
// last element of each row is where the next one's first would be. And rows of other lengths in one allocation, of which an index goes on into
// the next row.
#include <stdio.h>
#include <stdlib.h>

static double *vector(long low, long high) {
    double *v = malloc((size_t)(high - low + 2) * sizeof *v);
    return v - low + 1;
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

static double relax(double **u, double **f, int n) {
    double norm = 0;
    for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for reduction(+ : norm) // GPU: 10 calls
        for (int i = 2; i < n; i++)
            for (int j = 2 + (i + colour) % 2; j < n; j += 2) {
                double rest = u[i + 1][j] + u[i - 1][j] + u[i][j + 1] + u[i][j - 1] - 4 * u[i][j] - f[i][j];
                u[i][j] += 0.25 * rest;
                norm += rest * rest;
            }
        if (norm < 0) puts("never");
    }
    return norm;
}

int main(void) {
    int n = 17;
    double **u = matrix(1, n, 1, n), **f = matrix(1, n, 1, n), *x = vector(1, n), norm = 0;
    u[0] = (double *)16; // as freed memory may have left it
#pragma omp parallel for // GPU
    for (int i = 1; i <= n; i++) {
        x[i] = i * 0.25;
        for (int j = 1; j <= n; j++)
            u[i][j] = f[i][j] = 0;
    }
    f[9][9] = 2;
    for (int k = 0; k < 5; k++)
        norm = relax(u, f, n);
    printf("%.9g %.9g %.9g %g\n", norm, u[9][9], u[8][17], x[n]);

    float *all = calloc(12, sizeof *all), *rows[3] = {all, all + 3, all + 7}, sum = 0;
#pragma omp parallel for // GPU
    for (int j = 0; j < 5; j++)
        rows[0][j] = (float)j + 1;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int j = 0; j < 3; j++)
        sum += rows[1][j] * 10 + rows[0][j] + rows[2][j];
    for (int i = 0; i < 12; i++)
        printf("%g ", (double)all[i]);
    printf("%g\n", (double)sum);
    return 0;
}
