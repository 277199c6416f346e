// build: -fdouble=pair
// A factorisation with rows behind pointers, and its check: the product of the factors, in another function.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double **matrix(int n) {
    double **a = malloc((size_t)n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = calloc((size_t)n, sizeof **a);
    return a;
}

static void factorise(double **a, int n) {
    for (int k = 0; k < n - 1; k++) { // GPU
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            double factor = a[i][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= factor * a[k][j];
        }
    }
}

static double difference(double **lu, double **old, int n) {
    double worst = 1e-6; // what is below that is rounding
#pragma omp parallel for reduction(max : worst) schedule(dynamic, 4) // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = i <= j ? lu[i][j] : 0.0;
            int last = i <= j ? i : j + 1;
            for (int k = 0; k < last; k++)
                sum += lu[i][k] * lu[k][j];
            worst = fmax(worst, fabs(sum - old[i][j]));
        }
    return worst;
}

int main(void) {
    int n = 40;
    double **a = matrix(n), **old = matrix(n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            old[i][j] = a[i][j] = i == j ? 3.0 * n : 1.0 / (i + 2 * j + 1) - 0.25 * ((i * j) % 7);
    factorise(a, n);
    double worst = difference(a, old, n);
    printf("%s\n", worst < 2e-6 ? "factors" : "wrong");
    for (int i = 0; i < n; i += 9)
        printf("%.9g %.9g %.9g\n", a[i][i], a[i][n - 1], a[n - 1][i]);
    return worst < 2e-6 ? 0 : 1;
}
