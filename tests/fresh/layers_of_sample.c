// layers_of_sample.c - two layers for each sample of a batch, with what a layer gives in arrays of the sample, and a sum over the batch.
//
// run: -i batch=8192 -i steps=10 -i w1=normal:sd=0.15,seed=1 -i w2=normal:sd=0.1,seed=2
// test: -i batch=20 -i steps=2 -i w1=normal:sd=0.15,seed=1 -i w2=normal:sd=0.1,seed=2
// check: near 1e-3
#include <math.h>

#define D 32
#define H 128

void layers_of_sample(int batch, int steps, const float w1[H][D], const float w2[D][H], float x[batch][D], float size[steps]) {
#pragma omp parallel for
    for (int b = 0; b < batch; b++)
        for (int i = 0; i < D; i++)
            x[b][i] = sinf(0.1f * b + i);
    for (int t = 0; t < steps; t++) {
        float sum = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int b = 0; b < batch; b++) {
            float hidden[H], change[D];
            for (int i = 0; i < H; i++) {
                float s = 0;
                for (int j = 0; j < D; j++)
                    s += w1[i][j] * x[b][j];
                hidden[i] = s / (1 + expf(-s));
            }
            for (int i = 0; i < D; i++) {
                float s = 0;
                for (int j = 0; j < H; j++)
                    s += w2[i][j] * hidden[j];
                change[i] = s;
            }
            for (int i = 0; i < D; i++) {
                x[b][i] = 0.9f * x[b][i] + 0.1f * change[i];
                sum += x[b][i] * x[b][i];
            }
        }
        size[t] = sum / (batch * D);
    }
}
