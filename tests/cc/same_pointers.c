// Regions that ask whether two pointers are one: where they are in one memory the CPU has the answer.
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 3 };

static void mark(int n, const float *from, const float *first, float *to) {
#pragma omp parallel for // CPU at run time: 'from' and 'first' share memory
    for (int i = 0; i < n; i++)
        to[i] = from[i] + (from == first ? 100 : 1);
}

static void mark_rows(int n, float **from, float **first, float **to) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < n; i++)
        to[i][1] = from[i][0] + (from != first ? 100 : 1);
}

// To ask for NULL is another question.
static float add(int n, const float *x, const float *y, const float *more) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 1 call
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i] + (more != NULL ? 1 : 0);
    return sum;
}

static float **rows(void) {
    float **t = malloc(N * sizeof *t);
    for (int i = 0; i < N; i++)
        t[i] = calloc(M, sizeof **t);
    return t;
}

int main(void) {
    float *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b), *c = calloc(N, sizeof *c);
    mark(N, a, b, c);
    printf("%g\n", (double)c[5]);
    mark(N, a, a, c);
    printf("%g\n", (double)c[5]);
    float **s = rows(), **t = rows(), **u = rows();
    mark_rows(N, s, t, u);
    printf("%g\n", (double)u[5][1]);
    mark_rows(N, s, s, u);
    printf("%g\n", (double)u[5][1]);
    printf("%g\n", (double)add(N, c, c, b));
    return 0;
}
