#include "sim.h"
#include <math.h>
static inline double lap(const double *u, int i, int j, int m) {
    return u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1] - 4 * u[i * m + j];
}
static double sweep(const grid_t *g, double alpha) {
    double res = 0;
    const int n = g->n, m = g->m;
    const double *u = g->cur;
    double *v = g->next;
#pragma omp parallel for collapse(2) reduction(+ : res)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            double d = alpha * lap(u, i, j, m);
            v[i * m + j] = u[i * m + j] + d;
            res += d * d;
        }
    return sqrt(res);
}
double solve(grid_t *g, const params_t *p) {
    double r = 1;
    for (int it = 0; it < p->iters && r > p->tol; it++) { // GPU
        r = sweep(g, p->alpha);
        double *t = g->cur;
        g->cur = g->next;
        g->next = t;
    }
    return r;
}
