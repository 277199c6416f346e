// -fdouble=float: doubles are floats on the GPU, and what it does not change keeps all of its digits.
// build: -fdouble=float
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double kept[50];

int main(void) {
    int n = 300;
    double *x = malloc((size_t)n * sizeof *x), scale = 1.5, s = 0;
    for (int i = 0; i < n; i++)
        x[i] = 1.0 / (i + 1);
    for (int i = 0; i < 50; i++)
        kept[i] = 1.0 / 3.0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] = sqrt(x[i]) * scale;
#pragma omp parallel for // GPU
    for (int i = 0; i < 25; i++)
        kept[2 * i] = 0.25;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 0; i < n; i++)
        s += x[i];
    printf("%.3f %.3f %.15f %.15f\n", x[10], s, kept[1], kept[2]);
    free(x);
    return 0;
}
