// build: -fdouble=pair
// Few values of a number, of which the compiler has to know each: with the number left open nobody knows that no index leaves its row.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 30 };
static double **u;

static double sweep(int colour) {
    double most = 0;
#pragma omp parallel for reduction(max : most) // GPU: 40 calls
    for (int i = 1; i <= N; i++)
        for (int j = 1 + (i + colour) % 2; j <= N; j += 2) {
            double change = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) - u[i][j];
            u[i][j] += 1.5 * change;
            most = fmax(most, fabs(change));
        }
    return most;
}

// So many values that this is given up: then rows are places in one memory, of which nobody has to know that.
static void eliminate(double **a, int k) {
#pragma omp parallel for // GPU: 30 calls
    for (int i = k + 1; i < N; i++)
        for (int j = k + 1; j < N; j++)
            a[i][j] -= a[i][k] * a[k][j] / a[k][k];
}

int main(void) {
    double change = 0;
    u = malloc((N + 2) * sizeof *u);
    if (!u || !(u[0] = calloc((N + 2) * (N + 2), sizeof **u))) return 1;
    for (int i = 1; i < N + 2; i++)
        u[i] = u[0] + i * (N + 2);
    for (int j = 0; j < N + 2; j++)
        u[0][j] = j % 5;
    for (int t = 0; t < 20; t++) {
        change = sweep(0);
        if (t % 10 == 9) printf("%.6e\n", change);
        change = fmax(change, sweep(1));
    }
    printf("%.6e %.9g\n", change, u[3][7]);
    for (int i = 0; i < N; i++)
        u[i][i] += 10;
    for (int k = 0; k < N; k++) {
        if (k % 10 == 9) printf("%.9g\n", u[k][k]);
        eliminate(u, k);
    }
    free(u[0]);
    free(u);
    return 0;
}
