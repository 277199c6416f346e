// Lines to stderr that iterations, and functions of iterations, say where something is wrong, and go on. Where none is said the region is
// the GPU's; where one is, the CPU runs it from its beginning, which says it once.
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static float x[N], y[N];
static int kind[N];

static float part(int k, float v) {
    switch (k) {
    case 0: return v + 1;
    case 1: return 0.5f * v;
    case 2: v -= 3; break;
    default:
        fprintf(stderr, "warnings.c: unknown kind %d in line %d\n", k, __LINE__);
        v = 0;
        break;
    }
    return v;
}

static void sweep(float most) {
#pragma omp parallel for // GPU: 6 calls
    for (int i = 0; i < N; i++) {
        float v = part(kind[i], x[i]);
        if (v > most) {
            fputs("too large\n", stderr);
            fflush(stderr);
            v = most;
        }
        y[i] = v;
    }
}

static int count(float least) {
    int low = 0;
#pragma omp parallel for reduction(+ : low) // CPU at run time: 'a line to stderr' failed
    for (int i = 0; i < N; i++) {
        low += y[i] < least;
        if (i == N / 2 && y[i] < 1e6f) perror("in the middle");
    }
    return low;
}

static int told(int n) {
    int all = 0;
#pragma omp parallel for reduction(+ : all) // CPU: `fprintf`
    for (int i = 0; i < n; i++) {
        fprintf(stderr, "%d\n", i); // says how far it is
        all += kind[i];
    }
    return all;
}

int main(void) {
    int low = 0;
    double sum = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 91);
        kind[i] = i % 3;
    }
    for (int t = 0; t < 6; t++) {
        sweep(1e5f);
        printf("%d %.1f\n", t, (double)y[t]);
    }
    kind[N - 1] = 7;
    for (int t = 0; t < 12; t++) {
        sweep(20);
        for (int i = 0; i < N; i++)
            sum += (double)y[i];
        if (t < 3) low += count((float)t);
    }
    printf("%.1f %d %d\n", sum, low, told(4));
    return 0;
}
