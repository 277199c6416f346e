// build: -fdouble=pair
// Grids of several sizes behind each other in one array, each seen as an array of three dimensions of its own, by casts of a `void *`.
#include <stdio.h>

#define FINE 18
#define MIDDLE 10
#define COARSE 6
static const int side[3] = {FINE, MIDDLE, COARSE};
static int first[3];
static double u[FINE * FINE * FINE + MIDDLE * MIDDLE * MIDDLE + COARSE * COARSE * COARSE], r[sizeof u / sizeof *u];

static void project(void *from, int n, void *to, int m) {
    double(*f)[n][n] = (double(*)[n][n])from;
    double(*c)[m][m] = (double(*)[m][m])to;
    int i, j, k, fi, fj, fk;
#pragma omp parallel for private(i, j, k, fi, fj, fk) // GPU: 2 calls
    for (i = 1; i < m - 1; i++) {
        fi = 2 * i - 1;
        for (j = 1; j < m - 1; j++) {
            fj = 2 * j - 1;
            for (k = 1; k < m - 1; k++) {
                fk = 2 * k - 1;
                c[i][j][k] = 0.5 * f[fi + 1][fj + 1][fk + 1] + 0.125 * (f[fi][fj + 1][fk] + f[fi + 2][fj][fk + 1]) - 0.1 * f[fi][fj][fk];
            }
        }
    }
}

static void smooth(void *values, void *rest, int n, const double a[4]) {
    double(*v)[n][n] = (double(*)[n][n])values;
    double(*q)[n][n] = (double(*)[n][n])rest;
    int i, j, k;
    double line[FINE];
#pragma omp parallel for private(i, j, k, line) // GPU: 3 calls
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < n - 1; j++) {
            for (k = 0; k < n; k++)
                line[k] = q[i][j - 1][k] + q[i][j + 1][k] + q[i - 1][j][k] + q[i + 1][j][k];
            for (k = 1; k < n - 1; k++)
                v[i][j][k] = v[i][j][k] + a[0] * q[i][j][k] + a[1] * (q[i][j][k - 1] + q[i][j][k + 1] + line[k]) + a[2] * (line[k - 1] + line[k + 1]);
        }
}

static void expand(void *from, int m, void *to, int n) {
    double(*c)[m][m] = (double(*)[m][m])from;
    double(*f)[n][n] = (double(*)[n][n])to;
#pragma omp parallel for collapse(2) // GPU: 2 calls
    for (int i = 0; i < m - 1; i++)
        for (int j = 0; j < m - 1; j++)
            for (int k = 0; k < m - 1; k++) {
                f[2 * i][2 * j][2 * k] += c[i][j][k];
                f[2 * i][2 * j][2 * k + 1] += 0.5 * (c[i][j][k] + c[i][j][k + 1]);
                f[2 * i][2 * j + 1][2 * k] += 0.5 * (c[i][j][k] + c[i][j + 1][k]);
                f[2 * i + 1][2 * j][2 * k] += 0.5 * (c[i][j][k] + c[i + 1][j][k]);
            }
}

// One of another level's rows is written: the CPU.
static void overlap(void *from, int n, void *to, int m) {
    double(*f)[n][n] = (double(*)[n][n])from;
    double(*c)[m] = (double(*)[m])to;
#pragma omp parallel for // CPU at run time: share memory
    for (int i = 0; i < 4; i++)
        c[i][0] = f[0][i][1] + 1;
}

int main(void) {
    const double a[4] = {-0.375, 0.03125, -0.015625, 0};
    for (int l = 1; l < 3; l++)
        first[l] = first[l - 1] + side[l - 1] * side[l - 1] * side[l - 1];
    for (int i = 0; i < first[1]; i++)
        r[i] = i * 7 % 13 / 8.0;
    for (int l = 0; l < 2; l++)
        project(&r[first[l]], side[l], &r[first[l + 1]], side[l + 1]);
    for (int l = 2; l >= 0; l--) {
        smooth(&u[first[l]], &r[first[l]], side[l], a);
        if (l) expand(&u[first[l]], side[l], &u[first[l - 1]], side[l - 1]);
    }
    overlap(u, FINE, &u[7], 10);
    for (int l = 0; l < 3; l++)
        printf("%.9f %.9f\n", u[first[l] + side[l] * side[l] + 2 * side[l] + 2], r[first[l] + side[l] * side[l] + 2 * side[l] + 2]);
    printf("%.9f\n", u[17]);
    return 0;
}
