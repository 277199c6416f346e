// Several files by somebody's Makefile, whose CC is `whorl cc`; arrays and numbers of another file.
#include <stdio.h>
#include <stdlib.h>

#include "vector.h"

int main(void) {
    float *x = malloc(LENGTH * sizeof(float));
    static float y[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        weights[i] = 0.5f * (float)(i % 3);
    fill(x, LENGTH);
    scale = 5;
    fill(y, LENGTH);
    printf("%.2f\n", (double)dot(x, y, LENGTH));
#pragma omp parallel for // GPU
    for (int i = 0; i < LENGTH; i++)
        weights[i] += x[i] * (float)scale;
    printf("%.2f\n", (double)dot(weights, weights, LENGTH));
    free(x);
    return 0;
}
