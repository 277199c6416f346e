// build: -fdouble=pair
// Sizes that are members of a struct at file scope, which functions of a loop read by its name: numbers like any other where nothing in the
// loop sets them. Sums, largest values and their places, and structs that change in the loop, by their name, by a pointer, and as a whole.
#include <stdio.h>
#include <stdlib.h>

struct best {
    double value;
    int at;
};
#pragma omp declare reduction(larger                                                                        \
                              : struct best                                                                 \
                              : omp_out = omp_in.value > omp_out.value ||                                   \
                                                  (omp_in.value == omp_out.value && omp_in.at < omp_out.at) \
                                              ? omp_in                                                      \
                                              : omp_out) initializer(omp_priv = omp_orig)

static struct grid {
    int nx, ny;
    double dx;
    struct {
        int n;
    } inner;
} grid, spare;
static double *u;

static double top(void) {
    double s = 0;
    int nx = grid.nx, ny = grid.ny;
#pragma omp parallel for collapse(2) reduction(max : s)
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            s = u[j * nx + i] > s ? u[j * nx + i] : s;
    return s;
}
static double total(const double *x) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < grid.nx * grid.ny; i++)
        s += x[i] * grid.dx;
    return s;
}
static struct best where(const double *x) {
    struct best b = {-1e30, -1};
#pragma omp parallel for reduction(larger : b)
    for (int i = 0; i < grid.nx * grid.ny; i++)
        if (x[i] > b.value) b.value = x[i], b.at = i;
    return b;
}
static int place(const double *x) {
    double best = -1e30;
    int at = -1;
#pragma omp parallel
    {
        double mine = -1e30;
        int my = -1;
#pragma omp for nowait
        for (int i = 0; i < grid.nx * grid.ny; i++)
            if (x[i] > mine) mine = x[i], my = i;
#pragma omp critical
        if (mine > best || (mine == best && my < at)) best = mine, at = my;
    }
    return at;
}
static double deep(const double *x) {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < grid.inner.n; i++)
        s += x[i];
    return s;
}
static void shrink(void) { grid.nx -= 1; }
static void shrink_it(struct grid *g) { g->ny -= 1; }
static void exchange(void) {
    struct grid t = grid;
    grid = spare;
    spare = t;
}
static void cool(double m) {
#pragma omp parallel for
    for (int i = 0; i < grid.nx * grid.ny; i++)
        u[i] += 1 / (m + i % 5);
}

int main(void) {
    double sum = 0;
    int places = 0;
    grid = (struct grid){30, 20, 0.5, {50}};
    spare = (struct grid){20, 10, 0.25, {40}};
    u = malloc(600 * sizeof *u);
    for (int i = 0; i < 600; i++)
        u[i] = 1 + i * 37 % 101;
    for (int t = 0; t < 4; t++) { // GPU: 1 call
        double m = top();
        cool(m);
        sum += total(u) + deep(u);
    }
    printf("%.8g %.8g\n", sum, u[599]);
    for (int t = 0; t < 4; t++) { // GPU: 1 call
        struct best b = where(u);
        places += b.at * (t + 1);
        cool(b.value);
    }
    printf("%d %.8g\n", places, u[3]);
    for (int t = 0; t < 4; t++) { // CPU, the loop: a region in it depends on how many threads there are
        places += place(u) * (t + 1);
        cool(2);
    }
    printf("%d %.8g\n", places, u[3]);
    for (int t = 0; t < 3; t++) { // CPU, the loop: a reduction of doubles takes an element an iteration
        cool(top());
        shrink();
        sum += total(u);
    }
    printf("%.8g %d %.8g\n", sum, grid.nx, u[3]);
    for (int t = 0; t < 3; t++) { // CPU, the loop: a reduction of doubles takes an element an iteration
        cool(top());
        shrink_it(&grid);
        sum += total(u);
    }
    printf("%.8g %d %.8g\n", sum, grid.ny, u[3]);
    struct grid *p = &grid;
    for (int t = 0; t < 3; t++) {
        cool(top());
        p->ny -= 1;
        sum += total(u);
    }
    printf("%.8g %d %.8g\n", sum, grid.ny, u[3]);
    for (int t = 0; t < 3; t++) { // CPU, the loop: a reduction of doubles takes an element an iteration
        cool(top());
        exchange();
        sum += total(u);
    }
    printf("%.8g %d %d %.8g\n", sum, grid.ny, spare.nx, u[3]);
    free(u);
    return 0;
}
