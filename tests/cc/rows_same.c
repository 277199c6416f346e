// Functions that take several tables of rows, and get one table as two of them: what is read and what is written are one.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 30, K = 9 };

static double **rows_apart(void) {
    double **a = malloc(N * sizeof *a);
    for (int i = 0; i < N; i++)
        a[i] = malloc(M * sizeof **a);
    return a;
}
static double **rows_together(void) {
    double **a = malloc(N * sizeof *a);
    a[0] = malloc(N * M * sizeof **a);
    for (int i = 1; i < N; i++)
        a[i] = a[i - 1] + M;
    return a;
}
static double ***planes(void) {
    double ***a = malloc(K * sizeof *a);
    for (int k = 0; k < K; k++)
        a[k] = rows_apart();
    return a;
}
static void fill(double **a, int n, int s) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            a[i][j] = (i * 7 + j * 3 + s) % 11;
}
static double sum(double **a, int n) {
    double t = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            t += (i % 4 + j % 3 + 1) * a[i][j];
    return t;
}

// r = v - A u, as multigrid has it
static void residual(double **u, double **v, double **r, int n) {
#pragma omp parallel for // GPU: 6 calls
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < M - 1; j++)
            r[i][j] = v[i][j] - u[i - 1][j] - u[i + 1][j] - u[i][j - 1] - u[i][j + 1] + 4 * u[i][j];
}
static void add(double ***to, double ***from, double by) {
#pragma omp parallel for collapse(2) // GPU: 2 calls
    for (int k = 0; k < K; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < M; j++)
                to[k][i][j] += by * from[k][i][j];
}
// rows of one that are in the other, too, but not the same table
static void shifted(double **to, double **from, int n) {
#pragma omp parallel for // CPU at run time: share memory
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            to[i][j] = from[i][j] + 1;
}

int main(void) {
    for (int kind = 0; kind < 2; kind++) {
        double **u = kind ? rows_together() : rows_apart(), **v = kind ? rows_together() : rows_apart();
        double **r = kind ? rows_together() : rows_apart();
        fill(u, N, 1), fill(v, N, 2), fill(r, N, 0);
        residual(u, v, r, N);
        printf("%g %g\n", sum(r, N), sum(v, N));
        residual(u, r, r, N);
        residual(u, v, v, N);
        printf("%g %g\n", sum(r, N), sum(v, N));
        shifted(u + 3, u, 3);
        printf("%g\n", sum(u, N));
    }
    double ***a = planes(), ***b = planes();
    for (int k = 0; k < K; k++)
        fill(a[k], N, k), fill(b[k], N, 2 * k);
    add(a, b, 0.5);
    add(b, b, 0.25);
    printf("%g %g\n", sum(a[3], N), sum(b[5], N));
    return 0;
}
