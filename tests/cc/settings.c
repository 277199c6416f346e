// build: -fdouble=pair
// Structs of numbers of which regions name members: an integer member is a variable of its own, whose value is known when the region is
// compiled, also behind pointers to structs of other functions. What the region changes comes back.
#include <stddef.h>
#include <stdio.h>

typedef unsigned long count_t;
struct grid {
    int nx, ny;
    double dx;
};
struct settings {
    struct grid grid;
    count_t steps;
    size_t used;
    float limit;
    double sum;
};
enum { N = 3000 };
static double u[N];

static double total(const struct settings *s) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < s->grid.nx * s->grid.ny; i++)
        sum += u[i] * s->grid.dx;
    return sum;
}

static int above(struct settings s) {
    int found = 0;
#pragma omp parallel for reduction(+ : found) // GPU
    for (size_t i = 0; i < s.used; i++)
        found += (float)u[i] > s.limit;
    return found;
}

static void smooth(struct settings *s, struct grid *g) {
    for (count_t t = 0; t < s->steps; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < g->nx; i++)
            u[i] = 0.5 * u[i] + g->dx;
        s->used += 2;
        s->sum += g->dx;
    }
}

// Two names of one struct, of which one is written.
static void grow(struct grid *a, struct grid *b) {
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        u[i] += a->nx - b->ny;
#pragma omp parallel // CPU at run time: 'b__nx' and 'a__nx' are one
    {
#pragma omp for
        for (int i = 0; i < N; i++)
            u[i] += b->nx;
#pragma omp single
        a->nx = 50;
    }
}

// Handed to functions as a whole: the region's own integers of it are known all the same.
static double scaled(struct settings s, int i) { return u[i] * s.grid.dx + (double)s.steps; }
static double handed(struct settings s) {
    double sum = 0;
    unsigned long found = 0;
#pragma omp parallel for reduction(+ : sum, found) // GPU
    for (int i = 0; i < s.grid.nx * s.grid.ny; i++) {
        sum += scaled(s, i);
        found += (unsigned long)(u[i] * 10) + s.steps;
    }
#pragma omp parallel // GPU
    {
#pragma omp for
        for (int i = 0; i < s.grid.nx; i++)
            u[i] = scaled(s, i) / 4;
#pragma omp single
        s.grid.ny++;
    }
    return sum + (double)found + s.grid.ny;
}

int main(void) {
    struct settings s = {{60, 50, 0.01}, 3, 1000, 0.5f, 0};
    for (int i = 0; i < N; i++)
        u[i] = (i * 37 % 101) / 101.0;
    for (int round = 0; round < 3; round++) {
        printf("%.10g %d\n", total(&s), above(s));
        smooth(&s, &s.grid);
        printf("%zu %.10g\n", s.used, s.sum);
        s.grid.ny -= 7;
    }
    struct grid g = s.grid;
    grow(&g, &g);
    printf("%.10g\n", handed(s));
    printf("%d %.10g\n", g.nx, total(&s));
    return 0;
}
