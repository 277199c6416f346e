// ends_from_data.c - one token's attention over rows that are as long as data say, each text its own: scores in a local
// array, their softmax, the mean of values.
//
// run: -i texts=16 -i longest=1024 -i length=uniform:lo=700,hi=1023,seed=1 -i q=normal:seed=2 -i k=normal:seed=3 -i v=normal:seed=4
// test: -i texts=3 -i longest=50 -i length=uniform:lo=0,hi=49,seed=1 -i q=normal:seed=2 -i k=normal:seed=3 -i v=normal:seed=4
// check: abs 1e-4
#include <math.h>
#define HEADS 8
#define D 32

void ends_from_data(int texts, int longest, const int length[texts], const float q[texts][HEADS][D],
                    const float k[texts][longest][D], const float v[texts][longest][D], float out[texts][HEADS][D]) {
#pragma omp parallel for collapse(2)
    for (int b = 0; b < texts; b++)
        for (int h = 0; h < HEADS; h++) {
            float score[longest], most = -INFINITY, sum = 0.0f;
            for (int t = 0; t <= length[b]; t++) {
                float s = 0.0f;
                for (int d = 0; d < D; d++)
                    s += q[b][h][d] * k[b][t][d];
                score[t] = s * 0.2f;
                most = fmaxf(most, score[t]);
            }
            for (int t = 0; t <= length[b]; t++) {
                score[t] = expf(score[t] - most);
                sum += score[t];
            }
            for (int d = 0; d < D; d++) {
                float s = 0.0f;
                for (int t = 0; t <= length[b]; t++)
                    s += score[t] * v[b][t][d];
                out[b][h][d] = s / sum;
            }
        }
}
