// Reductions of every common kind, variables that live on, and a counter that is read after its loop.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 5000, i, last = -1, count = 0, low = INT_MAX, any = 0;
    unsigned bits = 0;
    float high = -1e30f, product = 1;
    int *x = calloc((size_t)n, sizeof *x);
    float *y = malloc((size_t)n * sizeof *y);
    for (i = 0; i < n; i++) {
        x[i] = i * 37 % 1001 - 300;
        y[i] = (float)(i * 13 % 997);
    }
#pragma omp parallel for reduction(+ : count) reduction(min : low) reduction(max : high) // GPU
    for (i = 0; i < n; i++) {
        if (x[i] > 0) count++;
        if (x[i] < low) low = x[i];
        if (y[i] > high) high = y[i];
    }
#pragma omp parallel for reduction(| : bits) reduction(|| : any) lastprivate(last) // GPU
    for (i = 0; i < n; i++) {
        bits |= 1u << (x[i] & 7);
        any = any || x[i] == 77;
        last = x[i];
    }
#pragma omp parallel for reduction(* : product) // GPU
    for (int k = 0; k < 10; k++)
        product *= 1.0f + (float)k / 8;
    printf("%d %d %.1f %u %d %d %.4f\n", count, low, (double)high, bits, any, last, (double)product);
    free(x);
    free(y);
    return 0;
}
