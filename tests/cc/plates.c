// build: -fdouble=float
// Rows allocated one by one, a loop until a limit is reached, a report every 20 rounds, results to a file that is closed and opened again.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TOLERANCE 0.02
#define SQUARE(x) ((x) * (x))

double **plate, **old;
int rows = 60, columns = 70;

static double **rows_of(int n, int m) {
    double **a = malloc((size_t)n * sizeof(double *));
    for (int i = 0; a && i < n; i++)
        if (!(a[i] = malloc((size_t)m * sizeof(double)))) return NULL;
    return a;
}
static void drop(double **a, int n) {
    while (n--)
        free(a[n]);
    free(a);
}

int main(void) {
    struct timespec from, to;
    double change = 1, **w, **u;
    int i, j, round = 0;
    plate = rows_of(rows, columns);
    old = rows_of(rows, columns);
    if (!plate || !old) return EXIT_FAILURE;
    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++)
            plate[i][j] = old[i][j] = i == rows - 1 ? 0 : i == 0 || j == 0 || j == columns - 1 ? 100 : 75;
    clock_gettime(CLOCK_MONOTONIC, &from);
    w = plate;
    u = old;
    while (change > TOLERANCE && round < 60) {
        change = 0;
#pragma omp parallel for private(j) // GPU
        for (i = 0; i < rows; i++)
            for (j = 0; j < columns; j++)
                u[i][j] = w[i][j];
#pragma omp parallel for private(j) reduction(max : change) // GPU
        for (i = 1; i < rows - 1; i++)
            for (j = 1; j < columns - 1; j++) {
                w[i][j] = (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) / 4.0;
                change = fmax(change, fabs(w[i][j] - u[i][j]));
            }
        if (++round % 20 == 0) printf("%4d %.3f\n", round, change);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    fprintf(stderr, "%.3f s\n", (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    double sum = 0;
    for (i = 0; i < rows; i++)
        for (j = 0; j < columns; j++)
            sum += SQUARE(plate[i][j]);
    printf("%d %.4e\n", round, sqrt(sum));
    drop(plate, rows);
    drop(old, rows);
    return EXIT_SUCCESS;
}
