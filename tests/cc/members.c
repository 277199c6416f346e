// build: -fdouble=pair
// Structs of pointers, in the manner of mini-applications: a state behind a pointer, grids in structs in structs, a struct by value, members
// in clauses, sums in members.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int nx, ny;
    double *now, *next;
    double spacing;
};
typedef struct atoms_st {
    int count;
    double (*position)[3];
    double (*force)[3];
    float *mass;
    long steps;
} Atoms;
typedef struct {
    Atoms *atoms;
    struct grid grid;
    double energy, limits[4];
    char name[32];
} Simulation;

static struct grid wall;

static double step(Simulation *sim, const struct grid *g) {
    double sum = 0.0;
#pragma omp parallel for default(none) shared(g) reduction(+ : sum) // GPU
    for (int i = 1; i < g->nx - 1; i++)
        for (int j = 1; j < g->ny - 1; j++) {
            double v = g->now[i * g->ny + j];
            g->next[i * g->ny + j] = v + 0.1 * (g->now[i * g->ny + j + 1] + g->now[i * g->ny + j - 1] - 2 * v) / (g->spacing * g->spacing);
            sum += g->next[i * g->ny + j];
        }
    sim->energy = 0.0;
#pragma omp parallel for // GPU
    for (int i = 0; i < sim->atoms->count; ++i)
        for (int k = 0; k < 3; k++)
            sim->atoms->force[i][k] = -sim->atoms->position[i][k] * sim->atoms->mass[i] + sim->limits[k];
    return sum;
}

static void move(Simulation *sim, double dt) {
    for (int t = 0; t < 4; t++) { // GPU
#pragma omp parallel for
        for (int i = 0; i < sim->atoms->count; i++)
            for (int k = 0; k < 3; k++)
                sim->atoms->position[i][k] += dt * sim->atoms->force[i][k];
#pragma omp parallel for
        for (int i = 0; i < sim->atoms->count; i++)
            sim->atoms->force[i][0] -= 0.5 * sim->atoms->position[i][0];
        sim->energy += dt;
    }
}

static double get(const Simulation *sim, int i) { return sim->atoms->position[i][0]; }

// Arrays in a struct that another function has on its stack: how long they are, the struct says.
struct table {
    int kinds;
    float cut[4], grid[2][3];
};
static float look(struct table *t, float *x, int n) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++) {
        x[i] = t->cut[i % t->kinds] + t->grid[i % 2][i % 3];
        sum += x[i];
    }
    return sum;
}

int main(void) {
    Simulation s = {.energy = 1};
    Atoms a = {.count = 50};
    s.atoms = &a;
    a.position = malloc(50 * sizeof *a.position);
    a.force = malloc(50 * sizeof *a.force);
    a.mass = malloc(50 * sizeof *a.mass);
    s.grid = (struct grid){20, 30, calloc(600, sizeof(double)), calloc(600, sizeof(double)), 0.5};
    wall = s.grid;
#pragma omp parallel for firstprivate(a) // GPU
    for (int i = 0; i < a.count; i++) {
        a.mass[i] = 1.0f + (float)i / 8;
        for (int k = 0; k < 3; k++)
            a.position[i][k] = sin(i + k);
    }
#pragma omp parallel for collapse(2) // GPU
    for (int i = 0; i < s.grid.nx; i++)
        for (int j = 0; j < s.grid.ny; j++)
            s.grid.now[i * s.grid.ny + j] = i * j % 7;
    double sum = 0;
    for (int t = 0; t < 3; t++) {
        sum += step(&s, &s.grid);
        double *swap = s.grid.now;
        s.grid.now = s.grid.next;
        s.grid.next = swap;
        move(&s, 0.01);
    }
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < 50; i++)
        sum += get(&s, i);
#pragma omp parallel for // GPU
    for (int i = 0; i < wall.nx; i++)
        wall.now[i * wall.ny] = wall.spacing;
    printf("%.9f %.9f %.9f %.9f\n", sum, s.energy, a.position[7][1], s.grid.now[100]);
    struct grid *none = NULL, *maybe = sum > 0 ? &wall : NULL;
    for (int n = 0; n < 2; n++) {
#pragma omp parallel for // GPU: 1 call
        for (int i = 0; i < n * 20; i++)
            none->now[i] = 1;
        none = &wall;
    }
#pragma omp parallel for // CPU
    for (int i = 0; i < 50; i++)
        a.mass[i] += maybe ? (float)maybe->now[0] : 1.0f;
    Simulation *p = &s, *q = &s;
#pragma omp parallel // CPU at run time: are one
    {
#pragma omp single
        p->energy = q->energy + 1;
#pragma omp for
        for (int i = 0; i < 50; i++)
            a.position[i][0] = q->energy;
    }
    printf("%.9f %.9f\n", s.energy, a.position[3][0]);
    struct table table = {3, {0.5f, 1, 2, 4}, {{1, 2, 3}, {4, 5, 6}}};
    float *found = malloc(60 * sizeof *found);
    printf("%g\n", look(&table, found, 60));
    free(found);
    return 0;
}
