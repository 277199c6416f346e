// Indices that leave their row and stay in the array find the elements of the next rows, as on the CPU, also where the
// device has several arrays in one buffer.
// build: -fdouble=pair
#include <stdio.h>
#include <stdlib.h>

enum { N = 12, M = 5, K = 9 };

static void differences(int n, int m, int k, double table[N][M], double a[N][K], double b[N][K], double c[N][K],
                        double d[N][K], double e[N][K], double f[N][K], double scale[K], int map[K]) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < k; j++) {
            a[i][j] = table[i][j] - b[i][j];
            c[i][j] = table[i][map[j]] * scale[j];
            d[i][j] = e[i][j] + f[i][j] + (i > 0 ? table[i][-1 - map[j] % 2] : 0);
        }
#pragma omp parallel for // GPU
    for (int j = 0; j < n * m; j++)
        table[0][j] += 1;
}

static void print(double x[N][K]) {
    for (int i = 0; i < N - 1; i++) {
        for (int j = 0; j < K; j++)
            printf(" %g", x[i][j]);
        printf("\n");
    }
}

int main(void) {
    static double a[N][K], b[N][K], c[N][K], d[N][K], e[N][K], f[N][K], scale[K];
    static int map[K];
    double(*table)[N][M] = malloc(sizeof(double) * N * M);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            (*table)[i][j] = 100 * i + j;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < K; j++) {
            b[i][j] = i, e[i][j] = j, f[i][j] = i - j;
            scale[j] = j + 1, map[j] = (j * 5 + 2) % K;
        }
    differences(N, M, K, *table, a, b, c, d, e, f, scale, map);
    print(a), print(c), print(d);
    printf("%g %g\n", (*table)[0][3], (*table)[N - 1][M - 1]);
    free(table);
}
