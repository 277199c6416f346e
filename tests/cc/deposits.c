// Atomic updates of fields of structs that mix types: numbers, floats, and doubles that are floats on the device.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int count;
    float mass;
    double energy;
    struct {
        float x, y;
    } centre;
};
struct grid {
    struct cell *cells;
    int n;
    double total;
};

static void deposit(struct cell *cell, float mass, double speed) {
#pragma omp atomic
    cell->count++;
#pragma omp atomic
    cell->mass += mass;
#pragma omp atomic
    cell->energy += 0.5 * mass * speed * speed;
}

int main(void) {
    int n = 3000;
    struct grid grid = {calloc(40, sizeof(struct cell)), 40, 0};
    float *mass = malloc((size_t)n * sizeof *mass);
    for (int i = 0; i < n; i++)
        mass[i] = (float)(i % 8) * 0.5f;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        deposit(&grid.cells[i * 7 % grid.n], mass[i], i % 4);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        struct cell *cell = &grid.cells[i * 11 % grid.n];
#pragma omp atomic
        cell->centre.x += mass[i];
#pragma omp critical
        {
            cell->centre.y -= 0.25f;
            grid.total += 0.5;
        }
    }
    for (int k = 0; k < grid.n; k++) {
        struct cell *c = &grid.cells[k];
        printf("%d %g %g %g %g\n", c->count, c->mass, c->energy, c->centre.x, c->centre.y);
    }
    printf("%g\n", grid.total);
    return 0;
}
