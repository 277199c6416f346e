// shared_gradients.c - a network with one layer, whose samples add to one gradient by atomics, from loops over neurons whose values are
// kept in arrays of the sample.
//
// run: -i steps=100 -i batch=256 -i first=normal:sd=0.5,seed=1
// test: -i steps=3 -i batch=20 -i first=normal:sd=0.5,seed=1
// check: near 1e-3
#include <math.h>

#define H 64

void shared_gradients(int steps, int batch, const float first[3 * H], float w[H][2], float out[H], float loss[steps]) {
    float gw[H][2], gout[H], bias = 0, gbias[1];
#pragma omp parallel for
    for (int j = 0; j < H; j++) {
        w[j][0] = first[j];
        w[j][1] = first[H + j];
        out[j] = first[2 * H + j] * 0.2f;
    }
    for (int s = 0; s < steps; s++) {
        float sum = 0;
#pragma omp parallel for
        for (int j = 0; j < H; j++)
            gw[j][0] = gw[j][1] = gout[j] = 0;
        gbias[0] = 0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < batch; i++) {
            float x = sinf(0.7f * i + s), y = cosf(0.3f * i), hidden[H], z = bias;
            for (int j = 0; j < H; j++)
                hidden[j] = tanhf(w[j][0] * x + w[j][1] * y);
            for (int j = 0; j < H; j++)
                z += out[j] * hidden[j];
            float error = (z - x * y) / batch;
            sum += error * error;
            for (int j = 0; j < H; j++) {
                float back = error * out[j] * (1 - hidden[j] * hidden[j]);
#pragma omp atomic
                gout[j] += error * hidden[j];
#pragma omp atomic
                gw[j][0] += back * x;
#pragma omp atomic
                gw[j][1] += back * y;
            }
#pragma omp atomic
            gbias[0] += error;
        }
#pragma omp parallel for
        for (int j = 0; j < H; j++) {
            w[j][0] -= 0.1f * gw[j][0];
            w[j][1] -= 0.1f * gw[j][1];
            out[j] -= 0.1f * gout[j];
        }
        bias -= 0.1f * gbias[0];
        loss[s] = sum * batch;
    }
}
