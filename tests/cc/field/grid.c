#include "sim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int params_read(params_t *p, const char *path) {
    char key[32];
    double v;
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        return 1;
    }
    while (fscanf(f, "%31s %lf", key, &v) == 2) {
        if (!strcmp(key, "n"))
            p->n = (int)v;
        else if (!strcmp(key, "m"))
            p->m = (int)v;
        else if (!strcmp(key, "iters"))
            p->iters = (int)v;
        else if (!strcmp(key, "tol"))
            p->tol = v;
        else if (!strcmp(key, "alpha"))
            p->alpha = v;
    }
    fclose(f);
    return 0;
}
grid_t *grid_new(const params_t *p) {
    grid_t *g = malloc(sizeof *g);
    g->n = p->n;
    g->m = p->m;
    size_t size = (size_t)p->n * (size_t)p->m;
    if (posix_memalign((void **)&g->cur, 64, size * sizeof(double)) ||
        posix_memalign((void **)&g->next, 64, size * sizeof(double)))
        exit(1);
#pragma omp parallel for // GPU
    for (size_t i = 0; i < size; i++)
        g->cur[i] = g->next[i] = (i % (size_t)g->m == 0) ? 1.0 : 0.0;
    return g;
}
void grid_free(grid_t *g) {
    free(g->cur);
    free(g->next);
    free(g);
}
