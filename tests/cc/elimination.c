// LU decomposition of a matrix that a function gets as rows of its own length; the loop over columns prints, so it stays.
#include <stdio.h>
#include <stdlib.h>

static void decompose(int n, float a[n][n]) {
    for (int k = 0; k < n; k++) {
#pragma omp parallel for // GPU
        for (int i = k + 1; i < n; i++) {
            float factor = a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
        if (k % 16 == 0) printf("column %d, pivot %.3f\n", k, (double)a[k][k]);
    }
}

int main(void) {
    enum { N = 48 };
    float(*a)[N] = malloc(sizeof(float[N][N]));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = (i == j ? 2.0f * N : 0.0f) + (float)((i * 7 + j * 3) % 11);
    decompose(N, a);
    float sum = 0.0f;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += a[i][j];
    printf("%.2f\n", (double)sum);
    free(a);
    return 0;
}
