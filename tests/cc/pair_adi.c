// build: -fdouble=pair
// Alternating directions: in each half of a step a tridiagonal system a row, solved forwards and backwards.
#include <stdio.h>
#include <stdlib.h>

static void init(int n, double u[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = (double)(i + n - j) / n;
}

static void solve(int tsteps, int n, double u[n][n], double v[n][n], double p[n][n], double q[n][n]) {
    double DX = 1.0 / (double)n, DY = 1.0 / (double)n, DT = 1.0 / (double)tsteps, B1 = 2.0, B2 = 1.0;
    double mul1 = B1 * DT / (DX * DX), mul2 = B2 * DT / (DY * DY);
    double a = -mul1 / 2.0, b = 1.0 + mul1, c = a, d = -mul2 / 2.0, e = 1.0 + mul2, f = d;
    for (int t = 1; t <= tsteps; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1.0 + 2.0 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1.0 + 2.0 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
}

int main(void) {
    int n = 24, tsteps = 6;
    double(*u)[n] = malloc(sizeof(double[n][n])), (*v)[n] = calloc(1, sizeof(double[n][n]));
    double(*p)[n] = calloc(1, sizeof(double[n][n])), (*q)[n] = calloc(1, sizeof(double[n][n]));
    init(n, u);
    solve(tsteps, n, u, v, p, q);
    for (int i = 0; i < n; i += 4) {
        for (int j = 0; j < n; j += 6)
            fprintf(stdout, "%.9f ", u[i][j]);
        fprintf(stdout, "\n");
    }
    free(u);
    free(v);
    free(p);
    free(q);
    return 0;
}
