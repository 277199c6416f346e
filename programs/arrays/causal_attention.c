// causal_attention.c - causal attention of several heads over a sequence, layer after layer on its own output.
//
// Source: A. Vaswani et al., "Attention is all you need", 2017. Scores of a row are made, shifted by their largest, and
// used to weigh the values, in the plain three loops.
//
// run: -i layers=4 -i heads=8 -i length=512 -i size=64 -i x=normal:sd=1,seed=1
// test: -i layers=2 -i heads=2 -i length=23 -i size=8 -i x=normal:sd=1,seed=1
// check: abs 1e-4
// dispatches: 1
// barriers: 3 a layer
#include <math.h>

void causal_attention(int layers, int heads, int length, int size, float x[heads][length][size],
               float score[heads][length][length], float y[heads][length][size]) {
    float scale = 1.0f / sqrtf((float)size);
    for (int layer = 0; layer < layers; layer++) {
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int t = 0; t < length; t++)
                for (int s = 0; s <= t; s++) {
                    float dot = 0.0f;
                    for (int d = 0; d < size; d++)
                        dot += x[h][t][d] * x[h][s][d];
                    score[h][t][s] = dot * scale;
                }
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int t = 0; t < length; t++) {
                float most = score[h][t][0], sum = 0.0f;
                for (int s = 1; s <= t; s++)
                    most = fmaxf(most, score[h][t][s]);
                for (int s = 0; s <= t; s++) {
                    score[h][t][s] = expf(score[h][t][s] - most);
                    sum += score[h][t][s];
                }
                for (int d = 0; d < size; d++) {
                    float mix = 0.0f;
                    for (int s = 0; s <= t; s++)
                        mix += score[h][t][s] * x[h][s][d];
                    y[h][t][d] = mix / sum;
                }
            }
#pragma omp parallel for collapse(3)
        for (int h = 0; h < heads; h++)
            for (int t = 0; t < length; t++)
                for (int d = 0; d < size; d++)
                    x[h][t][d] += 0.5f * y[h][t][d];
    }
}
