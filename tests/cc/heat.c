// A time loop around two loops, on arrays at file scope; timers, counters of an older style, an exit status of its own.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define N 64
static float grid[N][N], next[N][N];

static double now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 10, i, j, t;
    double start = now();
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            grid[i][j] = (float)((i * 7 + j * 3) % 11);
    for (t = 0; t < steps; t++) { // GPU
#pragma omp parallel for private(j)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                next[i][j] = 0.25f * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
#pragma omp parallel for private(j)
        for (i = 1; i < N - 1; i++)
            for (j = 1; j < N - 1; j++)
                grid[i][j] = next[i][j];
    }
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) private(j) // GPU
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            sum += grid[i][j];
    if (now() < start) return 1;
    printf("%.3f %.1f %d\n", (double)grid[5][9], (double)sum, t);
    return 3;
}
