// Structs that end in an array without a size: a grid of doubles behind its numbers, rows of a table, handed to functions.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int nx, ny;
    double h;
    double data[];
};
typedef struct table {
    unsigned count;
    int row[][3];
} table;

static struct grid *make(int nx, int ny) {
    struct grid *g = calloc(1, sizeof *g + (size_t)(nx * ny) * sizeof *g->data);
    g->nx = nx;
    g->ny = ny;
    g->h = 0.25;
    return g;
}

static double at(const struct grid *g, int i, int j) { return g->data[j * g->nx + i]; }

static void smooth(const struct grid *in, struct grid *out) {
#pragma omp parallel for // GPU
    for (int j = 1; j < in->ny - 1; j++)
        for (int i = 1; i < in->nx - 1; i++)
            out->data[j * in->nx + i] = in->h * (at(in, i - 1, j) + at(in, i + 1, j) + at(in, i, j - 1) + at(in, i, j + 1));
}

int main(void) {
    struct grid *a = make(48, 32), *b = make(48, 32);
    table *t = calloc(1, sizeof *t + 20 * sizeof *t->row);
    t->count = 20;
#pragma omp parallel for // GPU
    for (int k = 0; k < a->nx * a->ny; k++)
        a->data[k] = b->data[k] = k % 17;
    for (int step = 0; step < 4; step++) {
        smooth(a, b);
        struct grid *other = a;
        a = b;
        b = other;
    }
#pragma omp parallel for // GPU
    for (unsigned k = 0; k < t->count; k++)
        for (int i = 0; i < 3; i++)
            t->row[k][i] += (int)(k * 3) + i;
    double sum = 0;
    for (int k = 0; k < a->nx * a->ny; k++)
        sum += a->data[k];
    printf("%.3f %d %d %d\n", sum, t->row[19][2], a->nx, b->ny);
    free(a);
    free(b);
    free(t);
    return 0;
}
