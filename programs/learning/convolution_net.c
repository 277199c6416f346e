// convolution_net.c - a small convolutional network learns to tell pictures apart: one layer of filters, the mean of
// each filter's map, a linear layer, gradient descent.
//
// Source: Y. LeCun et al., "Backpropagation applied to handwritten zip code recognition", 1989.
//
// run: -i images=2048 -i side=28 -i filters=16 -i epochs=20 -i rate=0.5 -i image=normal:seed=1 -i f=normal:sd=0.3,seed=2 -i v=normal:sd=0.3,seed=3
// test: -i images=20 -i side=9 -i filters=3 -i epochs=3 -i rate=0.5 -i image=normal:seed=1 -i f=normal:sd=0.3,seed=2 -i v=normal:sd=0.3,seed=3
// check: abs 1e-4
// dispatches: 1
// barriers: 3 an epoch
#include <math.h>

enum { TAP = 3 };

void convolution_net(int images, int side, int filters, int epochs, float rate, const float image[images][side][side],
                     float f[filters][TAP][TAP], float v[filters], float map[images][filters][side - 2][side - 2],
                     float mean[images][filters], float error[images], float loss[epochs]) {
    int inner = side - 2;
    for (int e = 0; e < epochs; e++) {
#pragma omp parallel for collapse(4)
        for (int i = 0; i < images; i++)
            for (int k = 0; k < filters; k++)
                for (int y = 0; y < inner; y++)
                    for (int x = 0; x < inner; x++) {
                        float s = 0.0f;
                        for (int a = 0; a < TAP; a++)
                            for (int b = 0; b < TAP; b++)
                                s += f[k][a][b] * image[i][y + a][x + b];
                        map[i][k][y][x] = s > 0.0f ? s : 0.0f;
                    }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < images; i++)
            for (int k = 0; k < filters; k++) {
                float s = 0.0f;
                for (int y = 0; y < inner; y++)
                    for (int x = 0; x < inner; x++)
                        s += map[i][k][y][x];
                mean[i][k] = s / (float)(inner * inner);
            }
        float total = 0.0f;
#pragma omp parallel for reduction(+ : total)
        for (int i = 0; i < images; i++) {
            float s = 0.0f;
            for (int k = 0; k < filters; k++)
                s += v[k] * mean[i][k];
            error[i] = s - (image[i][1][1] > 0.0f ? 1.0f : 0.0f);
            total += error[i] * error[i];
        }
        loss[e] = total / (float)images;
#pragma omp parallel for
        for (int k = 0; k < filters; k++) {
            float slope[TAP][TAP] = {{0.0f}};
            float slope_v = 0.0f;
            for (int i = 0; i < images; i++) {
                slope_v += error[i] * mean[i][k];
                for (int y = 0; y < inner; y++)
                    for (int x = 0; x < inner; x++)
                        if (map[i][k][y][x] > 0.0f)
                            for (int a = 0; a < TAP; a++)
                                for (int b = 0; b < TAP; b++)
                                    slope[a][b] += error[i] * v[k] * image[i][y + a][x + b];
            }
            for (int a = 0; a < TAP; a++)
                for (int b = 0; b < TAP; b++)
                    f[k][a][b] -= rate * slope[a][b] / (float)(images * inner * inner);
            v[k] -= rate * slope_v / (float)images;
        }
    }
}
