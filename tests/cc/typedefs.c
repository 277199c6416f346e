// Arrays and pointers behind typedefs, of each other, as parameters and at file scope.
#include <stdio.h>
#include <stdlib.h>

typedef float real;
typedef real row[6];
typedef row table[4];
typedef real *reals;
typedef struct point {
    real x, y;
} *points;

static table grid;
static row line;

static void scale(row *rows, int n, row by) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 6; j++)
            rows[i][j] *= by[j];
}

int main(void) {
    reals x = malloc(24 * sizeof(real));
    points p = calloc(10, sizeof *p);
    row local, *heap = calloc(3, sizeof(row));
#pragma omp parallel for // GPU
    for (int i = 0; i < 24; i++)
        x[i] = (real)i;
#pragma omp parallel for // GPU
    for (int i = 0; i < 10; i++) {
        p[i].x = x[i] / 2;
        p[i].y = x[23 - i];
    }
#pragma omp parallel for // GPU
    for (int j = 0; j < 6; j++) {
        line[j] = (real)j + 1;
        local[j] = p[j].x + p[9 - j].y;
        for (int i = 0; i < 4; i++)
            grid[i][j] = x[i * 6 + j];
        heap[1][j] = local[j];
    }
    scale(grid, 4, line);
    scale(heap, 3, line);
    printf("%.2f %.2f %.2f %.2f\n", (double)grid[3][5], (double)local[4], (double)heap[1][2], (double)p[7].y);
    free(x);
    free(p);
    free(heap);
    return 0;
}
