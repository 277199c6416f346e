// build: -fdouble=float
// A factorisation and two triangular solutions, on a matrix of doubles as a global array; init, kernel and check are functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 60
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
static DATA_TYPE A[N][N], b[N], x[N], y[N];
static DATA_TYPE copy[N][N];

static void init(void) {
    for (int i = 0; i < N; i++) {
        b[i] = (i + 1.0) / N / 2.0 + 4;
        for (int j = 0; j < N; j++)
            copy[i][j] = A[i][j] = i == j ? 2.0 * N : (DATA_TYPE)(-(i * j) % N) / N + 1;
    }
}

static void factorise(int n) {
    for (int k = 0; k < n; k++) { // GPU
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            A[i][k] /= A[k][k];
#pragma omp parallel for
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

static void substitute(int n) {
    int i, j;
    for (i = 0; i < n; i++) { // GPU
        DATA_TYPE w = b[i];
#pragma omp parallel for reduction(- : w)
        for (j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (i = n - 1; i >= 0; i--) { // GPU
        DATA_TYPE w = y[i];
#pragma omp parallel for reduction(- : w)
        for (j = i + 1; j < n; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}

int main(void) {
    init();
    factorise(N);
    substitute(N);
    double worst = 0;
    for (int i = 0; i < N; i++) {
        double sum = -b[i];
        for (int j = 0; j < N; j++)
            sum += copy[i][j] * x[j];
        worst = fmax(worst, fabs(sum));
    }
    printf("%s %.4f %.4f\n", worst < 1e-3 ? "solved" : "not solved", x[0] * 100, x[N - 1] * 100);
    return worst < 1e-3 ? 0 : 1;
}
