// ... with more digits than a float has.
// build: -fdouble=pair
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { N = 60 };
static double x[N];
static double twice(double v) { return 2 * v; }

int main(void) {
    double least = DBL_MAX, sum = 0;
    int i, step;
    for (i = 0; i < N; i++)
        x[i] = 1.0 / (i + 3);
#pragma omp parallel private(i, step) // GPU: 1 call
    {
        for (step = 1; step <= 3; step++) {
#pragma omp for reduction(+ : sum)
            for (i = 0; i < N; i++)
                sum += x[i] * step;
#pragma omp master
            printf("%d %.11f %18.10e\n", step, sum, sqrt(sum) * 1e-7);
#pragma omp barrier
        }
    }
#pragma omp parallel for // CPU at run time: out of the range of pairs
    for (i = 0; i < N; i++) {
        x[i] += 1;
        if (i == 7) printf("%.5e %.11f\n", least, x[i]);
    }
#pragma omp parallel for // CPU: keep it in a variable first
    for (i = 0; i < N; i++)
        if (i == 5) printf("%.12f\n", twice(x[i]));
    printf("%.11f\n", x[N - 1]);
    return 0;
}
