// build: -fdouble=pair
// Conjugate gradients on a sparse matrix in compressed rows, in the manner of a benchmark: an outer power iteration on the CPU, whose
// inner solver is one function of global arrays, a norm that decides nothing, a verification by a reference value.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NA 120
#define NONZER 7
#define NZ (NA * NONZER)
#define CGITMAX 5
#define NITER 4
#define SHIFT 10.0

static int colidx[NZ], rowstr[NA + 1];
static double a[NZ];
static double x[NA + 2], z[NA + 2], p[NA + 2], q[NA + 2], r[NA + 2];

static void makea(void) {
    int k = 0;
    for (int i = 0; i < NA; i++) {
        rowstr[i] = k;
        for (int e = -NONZER / 2; e <= NONZER / 2; e++) {
            int j = i + e * (1 + abs(e));
            if (j < 0 || j >= NA) continue;
            colidx[k] = j;
            a[k++] = e == 0 ? 9.0 + 0.01 * (i % 13) : -1.0 / (1.0 + abs(e)) - 0.001 * ((i + j) % 5);
        }
    }
    rowstr[NA] = k;
}

static void conj_grad(double *rnorm) {
    int j, k;
    double d, sum, rho, rho0, alpha, beta;
    rho = 0.0;
    sum = 0.0;
#pragma omp parallel default(shared) private(j, k) // GPU: 4 calls
    {
#pragma omp for
        for (j = 0; j < NA + 1; j++) {
            q[j] = 0.0;
            z[j] = 0.0;
            r[j] = x[j];
            p[j] = r[j];
        }
#pragma omp for reduction(+ : rho)
        for (j = 0; j < NA; j++)
            rho = rho + r[j] * r[j];
    }
    for (int cgit = 1; cgit <= CGITMAX; cgit++) { // GPU: 4 calls
        rho0 = rho;
        d = 0.0;
        rho = 0.0;
#pragma omp parallel default(shared) private(j, k)
        {
#pragma omp for
            for (j = 0; j < NA; j++) {
                double suml = 0.0;
                for (k = rowstr[j]; k < rowstr[j + 1]; k++)
                    suml = suml + a[k] * p[colidx[k]];
                q[j] = suml;
            }
#pragma omp for reduction(+ : d)
            for (j = 0; j < NA; j++)
                d = d + p[j] * q[j];
        }
        alpha = rho0 / d;
#pragma omp parallel default(shared) private(j)
        {
#pragma omp for reduction(+ : rho)
            for (j = 0; j < NA; j++) {
                z[j] = z[j] + alpha * p[j];
                r[j] = r[j] - alpha * q[j];
                rho = rho + r[j] * r[j];
            }
        }
        beta = rho / rho0;
#pragma omp parallel for
        for (j = 0; j < NA; j++)
            p[j] = r[j] + beta * p[j];
    }
#pragma omp parallel for private(d, k) reduction(+ : sum) // GPU
    for (j = 0; j < NA; j++) {
        double suml = 0.0;
        for (k = rowstr[j]; k < rowstr[j + 1]; k++)
            suml += a[k] * z[colidx[k]];
        d = x[j] - suml;
        sum = sum + d * d;
    }
    *rnorm = sqrt(sum);
}

int main(int argc, char **argv) {
    double zeta = 0.0, rnorm = 0.0, norm_temp1, norm_temp2;
    (void)argc, (void)argv;
    makea();
    for (int i = 0; i < NA + 1; i++)
        x[i] = 1.0;
    for (int it = 1; it <= NITER; it++) {
        conj_grad(&rnorm);
        norm_temp1 = 0.0;
        norm_temp2 = 0.0;
#pragma omp parallel for default(shared) reduction(+ : norm_temp1, norm_temp2) // GPU: 4 calls
        for (int j = 0; j < NA; j++) {
            norm_temp1 = norm_temp1 + x[j] * z[j];
            norm_temp2 = norm_temp2 + z[j] * z[j];
        }
        norm_temp2 = 1.0 / sqrt(norm_temp2);
        zeta = SHIFT + 1.0 / norm_temp1;
        printf("%5d %s %20.11f\n", it, rnorm < 1e-2 ? "solved" : "not solved", zeta);
#pragma omp parallel for default(shared) // GPU: 4 calls
        for (int j = 0; j < NA; j++)
            x[j] = norm_temp2 * z[j];
    }
    return fabs(zeta - 10.0) < 20.0 ? 0 : 1;
}
