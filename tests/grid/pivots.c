// Elimination with pivots: the search for the largest is a reduction that every workgroup makes itself, and what is
// swapped by one invocation needs no barrier between its loads and its stores.
// test: -i n=70 -i a=uniform:lo=-1,hi=1,seed=1 -i b=uniform:lo=-1,hi=1,seed=2
// check: x near 1e-3
// check: order exact
// dispatches: 1
// barriers: 3 a step
#include <math.h>

void pivots(int n, float a[n][n], float b[n], float x[n], int order[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int k = 0; k < n; k++) {
        int p = k;
        float best = fabsf(a[k][k]);
        for (int i = k + 1; i < n; i++)
            if (fabsf(a[i][k]) > best) {
                best = fabsf(a[i][k]);
                p = i;
            }
#pragma omp parallel for
        for (int j = 0; j < n; j++) {
            float v = a[k][j];
            a[k][j] = a[p][j];
            a[p][j] = v;
        }
        float right = b[k];
        b[k] = b[p];
        b[p] = right;
        int was = order[k];
        order[k] = order[p];
        order[p] = was;
#pragma omp parallel for
        for (int i = k + 1; i < n; i++) {
            float factor = a[i][k] / a[k][k];
            for (int j = k; j < n; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = b[i] / a[i][i];
}
