// build: -fdouble=float
// An array of doubles is floats on the device and doubles here: its words are not seen as floats, nor those of floats as doubles.
#include <stdio.h>
static double x[64], sums[8];
static float z[64];
static void halve(void *at, int i) {
    float *p = at;
    p[i] *= 0.5f;
}
int main(void) {
    for (int i = 0; i < 64; i++) {
        x[i] = i + 1;
        z[i] = (float)i;
    }
#pragma omp parallel for // CPU: declare both the same
    for (int i = 0; i < 64; i++)
        ((float *)&x[i])[1] *= 2;
#pragma omp parallel for // CPU: declare both the same
    for (int i = 0; i < 128; i++)
        halve(x, i);
#pragma omp parallel for // CPU: declare both the same
    for (int i = 0; i < 8; i++) {
        double *p = (double *)z;
        sums[i] += p[i] > 0;
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 8; i++) {
        double(*rows)[8] = (double(*)[8])x;
        const double *row = rows[i];
        for (int k = 0; k < 8; k++)
            sums[i] += row[k];
    }
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += sums[i] * (i + 1);
    printf("%.5g\n", sum);
    return 0;
}
