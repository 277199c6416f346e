// build: -fdouble=pair
// Tables of rows at file scope that functions name: read, written, of planes, of several functions one behind the other, through functions that
// take no parameters, in a time loop, and one that is handed to a function, too.
#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 24 };
static double **u, **w;
static float *weights[4];
static int ***planes;
static int width = M;

static double around(int i, int j) {
    return 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
}
static double weighed(int i, int j);
static double twice(int i, int j) { return weighed(i, j) + weighed(i, j - 1); }
static double weighed(int i, int j) { return weights[i % 4][j % 3] * around(i, j); }
static void sweep(void) {
#pragma omp parallel for // GPU
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < width - 1; j++)
            w[i][j] = around(i, j);
#pragma omp parallel for // GPU
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < width - 1; j++)
            u[i][j] = w[i][j];
}
static int first(void) { return planes[1][2][3]; }
static int at(int i) { return planes[i % 2][i % 3][i % 5] + first(); }
static void set(int i) {
    for (int k = 0; k < 5; k++)
        planes[0][i][k] += i * k;
}
static double sum_of(double **rows, int i) {
    double sum = 0;
    for (int j = 0; j < M; j++)
        sum += rows[i][j] + u[i][j];
    return sum;
}

int main(void) {
    u = malloc(N * sizeof *u);
    w = malloc(N * sizeof *w);
    u[0] = malloc(N * M * sizeof **u);
    for (int i = 0; i < N; i++) {
        u[i] = u[0] + i * M;
        w[i] = calloc(M, sizeof **w);
        for (int j = 0; j < M; j++)
            u[i][j] = (i * 7 + j * 3) % 11;
    }
    for (int k = 0; k < 4; k++)
        weights[k] = calloc(3, sizeof(float)), weights[k][k % 3] = (float)k + 0.5f;
    planes = malloc(2 * sizeof *planes);
    for (int i = 0; i < 2; i++) {
        planes[i] = malloc(3 * sizeof **planes);
        for (int j = 0; j < 3; j++) {
            planes[i][j] = malloc(5 * sizeof ***planes);
            for (int k = 0; k < 5; k++)
                planes[i][j][k] = i * 100 + j * 10 + k;
        }
    }
    for (int t = 0; t < 10; t++) // GPU: 1 call
        sweep();
    sweep();
    double sum = 0, x[N];
#pragma omp parallel for default(none) shared(u, width, weights) reduction(+ : sum) // GPU
    for (int i = 1; i < N - 1; i++)
        for (int j = 2; j < width - 1; j++)
            sum += twice(i, j);
    int k = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < 3; i++)
        set(i);
#pragma omp parallel for reduction(+ : k) // GPU
    for (int i = 0; i < 30; i++)
        k += at(i);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        x[i] = sum_of(w, i);
    printf("%.9g %.9g %d %.9g %.9g\n", sum, u[3][4], k, x[0], x[N / 2]);
    return 0;
}
