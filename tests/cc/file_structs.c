// build: -fdouble=pair
// Structs with pointers at file scope, and pointers to such, whose members functions of the region use by the name of the variable: numbers,
// arrays, pointers that are swapped, numbers that functions change, a struct in the struct that goes on to a function or has another name, and
// structs in an array, rows. Then what stays: a copy of the whole.
#include <stdio.h>
#include <stdlib.h>

struct line {
    int n;
    double *values, h;
};
struct cell {
    int count, *at;
};
static double spread(int i);
struct all {
    struct line line;
    struct cell *cells;
    int n, steps;
    float shift;
    double weights[3];
    struct {
        double low, high;
    } range;
    double **rows;
};
extern struct all box;
static struct {
    int *bins;
    double inv;
} nb;
static struct sim {
    float *now, *next;
    int n, sweeps;
    double total;
} *sim;

static int bin(double x) { return (int)(x * nb.inv); }
static int clamped(double x) {
    int k = bin(x < box.range.low ? box.range.low : x);
    return k < 8 ? (nb).bins[k] : -1;
}
static double look(const struct line *l, double x) {
    int k = (int)(x / l->h);
    return k < l->n ? l->values[k] : 0;
}
static double along(int i) {
    struct line *l = &box.line;
    double sum = look(&box.line, i * 0.25);
    for (int k = 0; k < 3; k++)
        sum += box.weights[k] * l->values[(i + k) % l->n];
    return sum;
}
static double spread(int i) { return along(i) + box.shift * clamped(i * 0.01); }
static int held(int i) {
    int sum = 0;
    const struct cell *own = &box.cells[i];
    for (int k = 0; k < own->count; k++)
        sum += own->at[k] * box.cells[(i + 1) % box.n].count;
    return sum;
}
static void fill(int i) {
    for (int k = 0; k < box.cells[i].count; k++)
        box.cells[i].at[k] = i + k;
}
static void step(void) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 1; i < sim->n - 1; i++)
        sim->next[i] = 0.5f * (sim->now[i - 1] + sim->now[i + 1]);
    float *old = sim->now;
    sim->now = sim->next;
    sim->next = old;
    sim->sweeps++;
}
static float middle(void) { return sim->now[sim->n / 2]; }
static double of_rows(int i) { return box.rows[i % 3][i % 5]; }
static double of_copy(int i) {
    struct all own = box;
    own.n++;
    return own.n + i;
}

struct all box;

int main(void) {
    enum { N = 400 };
    double y[N], sum = 0;
    int held_by[N], at[N];
    nb.bins = malloc(8 * sizeof *nb.bins);
    nb.inv = 4;
    for (int i = 0; i < 8; i++)
        nb.bins[i] = i * i;
    box = (struct all){.line = {90, malloc(90 * sizeof(double)), 0.5}, .n = N, .shift = 0.25f, .weights = {1, 0.5, 0.125}};
    box.range.low = 1;
    box.cells = malloc(N * sizeof *box.cells);
    for (int i = 0; i < 90; i++)
        box.line.values[i] = 1.0 / (i + 1);
    for (int i = 0; i < N; i++)
        box.cells[i] = (struct cell){i % 4, calloc(4, sizeof(int))};
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        at[i] = nb.bins[bin(i * 0.004)];
#pragma omp parallel for firstprivate(nb) // CPU: 'nb': the fields of a struct that is passed must be
    for (int i = 0; i < N; i++) {
        nb.inv = 2;
        at[i] += bin(nb.inv + i * 0.001);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = spread(i);
#pragma omp parallel for default(none) shared(box) // GPU
    for (int i = 0; i < N; i++)
        fill(i);
#pragma omp parallel for shared(box, held_by) // GPU
    for (int i = 0; i < box.n; i++)
        held_by[i] = held(i);
    for (int i = 0; i < N; i++)
        sum += y[i] * (i + 1) + held_by[i] * 0.5 + at[i];
    printf("%.9g %d %d\n", sum, held_by[7], at[399]);
    sim = calloc(1, sizeof *sim);
    sim->n = N;
    sim->now = calloc(N, sizeof(float));
    sim->next = calloc(N, sizeof(float));
    sim->now[0] = sim->next[0] = 1;
    for (int t = 0; t < 21; t++) // GPU: 1 call
        step();
    step();
    sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < N; i++)
        sum += sim->now[i] + middle();
    printf("%d %.6f %.6f %.6f\n", sim->sweeps, sim->now[3], sim->next[3], sum);
    box.rows = malloc(3 * sizeof *box.rows);
    for (int i = 0; i < 3; i++)
        box.rows[i] = calloc(5, sizeof(double)), box.rows[i][i] = i + 1;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        y[i] = of_rows(i);
#pragma omp parallel for // CPU: 'box': the fields of a struct that is passed must be
    for (int i = 0; i < N; i++)
        y[i] += of_copy(i);
    printf("%g %g\n", y[0], y[N - 1]);
    return 0;
}
