// weighted_columns.c - steps of attention without a memory of its own: each channel takes the mean of its column, with
// weights that a softmax over all rows so far gives, and writes the next row.
//
// test: -i rows=70 -i channels=128 -i heads=4 -i x=uniform:lo=-1,hi=1,seed=3 -i w=uniform:lo=-2,hi=2,seed=4
// check: abs 1e-4
#include <math.h>

void weighted_columns(int rows, int channels, int heads, float x[heads][rows][channels], const float w[heads][rows]) {
    float level[heads][channels];
    for (int t = 30; t + 1 < rows; t++) {
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int c = 0; c < channels; c++) {
                float sum = 0.0f, mix = 0.0f, most = -9.0f;
#pragma omp simd reduction(max : most)
                for (int r = 0; r <= t; r++)
                    most = fmaxf(most, w[h][r] + x[h][r][c]);
#pragma omp simd reduction(+ : sum, mix)
                for (int r = 0; r <= t; r++) {
                    float e = expf(w[h][r] - most);
                    sum += e;
                    mix += e * x[h][r][c];
                }
                level[h][c] = mix / sum;
            }
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int c = 0; c < channels; c++)
                x[h][t + 1][c] = level[(h + 1) % heads][c] + 0.5f * x[h][t][c];
    }
}
