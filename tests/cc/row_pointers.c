// build: -fdouble=float
// Rows behind pointers: in one allocation, in one each, in arrays of pointers, of several lengths, out of order; indices that go beyond
// their row or come from data, and what stays on the CPU.
#include <stdio.h>
#include <stdlib.h>

static float **in_one(int n, int m) {
    float **a = malloc((size_t)n * sizeof *a);
    a[0] = malloc((size_t)n * (size_t)m * sizeof **a);
    for (int i = 1; i < n; i++)
        a[i] = a[0] + i * m;
    return a;
}
static double **in_each(int n, int m) {
    double **a = (double **)malloc(sizeof(double *) * (size_t)n);
    for (int i = 0; i < n; i++)
        a[i] = (double *)calloc((size_t)m, sizeof(double));
    return a;
}

static void step(int n, int m, float **to, float **from) {
#pragma omp parallel for // GPU: 6 calls
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = 0.25f * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static void product(int n, int m, int p, double **a, double **b, double **c) {
    int i, j, k;
#pragma omp parallel for private(j, k) // GPU
    for (i = 0; i < n; i++)
        for (j = 0; j < p; j++) {
            double sum = 0;
            for (k = 0; k < m; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] += sum;
        }
}

static int triangle(int n) {
    int *rows[40], sum = 0;
    for (int i = 0; i < n; i++)
        rows[i] = calloc((size_t)i + 1, sizeof(int));
    for (int i = n; i < 40; i++)
        rows[i] = NULL;
#pragma omp parallel for // GPU
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 1; j++)
            rows[i][j] = i + 1;
    for (int i = 0; i < n; i++) {
        sum += rows[i][0] * (i + 1) + rows[i][i];
        free(rows[i]);
    }
    return sum;
}

static void flat(int n, int m, float **a) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < n * m; i++)
        a[0][i] = (float)(i % 19);
}

static void twice(int n, int m, float **a) {
#pragma omp parallel for // CPU at run time: two rows
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
}

static void any(int n, const int *at, float **a) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++)
        a[i][at[i]] += 2;
}

static void swap_rows(int n, float **a) {
#pragma omp parallel for // CPU
    for (int i = 0; i < n / 2; i++) {
        float *row = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = row;
    }
}

int main(void) {
    const int n = 150, m = 140;
    float **a = in_one(n, m), **b = in_one(n, m), **some = malloc(3 * sizeof *some);
    double **x = in_each(20, 30), **y = in_each(30, 25), **z = in_each(20, 25), total = 0;
    static int at[150];
    flat(n, m, a);
    flat(n, m, b);
    for (int t = 0; t < 6; t++) {
        step(n, m, t % 2 ? a : b, t % 2 ? b : a);
        if (t == 3) printf("%.4f %.4f\n", (double)a[n / 2][m / 2], (double)b[3][4]);
    }
    for (int i = 0; i < n; i++)
        at[i] = i % m;
    any(n, at, a);
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++) {
            if (i < 20) x[i][j] = i - j;
            if (j < 25) y[i][j] = (i * j) % 5;
        }
    double *first = y[0];
    y[0] = y[29];
    y[29] = first;
    product(20, 30, 25, x, y, z);
    product(20, 30, 25, x, y, z);
    swap_rows(n, a);
    some[0] = a[5], some[1] = a[5], some[2] = a[9];
    twice(3, m, some);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            total += (double)a[i][j] * (i % 3) + (double)b[i][j];
    for (int i = 0; i < 20; i++)
        total += z[i][i] * i + z[i][24];
    printf("%.7g %d\n", total, triangle(40));
    return 0;
}
