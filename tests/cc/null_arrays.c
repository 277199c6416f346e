// Pointers that are NULL: what a setting says is not there, what the region asks for, and what only data keep it from.
#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };
struct grids {
    float *fine, *coarse;
    int kind;
};

static float at(const struct grids *g, int i) { return g->kind == 0 ? g->fine[i] : g->coarse[i / 2]; }

static float sum_of(const struct grids *g) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: 3 calls
    for (int i = 0; i < N; i++)
        sum += at(g, i);
    return sum;
}

static int count(const float *x, const float *mask, int n) {
    int found = 0;
#pragma omp parallel for reduction(+ : found) // GPU: 2 calls
    for (int i = 0; i < n; i++)
        if (!mask || mask[i] > 3) found += x[i] > 1;
    return found;
}

static void scale(float *x, const float *extra, int n) {
#pragma omp parallel for // CPU at run time: 'extra' is NULL
    for (int i = 0; i < n; i++)
        x[i] *= x[i] < 0 ? extra[i] : 2;
}

int main(void) {
    struct grids g = {malloc(N * sizeof(float)), NULL, 0};
    for (int i = 0; i < N; i++)
        g.fine[i] = (float)(i % 7);
    float a = sum_of(&g);
    g.coarse = malloc(N * sizeof(float));
    for (int i = 0; i < N; i++)
        g.coarse[i] = (float)(i % 5);
    g.kind = 1;
    a += sum_of(&g);
    int n = count(g.fine, NULL, N) + 1000 * count(g.fine, g.coarse, N);
    scale(g.fine, NULL, N);
    float *old = g.fine;
    g.fine = NULL;
    a += sum_of(&g);
    printf("%g %d %g\n", (double)a, n, (double)old[5]);
    return 0;
}
