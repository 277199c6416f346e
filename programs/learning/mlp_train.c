// mlp_train.c - a network with one hidden layer learns a function of its inputs by plain gradient descent.
//
// Source: D. E. Rumelhart, G. E. Hinton, R. J. Williams, "Learning representations by back-propagating errors", 1986.
//
// run: -i samples=4096 -i inputs=64 -i hidden=256 -i epochs=50 -i rate=0.05 -i x=normal:seed=1 -i w=normal:sd=0.1,seed=2 -i v=normal:sd=0.05,seed=3
// test: -i samples=70 -i inputs=17 -i hidden=33 -i epochs=4 -i rate=0.05 -i x=normal:seed=1 -i w=normal:sd=0.3,seed=2 -i v=normal:sd=0.2,seed=3
// check: abs 1e-4
// dispatches: 1
// barriers: 4 an epoch
#include <math.h>

void mlp_train(int samples, int inputs, int hidden, int epochs, float rate, const float x[samples][inputs],
               float w[hidden][inputs], float v[hidden], float loss[epochs]) {
    float h[samples][hidden], error[samples];
    for (int e = 0; e < epochs; e++) {
        float total = 0.0f;
#pragma omp parallel for collapse(2)
        for (int s = 0; s < samples; s++)
            for (int k = 0; k < hidden; k++) {
                float sum = 0.0f;
                for (int i = 0; i < inputs; i++)
                    sum += w[k][i] * x[s][i];
                h[s][k] = tanhf(sum);
            }
#pragma omp parallel for reduction(+ : total)
        for (int s = 0; s < samples; s++) {
            float y = 0.0f;
            for (int k = 0; k < hidden; k++)
                y += v[k] * h[s][k];
            error[s] = y - sinf(x[s][0]) * x[s][1];
            total += error[s] * error[s];
        }
        loss[e] = total / (float)samples;
#pragma omp parallel for
        for (int k = 0; k < hidden; k++)
            for (int i = 0; i < inputs; i++) {
                float slope = 0.0f;
                for (int s = 0; s < samples; s++)
                    slope += error[s] * v[k] * (1.0f - h[s][k] * h[s][k]) * x[s][i];
                w[k][i] -= rate * slope / (float)samples;
            }
#pragma omp parallel for
        for (int k = 0; k < hidden; k++) {
            float slope = 0.0f;
            for (int s = 0; s < samples; s++)
                slope += error[s] * h[s][k];
            v[k] -= rate * slope / (float)samples;
        }
    }
}
