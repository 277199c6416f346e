// build: -fdouble=pair
// A line solver of 3 x 3 blocks, three unknowns a point: Jacobians in local arrays, helper functions over small blocks, private work arrays.
#include <math.h>
#include <stdio.h>

#define NI 10
#define NJ 9
#define Q 3

static double u[NJ][NI][Q], rhs[NJ][NI][Q], forcing[NJ][NI][Q];
static double dt = 0.015, tx = 2.5;

static void matvec_sub(double a[Q][Q], const double v[Q], double b[Q]) {
    for (int i = 0; i < Q; i++)
        for (int k = 0; k < Q; k++)
            b[i] = b[i] - a[i][k] * v[k];
}

static void matmul_sub(double a[Q][Q], double b[Q][Q], double c[Q][Q]) {
    for (int j = 0; j < Q; j++)
        for (int i = 0; i < Q; i++)
            c[i][j] = c[i][j] - a[i][0] * b[0][j] - a[i][1] * b[1][j] - a[i][2] * b[2][j];
}

static void invert(double lhs[Q][Q], double c[Q][Q], double r[Q]) {
    for (int p = 0; p < Q; p++) {
        double pivot = 1.0 / lhs[p][p];
        for (int n = p + 1; n < Q; n++)
            lhs[p][n] = lhs[p][n] * pivot;
        for (int n = 0; n < Q; n++)
            c[p][n] = c[p][n] * pivot;
        r[p] = r[p] * pivot;
        for (int k = 0; k < Q; k++) {
            if (k == p) continue;
            double coeff = lhs[k][p];
            for (int n = p + 1; n < Q; n++)
                lhs[k][n] = lhs[k][n] - coeff * lhs[p][n];
            for (int n = 0; n < Q; n++)
                c[k][n] = c[k][n] - coeff * c[p][n];
            r[k] = r[k] - coeff * r[p];
        }
    }
}

static void compute_rhs(void) {
    int i, j, m;
#pragma omp parallel for private(i, j, m) // GPU
    for (j = 0; j < NJ; j++)
        for (i = 0; i < NI; i++)
            for (m = 0; m < Q; m++) {
                rhs[j][i][m] = forcing[j][i][m];
                if (i > 0 && i < NI - 1 && j > 0 && j < NJ - 1)
                    rhs[j][i][m] += dt * tx * (u[j][i + 1][m] - 2.0 * u[j][i][m] + u[j][i - 1][m] + u[j + 1][i][m] - 2.0 * u[j][i][m] + u[j - 1][i][m]);
            }
}

static void x_solve(void) {
    double lhs[3][Q][Q], above[NI][Q][Q];
#pragma omp parallel for private(lhs, above) // GPU
    for (int j = 1; j < NJ - 1; j++) {
        for (int m = 0; m < Q; m++)
            for (int n = 0; n < Q; n++)
                above[0][m][n] = 0.0;
        for (int i = 1; i < NI - 1; i++) {
            for (int m = 0; m < Q; m++)
                for (int n = 0; n < Q; n++) {
                    double jac = 0.1 * u[j][i][m] * u[j][i][n];
                    lhs[0][m][n] = -dt * tx * (jac + (m == n ? 1.0 : 0.0));
                    lhs[1][m][n] = (m == n ? 1.0 + 2.0 * dt * tx : 0.0) + dt * jac;
                    above[i][m][n] = -dt * tx * (m == n ? 1.0 : 0.0) + 0.5 * dt * jac;
                }
            matvec_sub(lhs[0], rhs[j][i - 1], rhs[j][i]);
            matmul_sub(lhs[0], above[i - 1], lhs[1]);
            invert(lhs[1], above[i], rhs[j][i]);
        }
        for (int i = NI - 3; i >= 1; i--)
            for (int m = 0; m < Q; m++)
                for (int n = 0; n < Q; n++)
                    rhs[j][i][m] = rhs[j][i][m] - above[i][m][n] * rhs[j][i + 1][n];
    }
}

static void add(void) {
#pragma omp parallel for collapse(2) // GPU
    for (int j = 1; j < NJ - 1; j++)
        for (int i = 1; i < NI - 1; i++)
            for (int m = 0; m < Q; m++)
                u[j][i][m] = u[j][i][m] + rhs[j][i][m];
}

int main(void) {
    for (int j = 0; j < NJ; j++)
        for (int i = 0; i < NI; i++)
            for (int m = 0; m < Q; m++) {
                u[j][i][m] = 1.0 + 0.1 * m + 0.01 * ((i * 3 + j * 5 + m) % 7);
                forcing[j][i][m] = 0.001 * ((i + 2 * j + 3 * m) % 5);
            }
    for (int step = 0; step < 2; step++) {
        compute_rhs();
        x_solve();
        add();
        double rms[Q] = {0};
        for (int j = 0; j < NJ; j++)
            for (int i = 0; i < NI; i++)
                for (int m = 0; m < Q; m++)
                    rms[m] += rhs[j][i][m] * rhs[j][i][m];
        printf("%d %.9e %.9e %.9e\n", step, sqrt(rms[0]), sqrt(rms[1]), sqrt(rms[2]));
    }
    printf("%.10f %.10f\n", u[4][5][1], u[7][8][2]);
    return 0;
}
