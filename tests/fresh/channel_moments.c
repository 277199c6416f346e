// channel_moments.c - pictures are normed channel by channel, by the mean and the deviation over all pictures and places;
// how bright a picture is counts, too.
//
// test: -i pictures=20 -i channels=6 -i side=13 -i rounds=2 -i x=uniform:lo=-1,hi=2,seed=3 -i light=uniform:lo=0,hi=1,seed=4
// check: abs 1e-4
#include <math.h>

void channel_moments(int pictures, int channels, int side, int rounds, float x[pictures][channels][side][side],
                     const float light[pictures], float mean[channels], float deviation[channels],
                     float lights[channels]) {
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel for
        for (int c = 0; c < channels; c++) {
            float sum = 0.0f, squares = 0.0f, weight = 0.0f;
            for (int p = 0; p < pictures; p++) {
                float l = 0.5f + light[p];
                weight += l;
                for (int i = 0; i < side; i++)
                    for (int j = 0; j < side; j++) {
                        sum += l * x[p][c][i][j];
                        squares += l * x[p][c][i][j] * x[p][c][i][j];
                    }
            }
            float all = weight * (float)(side * side);
            mean[c] = sum / all;
            deviation[c] = sqrtf(squares / all - mean[c] * mean[c] + 1e-5f);
            lights[c] = weight;
        }
#pragma omp parallel for collapse(4)
        for (int p = 0; p < pictures; p++)
            for (int c = 0; c < channels; c++)
                for (int i = 0; i < side; i++)
                    for (int j = 0; j < side; j++)
                        x[p][c][i][j] = (x[p][c][i][j] - mean[c]) / deviation[c];
    }
}
