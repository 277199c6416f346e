// Shares of a sum that threads keep in variables of their own, as `own = own + E`, and in a threadprivate array: the loop around moves as
// a whole, for it does not matter how many threads there are.
#include <stdio.h>

enum { N = 1000, BINS = 4 };
static float x[N], total, bins[BINS], own_bins[BINS];
#pragma omp threadprivate(own_bins)

int main(void) {
    for (int t = 0; t < 5; t++) { // GPU
#pragma omp parallel
        {
            float own = 0;
#pragma omp for
            for (int i = 0; i < N; i++) {
                x[i] = (float)((i + t) % 7);
                own = own + x[i];
            }
#pragma omp atomic
            total += own;
        }
#pragma omp parallel
        {
            for (int k = 0; k < BINS; k++)
                own_bins[k] = 0;
#pragma omp for
            for (int i = 0; i < N; i++)
                own_bins[i % BINS] = own_bins[i % BINS] + x[i];
            for (int k = 0; k < BINS; k++) {
#pragma omp atomic
                bins[k] += own_bins[k];
            }
        }
    }
    printf("%g %g %g\n", total, bins[0], bins[3]);
    return 0;
}
