// Doubles as pairs of floats that regions print: all their digits. What no pair can hold the CPU prints.
// build: -fdouble=pair
// build, too: -fdouble=float
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 50 };
static double x[N];
static double twice(double v) { return 2 * v; }

int main(void) {
    double sum = 0, least = DBL_MAX;
    float f = 0.1f;
    int i, step;
    for (i = 0; i < N; i++)
        x[i] = (double)(i % 8 + 1) / 16;
#pragma omp parallel private(i, step) // GPU: 1 call
    {
        for (step = 0; step < 3; step++) {
#pragma omp single
            sum = 0;
#pragma omp for reduction(+ : sum)
            for (i = 0; i < N; i++)
                sum += x[i];
#pragma omp single
            printf("%d %.6f %14.4E %g %d %f\n", step, sum, sqrt(sum) + 1, (double)f, step + 1, x[step] * 0.5);
#pragma omp for
            for (i = 0; i < N; i++)
                x[i] = x[i] * 0.5 + (double)step / 4;
        }
    }
#pragma omp parallel for schedule(static, N) // GPU
    for (i = 0; i < N; i++) {
        x[i] *= 3;
        double more = twice(x[i]);
        if (i % 20 == 7) printf("%.6f %i\n", more, i);
    }
#pragma omp parallel for
    for (i = 0; i < N; i++)
        if (i == 7) printf("%.3e %g\n", least, x[i]);
    printf("%.6f\n", x[3]);
    return 0;
}
