// Pointers to rows that have something of their allocation before them, where an index of -1 leads: in a full table and in one that ends.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

enum { N = 50, M = 6, W = 20 };

static void add(int n, int m, const int *at, int **a) {
#pragma omp parallel for // CPU at run time: rows
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            a[i][at[k]] += i + 1;
}

static void add_all(int n, const int *at, int **a) {
#pragma omp parallel for // CPU at run time: rows
    for (int i = 0; i < n; i++)
        for (int k = 0; k < M; k++)
            a[i][at[k]] += i + 1;
}

int main(void) {
    int **a = malloc(N * sizeof *a), **b = calloc(N + 9, sizeof *b), at[M] = {-1, 0, 3, 17, -1, 5};
    for (int i = 0; i < N; i++) {
        a[i] = (int *)calloc(W + 4, sizeof(int)) + 4;
        b[i] = (int *)calloc(W + 4 + i % 3, sizeof(int)) + 4;
    }
    add(N, M, at, a);
    add_all(N, at, b);
    long long sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = -4; j < W; j++)
            sum += a[i][j] * (j + 7) * (i % 5 + 1) + b[i][j] * (j + 9) * (i % 3 + 2);
    printf("%lld\n", sum);
    return 0;
}
