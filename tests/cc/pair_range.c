// build: -fdouble=pair
// Doubles beyond a float's exponents: those that a region only keeps or compares stay what they are, those that it computes with send it to
// the CPU, on the way there or back.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 40

static void print(const char *what, const double *x) { printf("%s %.17g %.17g %.17g\n", what, x[0], x[7], x[N - 1]); }

int main(void) {
    double x[N], y[N], third[N], best = DBL_MAX, most = -1e300;
    for (int i = 0; i < N; i++) {
        x[i] = 1.0 / (i + 3);
        y[i] = i % 7 ? 0.5 : i == 0 ? 1e200 : -INFINITY;
        third[i] = 1.0 / 3.0;
    }
#pragma omp parallel for reduction(min : best) reduction(max : most) // GPU
    for (int i = 0; i < N; i++) {
        if (x[i] < best) best = x[i];
        if (x[i] > most) most = x[i];
    }
    printf("%.9g %.9g\n", best, most);
#pragma omp parallel for // GPU
    for (int i = 1; i < N - 1; i += 2) // 1e200, -INFINITY and a third are not touched
        third[i] = y[i] = x[i] + 0.25;
    printf("%.17g %.17g %.17g %.9g\n", y[0], y[14], third[2], third[1]);
#pragma omp parallel for // CPU at run time: leaves the range of pairs of floats
    for (int i = 0; i < N; i++)
        x[i] = 1e30 / (x[i] * 1e-15) * (i == 7 ? 1.0 : 1e-30);
    print("product", x);
    x[7] = 1e-100;
#pragma omp parallel for // CPU at run time: element 7 of 'x' is 1e-100, too small for a pair of floats
    for (int i = 0; i < N; i++)
        y[i] = x[i] * 1e30;
    print("small", y);
    x[7] = 0.5;
#pragma omp parallel for // CPU at run time: leaves the range
    for (int i = 0; i < N; i++)
        y[i] = x[i] > 0 ? sqrt(-1.0 - x[i]) : 1;
    printf("%d %d\n", isnan(y[0]) != 0, isnan(y[7]) != 0);
    double *unset = malloc(N * sizeof *unset);
    memset(unset, 0x41, N * sizeof *unset); // what others left there
    unset[3] = 2e-60;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        unset[i] = 0;
        for (int k = 0; k < i; k++)
            unset[i] += third[k];
    }
    printf("%.9g %.9g\n", unset[3], unset[N - 1]);
    double scale = 1e250;
#pragma omp parallel for // CPU at run time: leaves the range
    for (int i = 0; i < N; i++)
        y[i] = third[i] * scale;
    printf("%.9g\n", y[5]);
    free(unset);
    double least[8];
#pragma omp parallel for // CPU: this constant is outside of the range of a pair of floats
    for (int i = 0; i < 8; i++)
        least[i] = i > DBL_MIN ? i : 1;
    printf("%g %g\n", least[0], least[7]);
    return 0;
}
