// ragged_rows.c - each row relaxes towards what lies before a place that moves on, and its weights are exponentials:
// rows of another length in each step, shared by lanes.
//
// test: -i rows=6 -i columns=700 -i steps=5 -i x=uniform:lo=-1,hi=1,seed=3
// check: abs 1e-4
#include <math.h>

void ragged_rows(int rows, int columns, int steps, float x[rows][columns], float level[rows]) {
    for (int t = 0; t < steps; t++) {
        int end = t * 160 + 3;
#pragma omp parallel for
        for (int r = 0; r < rows; r++) {
            float most = -1e30f, sum = 0.0f, mix = 0.0f;
#pragma omp simd reduction(max : most)
            for (int k = 0; k < end; k++)
                most = fmaxf(most, x[r][k]);
#pragma omp simd reduction(+ : sum, mix)
            for (int k = t; k < end - r; k++) {
                float e = expf(x[r][k] - most);
                sum += e;
                mix += e * x[r][columns - 1 - k];
            }
            level[r] = sum > 0.0f ? mix / sum : most;
        }
#pragma omp parallel for collapse(2)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < columns; k++)
                x[r][k] = 0.9f * x[r][k] + 0.1f * level[(r + 1) % rows];
    }
}
