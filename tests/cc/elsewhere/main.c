// Functions of another file that are handed structs with pointers, arrays of such structs, and tables of rows.
#include <stdio.h>
#include <stdlib.h>

#include "model.h"

static float own_sum(const struct model *m, int i) { return look(m, i) + part_sum(m->parts, i % 4); }

int main(void) {
    enum { N = 100, ROWS = 5, WIDTH = 10, PARTS = 4 };
    struct model m = {WIDTH, 3, malloc(N * sizeof(float)), malloc(ROWS * sizeof(float *)), malloc(PARTS * sizeof(struct part))};
    float out[N], sum = 0, total = 0;
    int steps = 0;
    for (int i = 0; i < N; i++)
        m.x[i] = i % 7;
    for (int i = 0; i < ROWS; i++) {
        m.rows[i] = malloc(WIDTH * sizeof(float));
        for (int k = 0; k < WIDTH; k++)
            m.rows[i][k] = i + k;
    }
    for (int i = 0; i < PARTS; i++) {
        m.parts[i] = (struct part){i + 2, malloc(8 * sizeof(float))};
        for (int k = 0; k < 8; k++)
            m.parts[i].x[k] = i * k;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        out[i] = (twice)(own_sum(&m, i));
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        set(m, i, out[i] + 1);
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < ROWS; i++)
        sum += row_sum(m.rows, i, WIDTH);
#pragma omp parallel for reduction(+ : total) // GPU
    for (int i = 0; i < PARTS; i++)
        total += part_sum(m.parts, i) + m.parts[i].n;
#pragma omp parallel for reduction(+ : steps) // CPU: 'm__steps' is shared by all iterations
    for (int i = 0; i < 1; i++)
        steps += step(&m);
    printf("%g %g %g %g %d %d\n", (double)out[3], (double)m.x[99], (double)sum, (double)total, steps, m.steps);
    return 0;
}
