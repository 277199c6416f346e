// pivots.c - elimination with the largest element of a column as pivot: a search in sequential code, whose place the
// loops behind it read, and lanes that wait for each other.
//
// Source: G. H. Golub, C. F. Van Loan, "Matrix Computations", algorithm 3.4.1.
//
// with --portable: -i n=130 -i a=normal:seed=1
// test: -i n=40 -i a=normal:seed=1
// check: abs 1e-2
// check: perm exact
// dispatches: 1
#include <math.h>
void pivots(int n, float a[n][n], int perm[n]) {
    for (int k = 0; k < n; k++) {
        int p = k;
        float most = fabsf(a[k][k]);
        for (int i = k + 1; i < n; i++)
            if (fabsf(a[i][k]) > most) {
                most = fabsf(a[i][k]);
                p = i;
            }
        perm[k] = p;
#pragma omp parallel for
        for (int j = 0; j < n; j++) {
            float t = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = t;
        }
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            float f = a[i][k] / a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= f * a[k][j];
            a[i][k] = f;
        }
    }
}
