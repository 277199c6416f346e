// build: -fdouble=pair
// Large arrays of doubles stay on the device as pairs of floats, between regions and steps. A result that a pair cannot hold is noticed there:
// the region runs on the CPU, from what its arrays held before.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 16384, steps = 12;
    double *u = malloc((size_t)n * sizeof *u), *v = malloc((size_t)n * sizeof *v), most = 0, factor = 0.5;
    int *count = calloc((size_t)n, sizeof *count);
    for (int i = 0; i < n; i++) {
        u[i] = i % 100 / 3.0;
        v[i] = 0;
    }
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for // GPU: 0.307 MB there, 0.303 MB back
        for (int i = 1; i < n - 1; i++)
            v[i] = factor * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
#pragma omp parallel for // GPU: 0.16 MB there
        for (int i = 1; i < n - 1; i++) {
            u[i] = v[i];
            count[i]++;
        }
        if (t % 4 == 3) printf("%d %.9g %.9g\n", t, u[n / 2], v[3]);
    }
    double scale = 2, sum = 0;
    for (int t = 0; t < 4; t++) {
        if (t == 2) scale = 1e36;
        if (t == 3) scale = 1e-36;
#pragma omp parallel for // CPU at run time: leaves the range of pairs of floats
        for (int i = 0; i < n; i++) {
            u[i] = u[i] * (i == 500 ? scale * scale : scale);
            count[i] += 2;
        }
        printf("%.9g %.9g\n", u[500], u[77]);
    }
    u[500] = 1;
    for (int t = 0; t < 3; t++) {
        sum = 0;
        scale = t == 1 ? 3e36 : 1;
#pragma omp parallel for reduction(+ : sum) // CPU at run time: element 0 of 'sum' leaves the range of pairs of floats
        for (int i = 0; i < n; i++) {
            u[i] = u[i] + 0.5;
            sum += u[i] * scale;
        }
        printf("%.9g %.9g\n", sum, u[77]);
    }
#pragma omp parallel for reduction(max : most) // GPU
    for (int i = 0; i < n; i++)
        if (fabs(u[i]) + count[i] > most) most = fabs(u[i]) + count[i];
    printf("%.9g %d\n", most, count[5]);
    u[9] = INFINITY; // and an array with what is no number is copied at every call
    for (int t = 0; t < 2; t++) { // GPU
#pragma omp parallel for
        for (int i = 10; i < n; i++)
            u[i] = u[i] + 1;
    }
    printf("%.9g %.9g\n", u[9], u[10]);
    free(u);
    free(v);
    free(count);
    return 0;
}
