// Small allocations among many others, some of them freed: a pointer to the beginning or into the middle of each.
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };
static float *block[N];

static float sum_of(const float *x, int n) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum) // GPU: GPU, 133 calls
    for (int i = 0; i < n; i++)
        sum += x[i];
    return sum;
}
static void add(float *x, int n) {
#pragma omp parallel for // GPU: GPU, 133 calls
    for (int i = 0; i < n; i++)
        x[i] += (float)i;
}
static int count_of(int k) { return 4 + k % 12; } // 16 to 60 bytes

static float *filled(int k) {
    float *x = malloc((size_t)count_of(k) * sizeof *x);
    for (int i = 0; i < count_of(k); i++)
        x[i] = (float)(k + i);
    return x;
}

int main(void) {
    float total = 0;
    for (int k = 0; k < N; k++)
        block[k] = filled(k);
    for (int k = 0; k < N; k += 3)
        free(block[k]);
    for (int k = 0; k < N; k += 6) // other sizes at old addresses
        block[k] = filled(k + 35);
    for (int k = 1; k < 400; k += 3) {
        int n = count_of(k), from = n / 2;
        add(block[k] + from, n - from);
        total += sum_of(block[k], n);
    }
    printf("%g\n", (double)total);
    for (int k = 0; k < N; k++)
        if (k % 3 || k % 6 == 0) free(block[k]);
    return 0;
}
