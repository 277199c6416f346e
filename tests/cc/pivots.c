// Gaussian elimination with a pivot that threads look for, each behind a critical section, and the whole of it as one loop over columns; the
// nearest pair of points, kept in a struct at file scope.
// build: -fdouble=float
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void solve(int n, double a[n][n + 1]) {
    for (int k = 0; k < n; k++) { // GPU
        int pivot = k;
        double largest = fabs(a[k][k]);
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i][k]) > largest) {
#pragma omp critical
                if (fabs(a[i][k]) > largest) {
                    largest = fabs(a[i][k]);
                    pivot = i;
                }
            }
        }
#pragma omp parallel for
        for (int j = k; j <= n; j++) {
            double upper = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = upper;
        }
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}

static struct pair {
    float distance;
    int one, other;
} near;

static void find(int n, const float *x, const float *y) {
#pragma omp parallel for schedule(dynamic) // GPU
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            float d = (x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]);
#pragma omp critical
            if (d < near.distance) {
                near.distance = d;
                near.one = i;
                near.other = j;
            }
        }
}

int main(void) {
    enum { N = 60, POINTS = 300 };
    double(*a)[N + 1] = malloc(sizeof(double[N][N + 1]));
    float *x = malloc(POINTS * sizeof *x), *y = malloc(POINTS * sizeof *y);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= N; j++)
            a[i][j] = (i * 7919 + j * 10473 + i * j * 1327) % 10007 / 100.0 - 50;
    solve(N, a);
    double product = 0;
    for (int i = 0; i < N; i++)
        product += log(fabs(a[i][i]));
    printf("log of the determinant %.2f\n", product);
    for (int i = 0; i < POINTS; i++) {
        x[i] = (float)(i * 7919 % 10007);
        y[i] = (float)(i * i * 163 % 9973); // no two pairs are as near as each other
    }
    near.distance = 1e30f;
    find(POINTS, x, y);
    printf("%d and %d, %g apart\n", near.one, near.other, sqrt((double)near.distance));
    free(a);
    free(x);
    free(y);
    return 0;
}
