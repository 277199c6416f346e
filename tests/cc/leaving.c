// Ways out of a loop around regions: return, goto, break. What a statement leaves by stays on the CPU.
#include <stdio.h>

static float x[64];

static int settle(float limit) {
    for (int t = 0; t < 100; t++) {
        float change = 0;
#pragma omp parallel for reduction(max : change) // GPU
        for (int i = 0; i < 64; i++) {
            float old = x[i];
            x[i] = old * 0.5f;
            float d = old - x[i];
            if (d > change) change = d;
        }
        if (change < limit) return t;
    }
    return -1;
}

static int until(float limit) {
    int t;
    for (t = 0; t < 100; t++) { // GPU
        float sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 64; i++) {
            x[i] = x[i] * 0.5f + 1;
            sum += x[i];
        }
        if (sum > limit) break;
    }
    return t;
}

int main(void) {
    for (int i = 0; i < 64; i++)
        x[i] = (float)i;
    printf("%d ", settle(0.01f));
    printf("%d %.4f\n", until(120.0f), (double)x[63]);
    return 0;
}
