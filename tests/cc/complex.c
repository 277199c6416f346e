// Complex numbers of <complex.h>: arrays, members, variables that come back, sums, results of functions.
// build: -fdouble=pair
// build, too: -fdouble=float
#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;
struct site {
    int id;
    number amplitude;
    double weight;
    number parts[2];
};
static number turns[16], quarters[4] = {1, I, -1, -I};
static const number shift = 0.5 + 0.25 * I;

static number turned(number a, number b, double by) { return a * b * by + shift; }

static void scale(number *row, int n, number by) {
    for (int i = 0; i < n; i++)
        *row++ *= by;
}

static double square(number z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }

int main(void) {
    int n = 40;
    number *a = malloc((size_t)n * (size_t)n * sizeof *a), *b = calloc((size_t)n, sizeof(number)), sum = 0, last = 0;
    struct site *sites = calloc((size_t)n, sizeof *sites);
    double energy = 0, pi = acos(-1.0);
    float complex *rough = malloc((size_t)n * sizeof *rough), step = 0.25f + 0.5f * I;
    for (int i = 0; i < 16; i++)
        turns[i] = cexp(2 * pi * I * i / 16);
    for (int i = 0; i < n; i++)
        sites[i] = (struct site){i, i * 0.125 + 2.0 * I, 1.0 / (i + 1), {I, 3}};
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        number *row = a + (ptrdiff_t)i * n;
        for (int j = 0; j < n; j++)
            row[j] = CMPLX(i, j * 0.5) * 0.0625 + turns[i * j % 16];
        scale(row, n, quarters[i % 4]);
    }
#pragma omp parallel for reduction(+ : sum, energy) // GPU
    for (int i = 0; i < n; i++) {
        number t = 0;
        for (int j = 0; j < n; j++)
            t += a[i * n + j] * conj(sites[j].amplitude);
        b[i] = turned(t, sites[i].amplitude, sites[i].weight);
        sum -= -b[i];
        energy += square(b[i]);
    }
    printf("%.1f %.1f %.0f\n", creal(sum), cimag(sum), energy / 100);
#pragma omp parallel for lastprivate(last) // GPU
    for (int i = 0; i < n; i++) {
        double x = i;
        x += sites[i].amplitude;
        sites[i].parts[1] /= sites[i].amplitude;
        sites[i].parts[0] = x > 20 ? sites[i].parts[1] : x;
        __imag__ sites[i].parts[0] = carg(sites[i].amplitude);
        last = conj(sites[i].parts[0]) + I * I;
        sites[i].weight = sites[i].amplitude == 1 + 2 * I ? 9 : cabs(csqrt(b[i]));
    }
    for (int i = 0; i < n; i += 8)
        printf("%.3f %.3f %.2f\n", creal(sites[i].parts[0]), cimag(sites[i].parts[1]), sites[i].weight);
    printf("%.3f %.3f\n", creal(last), cimag(last));
    double *numbers = (double *)a;
#pragma omp parallel for // GPU
    for (int i = 0; i < 2 * n * n; i++)
        numbers[i] *= 0.5;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        float complex z = step;
        for (int k = 0; k < i % 5; k++)
            z = z * z + step * 0.5f;
        rough[i] = z + a[i];
    }
    printf("%.3f %.3f %.3f\n", creal(a[n + 5]), crealf(rough[7]), cimagf(rough[9]));
    return 0;
}
