#include "vector.h"

float weights[LENGTH];
int scale = 3;

void fill(float *x, int n) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        x[i] = (float)(i % 7 * scale) + weights[i];
}

float dot(const float *x, const float *y, int n) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}
