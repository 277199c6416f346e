// build: -fdouble=pair
// A V-cycle on three levels in one dimension times rows: residual, restriction, smoothing and interpolation are functions that are called for
// every level, whose grids stand one behind the other in one allocation.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 4, FINEST = 33 };

static int side[LEVELS], first[LEVELS];

static void residual(const double *u, const double *v, double *r, int n) {
#pragma omp parallel for collapse(2) // GPU
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            r[i * n + j] = v[i * n + j] - (4.0 * u[i * n + j] - u[(i - 1) * n + j] - u[(i + 1) * n + j] - u[i * n + j - 1] - u[i * n + j + 1]);
}

static void smooth(double *u, const double *r, int n) {
    const double c0 = 0.2, c1 = 0.0125;
#pragma omp parallel for // GPU
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            u[i * n + j] += c0 * r[i * n + j] + c1 * (r[(i - 1) * n + j] + r[(i + 1) * n + j] + r[i * n + j - 1] + r[i * n + j + 1]);
}

static void restrict_to(const double *fine, double *coarse, int nf, int nc) {
#pragma omp parallel for
    for (int i = 1; i < nc - 1; i++)
        for (int j = 1; j < nc - 1; j++) {
            const double *c = fine + 2 * i * nf + 2 * j;
            coarse[i * nc + j] = c[0] + 0.5 * (c[-1] + c[1] + c[-nf] + c[nf]) + 0.25 * (c[-nf - 1] + c[-nf + 1] + c[nf - 1] + c[nf + 1]);
        }
}

static void interpolate(const double *coarse, double *fine, int nc, int nf) {
#pragma omp parallel for
    for (int i = 0; i < nc - 1; i++)
        for (int j = 0; j < nc - 1; j++) {
            double a = coarse[i * nc + j], b = coarse[i * nc + j + 1], c = coarse[(i + 1) * nc + j], d = coarse[(i + 1) * nc + j + 1];
            fine[2 * i * nf + 2 * j] += a;
            fine[2 * i * nf + 2 * j + 1] += 0.5 * (a + b);
            fine[(2 * i + 1) * nf + 2 * j] += 0.5 * (a + c);
            fine[(2 * i + 1) * nf + 2 * j + 1] += 0.25 * (a + b + c + d);
        }
}

static void clear(double *x, int count) {
#pragma omp parallel for
    for (int i = 0; i < count; i++)
        x[i] = 0.0;
}

static double norm(const double *r, int n) {
    double sum = 0.0, most = 0.0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most) // GPU
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            sum = sum + r[i * n + j] * r[i * n + j];
            double size = fabs(r[i * n + j]);
            if (size > most) most = size;
        }
    return sqrt(sum / ((double)(n - 2) * (n - 2))) + 0.0 * most;
}

int main(void) {
    int total = 0;
    for (int l = 0, n = FINEST; l < LEVELS; l++, n = n / 2 + 1) {
        side[l] = n;
        first[l] = total;
        total += n * n;
    }
    double *u = calloc((size_t)total, sizeof *u), *r = calloc((size_t)total, sizeof *r), *v = calloc((size_t)total, sizeof *v);
    v[7 * FINEST + 9] = 1.0;
    v[20 * FINEST + 25] = -1.0;
    double began = omp_get_wtime(), before = 1, after = 1;
    for (int cycle = 0; cycle < 3; cycle++) {
        residual(u, v, r, side[0]);
        before = norm(r, side[0]);
        for (int l = 1; l < LEVELS; l++) // GPU: 3 calls
            restrict_to(r + first[l - 1], r + first[l], side[l - 1], side[l]);
        for (int l = LEVELS - 1; l > 0; l--) { // GPU: 3 calls
            int n = side[l];
            if (l == LEVELS - 1) clear(u + first[l], n * n);
            smooth(u + first[l], r + first[l], n);
            if (l > 1) clear(u + first[l - 1], side[l - 1] * side[l - 1]);
            interpolate(u + first[l], u + first[l - 1], n, side[l - 1]);
        }
        residual(u, v, r, side[0]);
        smooth(u, r, side[0]);
        residual(u, v, r, side[0]);
        after = norm(r, side[0]);
        printf("%.9e %.9e\n", before, after);
    }
    if (omp_get_wtime() - began < 0) printf("?\n");
    for (int i = 0; i < FINEST; i += 8)
        printf("%.9f ", u[i * FINEST + 9]);
    printf("\n");
    free(u);
    free(r);
    free(v);
    return 0;
}
