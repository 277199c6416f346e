// Variables that are private to a region and go on from iteration to iteration where a function sets them in part, or not at all: what it
// sets is seen in the program as a whole, not by its first statement.
#include <stdio.h>
#define N 400
static float x[N], y[N], z[N];
static void fill(int n, float *to, float v) {
    for (int k = 0; k < n; k++)
        to[k] = v;
}
static void put(int n, float *v) {
    for (int k = 0; k < n; k++)
        *v = k;
}
static void put2(int n, float *v) {
    if (n == 0) return;
    *v = n;
}
int main(void) {
#pragma omp parallel // GPU
    {
        float buf[32];
        for (int k = 0; k < 32; k++)
            buf[k] = 0;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            fill(i % 32, buf, (float)i);
            for (int k = 0; k < 32; k++)
                x[i] += buf[k] * (float)(k + 1);
        }
    }
#pragma omp parallel // GPU
    {
        float v = 1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            put(i % 3, &v);
            y[i] = v;
        }
    }
#pragma omp parallel // GPU
    {
        float v = 1;
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) {
            put2(i % 3, &v);
            z[i] = v;
        }
    }
    double a = 0, b = 0, c = 0;
    for (int i = 0; i < N; i++)
        a += x[i], b += y[i] * (i % 3), c += z[i] * (i % 5);
    printf("%g %g %g\n", a, b, c);
    return 0;
}
