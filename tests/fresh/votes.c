// votes.c - capsules that agree: few iterations, each with a few sums of vectors over all inputs, which are then made longer or shorter.
//
// run: -i images=128 -i part=normal:sd=0.1,seed=1
// test: -i images=3 -i part=normal:sd=0.1,seed=1
// check: near 1e-4
#include <math.h>

#define INPUTS 288
#define CLASSES 10
#define SIZE 16

void votes(int images, const float part[images][INPUTS][CLASSES][SIZE], float agreed[images][CLASSES][SIZE], float length[images][CLASSES]) {
    float logit[images][INPUTS][CLASSES], weight[images][INPUTS][CLASSES];
#pragma omp parallel for
    for (int n = 0; n < images; n++)
        for (int i = 0; i < INPUTS; i++)
            for (int c = 0; c < CLASSES; c++)
                logit[n][i][c] = 0;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel for
        for (int n = 0; n < images; n++)
            for (int i = 0; i < INPUTS; i++) {
                float sum = 0;
                for (int c = 0; c < CLASSES; c++)
                    sum += weight[n][i][c] = expf(logit[n][i][c]);
                for (int c = 0; c < CLASSES; c++)
                    weight[n][i][c] /= sum;
            }
#pragma omp parallel for
        for (int n = 0; n < images; n++)
            for (int c = 0; c < CLASSES; c++) {
                float *v = agreed[n][c], s = 0;
                for (int k = 0; k < SIZE; k++)
                    v[k] = 0;
                for (int i = 0; i < INPUTS; i++)
                    for (int k = 0; k < SIZE; k++)
                        v[k] += weight[n][i][c] * part[n][i][c][k];
                for (int k = 0; k < SIZE; k++)
                    s += v[k] * v[k];
                for (int k = 0; k < SIZE; k++)
                    v[k] *= s / (1 + s) / sqrtf(s + 1e-9f);
                length[n][c] = s;
            }
        if (round == 2) break;
#pragma omp parallel for collapse(2)
        for (int n = 0; n < images; n++)
            for (int i = 0; i < INPUTS; i++)
                for (int c = 0; c < CLASSES; c++)
                    for (int k = 0; k < SIZE; k++)
                        logit[n][i][c] += part[n][i][c][k] * agreed[n][c][k];
    }
}
