// Rows that data choose: pointers to the rows of one allocation, of which a map says which one an iteration takes. As each pointer of the
// table is a row, and no index leaves its row, it does not matter which.
#include <stdio.h>
#include <stdlib.h>

static float **rows_of(int n, int m) {
    float **a = malloc((size_t)n * sizeof *a);
    a[0] = malloc((size_t)n * (size_t)m * sizeof **a);
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] + m;
    return a;
}

static float apart(const float *a, const float *b, int m) {
    float sum = 0;
    for (int j = 0; j < m; j++)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static float error_of(float **points, int n, int m, float **centres, const int *of) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 1 call
    for (int i = 0; i < n; i++)
        sum += apart(points[i], centres[of[i]], m);
    return sum;
}

// One row for all of them: C says nothing against it, so they are one memory.
static float all_of(float **a, int n, int m, const int *map) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 1 call
    for (int i = 0; i < n * m; i++)
        sum += a[0][map[i]];
    return sum;
}

int main(void) {
    enum { N = 500, M = 6, K = 7 };
    float **points = rows_of(N, M), **centres = rows_of(K, M);
    int *of = malloc(N * sizeof *of), *map = malloc(N * M * sizeof *map);
    for (int i = 0; i < N; i++) {
        of[i] = i * 5 % K;
        for (int j = 0; j < M; j++) {
            points[i][j] = (float)((i + j) % 9);
            map[i * M + j] = (i * 7 + j * 3) % (N * M);
        }
    }
    for (int k = 0; k < K * M; k++)
        centres[0][k] = (float)(k % 4);
    printf("%g %g\n", (double)error_of(points, N, M, centres, of), (double)all_of(points, N, M, map));
    return 0;
}
