// build: -fdouble=float
// Conjugate gradients with a matrix in compressed rows; the loop on the CPU asks for a norm and prints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int rows, entries;
} shape;

static int *row_start, *column;
static double *value;

static shape build(int side) {
    shape s = {side * side, 0};
    row_start = (int *)malloc(((size_t)s.rows + 1) * sizeof(int));
    column = (int *)malloc((size_t)s.rows * 5 * sizeof(int));
    value = (double *)malloc((size_t)s.rows * 5 * sizeof(double));
    for (int r = 0; r < s.rows; r++) {
        int x = r % side, y = r / side;
        row_start[r] = s.entries;
        if (y > 0) column[s.entries] = r - side, value[s.entries++] = -1;
        if (x > 0) column[s.entries] = r - 1, value[s.entries++] = -1;
        column[s.entries] = r, value[s.entries++] = 4.5;
        if (x < side - 1) column[s.entries] = r + 1, value[s.entries++] = -1;
        if (y < side - 1) column[s.entries] = r + side, value[s.entries++] = -1;
    }
    row_start[s.rows] = s.entries;
    return s;
}

static void multiply(int n, const double *x, double *y) {
#pragma omp parallel for // GPU
    for (int r = 0; r < n; r++) {
        double sum = 0;
        for (int k = row_start[r]; k < row_start[r + 1]; k++)
            sum += value[k] * x[column[k]];
        y[r] = sum;
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int main(void) {
    shape s = build(140);
    int n = s.rows, k = 0;
    double *x = calloc((size_t)n, sizeof *x), *r = malloc((size_t)n * sizeof *r), *p = malloc((size_t)n * sizeof *p),
           *q = malloc((size_t)n * sizeof *q);
    if (!x || !r || !p || !q) return 1;
    for (int i = 0; i < n; i++)
        r[i] = p[i] = 1 + i % 3;
    double rho = dot(n, r, r), first = rho;
    while (rho > 1e-4 * first && k < 100) {
        multiply(n, p, q);
        double alpha = rho / dot(n, p, q), old = rho;
#pragma omp parallel for // GPU
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rho = dot(n, r, r);
        double beta = rho / old;
#pragma omp parallel for // GPU
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        if (++k % 4 == 0) printf("%d iterations, %.1e\n", k, sqrt(rho / first));
    }
    printf("%d: %.3f %.3f\n", k, x[0], x[n / 2]);
    free(row_start), free(column), free(value), free(x), free(r), free(p), free(q);
    return 0;
}
