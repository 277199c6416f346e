// build: -fdouble=pair
// build, too: -fdouble=float
// Functions of a loop read at file scope how many iterations there are: a number like any other where nothing in the loop sets it.
#include <stdio.h>
#include <stdlib.h>

static int n = 3000, half;
static double *x, *y, scale = 0.5;

static double dot(void) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
static void add(void) {
#pragma omp parallel for
    for (int i = 0; i < half; i++)
        x[i] += scale * y[i];
}
static void less(void) {
#pragma omp parallel for
    for (int i = 0; i < half; i++)
        y[i] -= 1;
    half -= 100;
}

int main(void) {
    double last = 0;
    half = n / 2;
    x = malloc((size_t)n * sizeof *x);
    y = malloc((size_t)n * sizeof *y);
    if (!x || !y) return 1;
    for (int i = 0; i < n; i++) {
        x[i] = i % 7;
        y[i] = i % 5;
    }
    for (int t = 0; t < 5; t++) { // GPU: 1 call
        add();
        last = dot();
    }
    printf("%.6g\n", last);
    n -= 500;
    scale = 0.25;
    for (int t = 0; t < 3; t++) { // GPU: 1 call
        add();
        less();
        last += x[half];
    }
    printf("%.6g %d %.6g\n", last, half, dot());
    free(x);
    free(y);
    return 0;
}
