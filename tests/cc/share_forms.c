// Shares of a sum that threads keep in variables of their own, as `own = own + E`, and in threadprivate arrays: the loop around moves as
// a whole, for it does not matter how many threads there are.
#include <stdio.h>

enum { N = 1000, BINS = 4, BODIES = 60 };
static float x[N], total, bins[BINS], own_bins[BINS], force[BODIES][3], own[BODIES][3], diagonal[BINS][BINS],
    all[BINS][BINS];
#pragma omp threadprivate(own_bins, own, diagonal)

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
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel
        {
            for (int i = 0; i < BODIES; i++)
                for (int k = 0; k < 3; k++)
                    own[i][k] = 0;
#pragma omp for schedule(static)
            for (int i = 0; i < BODIES; i++)
                for (int j = i + 1; j < BODIES; j++)
                    for (int k = 0; k < 3; k++) {
                        own[i][k] += x[i] - x[j];
                        own[j][k] -= x[i] - x[j];
                    }
#pragma omp critical
            for (int i = 0; i < BODIES; i++)
                for (int k = 0; k < 3; k++)
                    force[i][k] += own[i][k];
        }
    }
    for (int t = 0; t < 2; t++)
#pragma omp parallel // GPU
    {
        for (int k = 0; k < BINS; k++)
            diagonal[k][k] = 0; // and the others keep what they had
#pragma omp for
        for (int i = 0; i < N; i++)
            diagonal[i % BINS][i % 3] += x[i];
#pragma omp critical
        for (int i = 0; i < BINS; i++)
            for (int k = 0; k < BINS; k++)
                all[i][k] += diagonal[i][k];
    }
    printf("%g %g %g %g\n", force[3][1], force[BODIES - 1][2], all[0][0], all[1][2]);
    printf("%g %g %g\n", total, bins[0], bins[3]);
    return 0;
}
