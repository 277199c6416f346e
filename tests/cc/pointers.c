// Pointers in structs, rows behind pointers and 64-bit elements go to the GPU.
#include <stdio.h>
#include <stdlib.h>

struct grid {
    int n;
    float *cells;
};

int main(void) {
    struct grid g = {50, calloc(50, sizeof(float))};
    float **rows = malloc(4 * sizeof *rows);
    long big[20];
    for (int i = 0; i < 4; i++)
        rows[i] = calloc(50, sizeof(float));
#pragma omp parallel for // GPU
    for (int i = 0; i < g.n; i++)
        g.cells[i] = (float)i;
#pragma omp parallel for // GPU
    for (int i = 0; i < 50; i++)
        for (int k = 0; k < 4; k++)
            rows[k][i] = g.cells[i] * (float)k;
#pragma omp parallel for // GPU: GPU
    for (int i = 0; i < 20; i++)
        big[i] = 1L << (i + 20);
    printf("%.1f %ld\n", (double)rows[3][7], big[15]);
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    free(rows);
    free(g.cells);
    return 0;
}
