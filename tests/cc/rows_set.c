// build: -fdouble=pair
// Pointers to rows of variable length that are declared in front of a time loop and set in it; and grids of several
// sizes, whose rows are as long as data say.
#include <stdio.h>
#include <stdlib.h>

static void step(int n, int m, double (*from)[m], double (*to)[m]) {
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
}

static struct {
    int n, m;
    double *u;
} g[4];

static void coarser(int count) {
    for (int l = 0; l + 1 < count; l++) { // GPU
        int n = g[l].n, m = g[l].m, half = g[l + 1].m, rows = g[l + 1].n;
        double (*z)[m] = (double (*)[m])g[l].u, (*y)[half] = (double (*)[half])g[l + 1].u, (*x)[m] = z;
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < half; j++)
                z[i][j] += 0.0625 * i;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < half; j++)
                y[i][j] = 0.5 * (x[2 * i][2 * j] + (z + 1)[2 * i][2 * j + 1]);
    }
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
    for (int l = 0; l < 4; l++) {
        g[l].n = n >> l;
        g[l].m = m >> l;
        g[l].u = all;
        if (l) g[l].u = malloc((size_t)g[l].n * (size_t)g[l].m * sizeof(double));
        for (int k = 0; l && k < g[l].n * g[l].m; k++)
            g[l].u[k] = k % 11;
    }
    coarser(4);
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < g[l].n * g[l].m; k++)
            sum += g[l].u[k] * (k % 5);
    printf("%.6f\n", sum);
    for (int l = 0; l < 4; l++)
        free(g[l].u);
    return 0;
}
