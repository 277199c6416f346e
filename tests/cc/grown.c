// Memory that is allocated anew for each call, a little larger each time: programs for so many sizes would be too many.
#include <stdio.h>
#include <stdlib.h>

static int filled(int n, const int *x) {
    int *work = malloc(sizeof(int) * (size_t)n * 3), sum = 0;
    for (int i = 0; i < 3 * n; i++)
        work[i] = i;
#pragma omp parallel for // GPU: 60 calls
    for (int i = 0; i < n; i++)
        work[3 * i + 1] = x[i] * 2 + work[3 * i];
    for (int i = 0; i < 3 * n; i++)
        sum += work[i] % 101;
    free(work);
    return sum;
}

// Grids of a few sizes, in turns, have programs of their own.
static int in_turns(int levels, int **grids) {
    int sum = 0;
    for (int t = 0; t < 8; t++)
        for (int l = 0; l < levels; l++) {
            int n = 1000 << l, *grid = grids[l];
#pragma omp parallel for // GPU: 32 calls
            for (int i = 0; i < n; i++)
                grid[i] += i % (t + 2);
            sum += grid[n / 3];
            if (sum < 0) puts("never"); // between the regions
        }
    return sum;
}

int main(void) {
    enum { N = 2000, LEVELS = 4 };
    int *x = malloc(sizeof(int) * N), *grids[LEVELS], sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 13;
    for (int t = 0; t < 60; t++)
        sum += filled(700 + 20 * t, x);
    printf("%d\n", sum);
    for (int l = 0; l < LEVELS; l++)
        grids[l] = calloc((size_t)1000 << l, sizeof(int));
    printf("%d\n", in_turns(LEVELS, grids));
    return 0;
}
