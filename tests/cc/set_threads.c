// args: 3
// Programs that say how many threads there are in front of each region: loops around such regions run as a whole, and
// what was said last holds behind them.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };
static float x[N], y[N];
static int threads;

static void relax(const float *from, float *to, int n) {
    omp_set_num_threads(threads);
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++)
        to[i] = 0.25f * (from[i - 1] + from[i + 1]) + 0.5f * from[i];
}

static int sweep(int steps, int more) {
    for (int t = 0; t < steps; t++) { // GPU
        relax(x, y, N);
        if (t == 2) omp_set_num_threads(threads + more);
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            x[i] = y[i];
    }
    return omp_get_max_threads();
}

static int spread(void) {
    char stop;
    int rounds = 0;
    do { // GPU: 1 call
        stop = 1;
        omp_set_num_threads(2);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            if (x[i] < 4) {
                x[i] += 1;
                stop = 0;
            }
        rounds++;
    } while (!stop);
    return rounds;
}

// In a region it is about the regions inside of it.
static float inside(int steps) {
    float sum = 0;
    for (int t = 0; t < steps; t++) {
#pragma omp parallel num_threads(2) // CPU: `omp_set_num_threads`
        {
            omp_set_num_threads(5);
#pragma omp for
            for (int i = 0; i < N; i++)
                y[i] = x[i] + (float)t;
        }
#pragma omp parallel for reduction(max : sum) // GPU
        for (int i = 0; i < N; i++)
            sum = y[i] > sum ? y[i] : sum;
    }
    return sum;
}

int main(int argc, char **argv) {
    threads = argc > 1 ? atoi(argv[1]) : 2;
    x[N / 2] = 64;
    printf("%d\n", sweep(0, 1) == threads);
    printf("%d\n", sweep(3, 1));
    printf("%d\n", sweep(5, 2));
    printf("%g %g\n", (double)x[N / 2], (double)x[N / 2 + 3]);
    threads = 1;
    printf("%d\n", sweep(1, 0));
    printf("%d %d\n", spread(), omp_get_max_threads());
    printf("%g %d\n", (double)inside(2), omp_get_max_threads());
    return 0;
}
