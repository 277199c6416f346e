// build: -fdouble=pair
// Pointers to rows of variable length that are declared in front of a time loop and set in it.
#include <stdio.h>
#include <stdlib.h>

static void step(int n, int m, double (*from)[m], double (*to)[m]) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 60, m = n + 20, now = 0;
    double *all = malloc(2 * (size_t)n * (size_t)m * sizeof *all), sum = 0;
    double (*a)[m] = (double (*)[m])all, (*b)[m] = a + n;
    double (*from)[m], (*to)[m], (*x)[m], (*y)[m];
    for (int k = 0; k < 2 * n * m; k++)
        all[k] = k % 13;
    for (int t = 0; t < 6; t++) { // GPU
        from = t % 2 ? b : a;
        to = t % 2 ? a : b;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
    }
    for (int t = 0; t < 6; t++) { // GPU
        x = (double (*)[m])(all + now * n * m);
        y = (double (*)[m])(all + (1 - now) * n * m);
        step(n, m, x, y);
        now = 1 - now;
    }
    for (int k = 0; k < 2 * n * m; k++)
        sum += all[k] * (k % 3);
    printf("%.6f\n", sum);
    free(all);
    return 0;
}
