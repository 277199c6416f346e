#ifndef SIM_H
#define SIM_H
#include <stddef.h>
typedef struct {
    int n, m, iters;
    double tol, alpha;
} params_t;
typedef struct {
    int n, m;
    double *cur, *next;
} grid_t;
typedef struct {
    double min, max, mean;
    long hist[16];
} stats_t;
int params_read(params_t *p, const char *path);
grid_t *grid_new(const params_t *p);
void grid_free(grid_t *g);
double solve(grid_t *g, const params_t *p);
void stats(const grid_t *g, stats_t *s);
#endif
