// args: 2
// Clocks and lines that a program has only where it was told to, in regions, in functions of regions, and in a loop around them. They
// are off at first: then the regions run on the GPU. In the end one is on.
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { N = 3000, CLOCKS = 4 };
static float x[N], y[N];
static int timers, debug;
FILE *own; // none
static double from[CLOCKS], all[CLOCKS];

static double now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}
static void begin(int clock) { from[clock] = now(); }
static void end(int clock) { all[clock] += now() - from[clock]; }

static float step(float v) {
    if (debug > 1) fprintf(stderr, "%g\n", (double)v);
    return 0.5f * v + 1;
}

static void sweep(void) {
    if (timers) begin(0);
#pragma omp parallel // GPU: 5 calls
    {
#pragma omp master
        if (timers) begin(1);
#pragma omp for
        for (int i = 0; i < N; i++)
            y[i] = step(x[i]);
#pragma omp master
        if (timers) {
            end(1);
            begin(2);
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            x[i] = y[N - 1 - i];
#pragma omp master
        if (timers) end(2);
    }
    if (timers) end(0);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 1, loud = argc > 2;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 50);
    for (int t = 0; t < 3; t++) { // GPU: 1 call
        if (timers || loud) begin(3);
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            x[i] = 0.25f * x[i] + (float)t;
        if (timers || loud) end(3);
    }
    for (int t = 0; t < 5; t++) {
        sweep();
        printf("%g\n", (double)x[t]);
    }
    timers = 1;
    sweep();
    debug = rounds;
    int calls = 0;
#pragma omp parallel for reduction(+ : calls) // CPU at run time: (debug == 2), and then there is something for the CPU
    for (int i = 0; i < N; i++) {
        if (debug == 2) fflush(stderr);
        calls += x[i] > 1;
    }
    printf("%g %d %d\n", (double)x[7], calls, all[1] >= 0 && all[2] >= 0);
#pragma omp parallel for // CPU: `fprintf` stays on the CPU
    for (int i = 0; i < N; i++) {
        if (debug == 7 + i) fprintf(own, "%d\n", i);
        y[i] = x[i];
    }
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < N; i++) {
        if (debug == 7 + i) fprintf(stderr, "%d\n", i); // a warning
        y[i] = x[i];
    }
    for (int t = 0; t < 4; t++) {
#pragma omp parallel for // GPU: 4 calls
        for (int i = 0; i < N; i++)
            y[i] += x[i];
        if (debug) printf("%d\n", t);
        debug--;
    }
    printf("%g\n", (double)y[9]);
    return 0;
}
