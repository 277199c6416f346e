// build: -fdouble=pair
// Random deviates in the manner of a benchmark: numbers of 46 bits as doubles, made by multiplication in halves, a block an iteration; logarithms
// and roots of them, sums and a table of counts.
#include <math.h>
#include <stdio.h>

#define BLOCKS 64
#define BLOCK 16
static const double r23 = 0x1p-23, r46 = 0x1p-46, t23 = 0x1p23, t46 = 0x1p46;

static double next(double *x, double a) {
    double t1 = r23 * a, a1 = (int)t1, a2 = a - t23 * a1;
    t1 = r23 * *x;
    double x1 = (int)t1, x2 = *x - t23 * x1;
    t1 = a1 * x2 + a2 * x1;
    double t2 = (int)(r23 * t1), z = t1 - t23 * t2;
    double t3 = t23 * z + a2 * x2, t4 = (int)(r46 * t3);
    *x = t3 - t46 * t4;
    return r46 * *x;
}

int main(void) {
    const double a = 1220703125.0, s = 271828183.0;
    double sx = 0.0, sy = 0.0, most = 0.0, q[10] = {0.0}, counts[BLOCKS][10];
    static double seeds[BLOCKS];
    double an = a;
    for (int i = 0; i < 5; i++)
        (void)next(&an, an); // a to the power of 2 * BLOCK
    seeds[0] = s;
    for (int k = 1; k < BLOCKS; k++) {
        seeds[k] = seeds[k - 1];
        (void)next(&seeds[k], an);
    }
#pragma omp parallel for reduction(+ : sx, sy) reduction(max : most) // GPU
    for (int k = 0; k < BLOCKS; k++) {
        double x = seeds[k];
        for (int l = 0; l < 10; l++)
            counts[k][l] = 0.0;
        for (int i = 0; i < BLOCK; i++) {
            double x1 = 2.0 * next(&x, a) - 1.0, x2 = 2.0 * next(&x, a) - 1.0;
            double t1 = x1 * x1 + x2 * x2;
            if (t1 > 1.0) continue;
            double t2 = sqrt(-2.0 * log(t1) / t1), t3 = x1 * t2, t4 = x2 * t2;
            int l = (int)fmax(fabs(t3), fabs(t4));
            counts[k][l] += 1.0;
            sx = sx + t3;
            sy = sy + t4;
            most = fmax(most, fabs(t3));
        }
    }
    for (int k = 0; k < BLOCKS; k++)
        for (int l = 0; l < 10; l++)
            q[l] += counts[k][l];
    printf("%.9f %.9f %.9f\n", sx, sy, most);
    for (int l = 0; l < 4; l++)
        printf("%d %.0f\n", l, q[l]);
    printf("%.0f\n", seeds[BLOCKS - 1]);
    return 0;
}
