// Kernels in the form of a common suite: sizes and types by macros, arrays on the heap behind one pointer, timers, a dump.
// build: -fdouble=float
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#define SIZE 40
#define STEPS 6
#define TYPE double
#define ARRAY_2D(name, n, m) TYPE name[n + 0][m + 0]
#define HEAP_2D(n, m) (TYPE(*)[n][m]) allocate((size_t)(n) * (m), sizeof(TYPE))
#define PASS(name) *name

static double started;

static double clock_now(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1.0e-6;
}

static void *allocate(size_t count, size_t size) {
    void *p = NULL;
    if (posix_memalign(&p, 32, count * size) != 0 || !p) exit(1);
    memset(p, 0, count * size);
    return p;
}

static void initial(int n, ARRAY_2D(a, SIZE, SIZE), ARRAY_2D(b, SIZE, SIZE)) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = ((double)i * (j + 2) + 2) / n;
            b[i][j] = ((double)i * (j + 3) + 3) / n;
        }
}

static void stencil(int steps, int n, ARRAY_2D(a, SIZE, SIZE), ARRAY_2D(b, SIZE, SIZE)) {
    int t, i, j;
    for (t = 0; t < steps; t++) // GPU
    {
#pragma omp parallel for private(j)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][1 + j] + a[1 + i][j] + a[i - 1][j]);
#pragma omp parallel for private(j)
        for (i = 1; i < n - 1; i++)
            for (j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}

static void multiply(int n, TYPE alpha, TYPE beta, ARRAY_2D(c, SIZE, SIZE), ARRAY_2D(a, SIZE, SIZE),
                     ARRAY_2D(b, SIZE, SIZE)) {
    int i, j, k;
#pragma omp parallel num_threads(4) // GPU
    {
#pragma omp for private(j, k)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                c[i][j] *= beta;
                for (k = 0; k < n; ++k)
                    c[i][j] += alpha * a[i][k] * b[k][j];
            }
    }
}

static void deviation(int n, TYPE float_n, ARRAY_2D(data, SIZE, SIZE), TYPE mean[SIZE], TYPE stddev[SIZE]) {
    int i, j;
#pragma omp parallel for private(i) // GPU
    for (j = 0; j < n; j++) {
        mean[j] = 0.0;
        for (i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= float_n;
        stddev[j] = 0.0;
        for (i = 0; i < n; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] = sqrt(stddev[j] / float_n);
        stddev[j] = stddev[j] <= 0.1 ? 1.0 : stddev[j];
    }
}

int main(int argc, char **argv) {
    int n = SIZE;
    TYPE(*a)[SIZE][SIZE] = HEAP_2D(SIZE, SIZE);
    TYPE(*b)[SIZE][SIZE] = HEAP_2D(SIZE, SIZE);
    TYPE(*c)[SIZE][SIZE] = HEAP_2D(SIZE, SIZE);
    TYPE mean[SIZE], stddev[SIZE], sum = 0;
    started = clock_now();
    initial(n, PASS(a), PASS(b));
    stencil(STEPS, n, PASS(a), PASS(b));
    multiply(n, 0.5, 1.25, PASS(c), PASS(a), PASS(b));
    deviation(n, (TYPE)n, *c, mean, stddev);
    if (argc > 42 && strcmp(argv[0], "") == 0) printf("%f\n", clock_now() - started);
    for (int i = 0; i < n; i++)
        sum += mean[i] + stddev[i];
    printf("%.0f %.3f\n", sum, (*a)[5][7]);
    free(a);
    free(b);
    free(c);
    return 0;
}
