// build: -fdouble=pair
// Memory that iterations, and functions that they call, allocate for themselves; that of each thread for one loop; and what has to stay: memory
// that is kept, that is as long as data say, that a first iteration fills for others, and that was allocated before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60, M = 9 };

static double median(const double *x, int n) {
    double *t = (double *)malloc((size_t)n * sizeof *t);
    if (t == NULL) return -1;
    memcpy(t, x, (size_t)n * sizeof(double));
    for (int i = 1; i < n; i++) {
        double v = t[i];
        int j = i - 1;
        for (; j >= 0 && t[j] > v; j--)
            t[j + 1] = t[j];
        t[j + 1] = v;
    }
    double middle = t[n / 2];
    free(t);
    return middle;
}

static int most(const double *x, int n) {
    int *found, k, best = 0;
    found = calloc(8, sizeof(int));
    for (k = 0; k < n; k++)
        found[(int)x[k] & 7]++;
    for (k = 1; k < 8; k++)
        if (found[k] > found[best]) best = k;
    free(found);
    return best;
}

static double *copy(const double *x, int n) {
    double *t = malloc((size_t)n * sizeof(double));
    for (int k = 0; k < n; k++)
        t[k] = x[k];
    return t;
}

int main(void) {
    double *x = malloc(N * M * sizeof(double)), y[N], z[N], *kept[N], *old[N], sum = 0;
    for (int i = 0; i < N * M; i++)
        x[i] = i * 37 % 101;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = median(x + i * M, M) + most(x + i * M, M);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        float *a = malloc(M * sizeof(float)), *b = (float *)malloc(M * sizeof(float)), *p = a;
        for (int k = 0; k < M; k++) {
            *p++ = (float)x[i * M + k];
            b[k] = (float)k;
        }
        z[i] = 0;
        for (int k = 0; k < M; k++)
            z[i] += a[k] * b[k];
        free(a);
        free((void *)b);
    }
#pragma omp parallel // GPU
    {
        double *s = malloc(M * sizeof(double)), *t;
        t = malloc(sizeof(double) * M);
#pragma omp for
        for (int i = 0; i < N; i++)
            for (int k = 0; k < M; k++) {
                t[k] = x[i * M + k];
                s[k] = t[k] * 2;
                z[i] += s[k] * k;
            }
        free(s);
        free(t);
    }
#pragma omp parallel // GPU
    {
        double *s = malloc(M * sizeof *s), *t = malloc(sizeof(t[0]) * M), *u = calloc(M, sizeof(double));
#pragma omp for
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < M; k++)
                s[k] = x[i * M + k] * 3;
            for (int k = 0; k < M; k++)
                t[k] = s[M - 1 - k];
            for (int k = 0; k < M; k++)
                u[k] = t[k];
            double v = u[2];
            for (int k = 0; k < M; k++)
                z[i] += u[k] * k + v;
        }
        free(s);
        free(t);
        free(u);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double *t = malloc(M * sizeof t[0]);
        for (int k = 0; k < M; k++)
            t[k] = x[i * M + k];
        z[i] += t[i % M];
        free(t);
    }
#pragma omp parallel // GPU
    {
        double *t = malloc(M * sizeof(double));
#pragma omp for schedule(static, 15)
        for (int i = 0; i < N; i++) {
            if (i % 15 == 0) memset(t, 0, M * sizeof(double));
            t[i % M] += x[i];
            z[i] += t[i % M];
        }
        free(t);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < N; i++)
        kept[i] = copy(x + i * M, M);
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < N; i++) {
        double *t = malloc((size_t)(1 + (int)x[i]) * sizeof(double));
        for (int k = 0; k <= (int)x[i]; k++)
            t[k] = k;
        z[i] += t[(int)x[i]];
        free(t);
    }
#pragma omp parallel for // CPU: `malloc` stays on the CPU
    for (int i = 0; i < N; i++) {
        double *t = malloc(sizeof(double));
        t[0] = i;
        old[i] = t;
    }
#pragma omp parallel for // CPU: `free` stays on the CPU
    for (int i = 0; i < N; i++) {
        double *t = old[i];
        z[i] += t[0];
        free(t);
    }
    for (int i = 0; i < N; i++)
        sum += y[i] * i + z[i] * 0.5 + kept[i][i % M];
    printf("%.9g\n", sum);
    return 0;
}
