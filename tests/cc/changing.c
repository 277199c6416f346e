// A region that is called with other numbers each time: few programs for many values. Pointers into the middle of an
// array, with negative indices.
#include <stdio.h>
#include <stdlib.h>

static float difference(const float *at, int reach) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i <= reach; i++)
        s += at[i] - at[-i];
    return s;
}

int main(void) {
    float *x = malloc(1000 * sizeof *x), s = 0;
    for (int i = 0; i < 1000; i++)
        x[i] = (float)(i * i % 31);
    for (int k = 0; k < 60; k++) {
        s += (float)(k % 3) * difference(x + 300 + k, 10 + k % 20);
        fprintf(stderr, "%s", k < 0 ? "never" : ""); // keeps the loop on the CPU
    }
    printf("%.2f\n", (double)s);
    free(x);
    return 0;
}
