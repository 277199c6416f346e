// Arrays of a function by name, and through a pointer, where the region shows how much of them it uses.
#include <stdio.h>

static void twice(int n, float *x) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}

static float last(int n, const float x[1], const int *at) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // CPU at run time: no memory is known
    for (int i = 0; i < n; i++)
        s += x[at[i]];
    return s;
}

static void halve(float x[40]) {
#pragma omp parallel for // GPU
    for (int i = 0; i < 40; i++)
        x[i] /= 2;
}

int main(void) {
    int n = 37;
    static int order[40];
    for (int i = 0; i < 40; i++)
        order[i] = 36 - i % 37;
    float known[40], variable[n], plane[4][n];
    const float *unknown = known; // the call does not say which array that is
#pragma omp parallel for          // GPU
    for (int i = 0; i < n; i++) {
        known[i] = (float)i;
        variable[i] = (float)i * 0.5f;
        for (int k = 0; k < 4; k++)
            plane[k][i] = (float)(i * k);
    }
    twice(n, known);
    twice(n, known);
    twice(n - 9, variable + 3);
    known[37] = known[38] = known[39] = last(n, unknown, order);
    halve(known);
    printf("%.1f %.1f %.1f\n", (double)known[30], (double)variable[31], (double)plane[3][36]);
    return 0;
}
