// Pointers to pointers that are variables of another function, as functions have them that allocate for their callers: all of it by `*p`. And a
// pointer to a pointer to rows, one that is set through, one that is not there, and others that are used otherwise.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float speeds[9];
} cell;

static int initialise(int nx, int ny, cell **cells_out, int **blocked, float ***rows) {
    *cells_out = malloc(sizeof(cell) * (size_t)(nx * ny));
    *blocked = malloc(sizeof(int) * (size_t)(nx * ny));
    *rows = malloc(sizeof(float *) * (size_t)ny);
    for (int j = 0; j < ny; j++)
        (*rows)[j] = calloc((size_t)nx, sizeof(float));
#pragma omp parallel for // GPU
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            for (int k = 0; k < 9; k++)
                (*cells_out)[i + j * nx].speeds[k] = (float)k + (float)i * 0.5f;
            (*blocked)[i + j * nx] = i == j;
        }
#pragma omp parallel for shared(rows) // GPU
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            (*rows)[j][i] = (float)(i * j % 7);
    return 0;
}
static void relax(float **now, float **next, int n, int steps) {
    for (int t = 0; t < steps; t++) { // GPU: 1 call
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            (*next)[i] = 0.5f * ((*now)[i - 1] + (*now)[i + 1]);
        float *old = *now;
        *now = *next;
        *next = old;
    }
}
static float total(float **x, int n) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += (*x)[i];
    return sum;
}
static float stepped(float **x, int n) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU
    for (int i = 0; i < n; i++)
        sum += **x + x[i][1];
    return sum;
}

int main(void) {
    cell *cells;
    int *blocked, count = 0;
    float **rows, *a = calloc(65, sizeof *a), *b = calloc(65, sizeof *b);
    initialise(12, 9, &cells, &blocked, &rows);
    for (int i = 0; i < 12 * 9; i++)
        count += blocked[i];
    a[0] = b[0] = 1;
    relax(&a, &b, 65, 7);
    printf("%g %d %g %g %g\n", (double)cells[50].speeds[3], count, (double)rows[5][4], (double)a[2], (double)b[2]);
    printf("%g %g\n", (double)(total(&a, 65) + total(NULL, 0)), (double)stepped(rows, 9));
    return 0;
}
