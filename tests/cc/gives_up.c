// build: -fdouble=pair
// Programs that look whether all is well and end the process if it is not: by assert, in a function that a region calls, in a search that
// has no other end, in a time loop around regions. In the end it is not.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, TABLE = 12 };
static double x[N], y[N];
static int keys[TABLE];
static float root[64];

static void show(void) { printf("in the end %.9g %.9g\n", x[3], y[N - 1]); }

static int find(int wanted) {
    int k = 0;
    while (keys[k] != wanted) {
        if (++k == TABLE) {
            fprintf(stderr, "no key %d\n", wanted);
            exit(2);
        }
    }
    return k;
}

static double part(int n, int i, double v) {
    if ((n != 1 && n != -1) || i < 0 || i >= N) {
        printf("part: wrong arguments, or the table\nis not set %d %d\n", n, i);
        exit(EXIT_FAILURE);
    }
    return v * n + 0.5;
}

int main(void) {
    atexit(show);
    for (int k = 0; k < TABLE; k++)
        keys[k] = k * 5 % TABLE;
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < N; i++) {
        assert(i >= 0 && i < N && "an index");
        x[i] = part(i % 2 ? 1 : -1, i, i % 100 * 0.01);
        y[i] = find(i % TABLE);
    }
    printf("%.9g %.9g\n", x[77], y[77]);
#pragma omp parallel for // GPU: 1 call
    for (int i = 0; i < 64; i++) {
        if (x[i] + 1000 < 0)
            abort();
        root[i] = (float)sqrt(x[i] + 1000);
    }
    printf("%g\n", root[5]);
    for (int t = 0; t < 3; t++) { // GPU: 1 call
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            x[i] = 0.5 * x[i] + 1e-3 * y[i];
        if (!(x[0] < 1e9)) {
            printf("at %d\n", t);
            exit(4);
        }
    }
    printf("%.9g\n", x[77]);
    for (int t = 0; t < 100; t++) {
#pragma omp parallel for // GPU: 19 calls
        for (int i = 0; i < N; i++)
            x[i] = 1.5 * x[i] + y[i];
        if (!(x[3] < 1e4)) {
            fprintf(stderr, "it diverges\n");
            printf("at %d: %.9g\n", t, x[3]);
            exit(3);
        }
    }
    return 0;
}
