// -fdouble=float: doubles are floats on the GPU, and what it does not change keeps all of its digits.
// build: -fdouble=float
#include <float.h>
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
    int zeros = 0;
    double most = DBL_MIN, least = DBL_MAX;
#pragma omp parallel for reduction(+ : zeros) reduction(max : most) reduction(min : least) // GPU
    for (int i = 0; i < n; i++) {
        double v = i % 4 * 0.5;
        zeros += v < 1e-300 && v < DBL_MIN && v + DBL_EPSILON > 0;
        most = fmax(most, v);
        least = fmin(least, v + 1);
    }
    printf("%d %g %g\n", zeros, most, least);
    printf("%.3f %.3f %.15f %.15f\n", x[10], s, kept[1], kept[2]);
    free(x);
    return 0;
}
