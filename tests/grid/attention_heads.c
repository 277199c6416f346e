// attention_heads.c - tokens one after the other, each looking at those before it by several heads: lanes share loops of
// as many passes as there are tokens so far.
//
// test: -i n=70 -i heads=3 -i size=32 -i x=normal:sd=0.5,seed=1 -i w=normal:sd=0.2,seed=2
// check: abs 1e-3
// dispatches: 1
// barriers: 3 a step
#include <math.h>

void attention_heads(int n, int heads, int size, const float x[n][heads * size], const float w[3][heads * size][heads * size],
                     float out[n][heads * size]) {
    int d = heads * size;
    float q[d], k[n][d], v[n][d], score[heads][n];
    for (int t = 0; t + 1 < n; t++) {
#pragma omp parallel for
        for (int i = 0; i < d; i++) {
            float a = 0.0f, b = 0.0f, c = 0.0f;
#pragma omp simd reduction(+ : a, b, c)
            for (int j = 0; j < d; j++) {
                float u = t > 0 ? x[t][j] + 0.5f * out[t - 1][j] : x[t][j];
                a += w[0][i][j] * u;
                b += w[1][i][j] * u;
                c += w[2][i][j] * u;
            }
            q[i] = a;
            k[t][i] = b;
            v[t][i] = c;
        }
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int p = 0; p <= t; p++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int j = 0; j < size; j++)
                    s += q[h * size + j] * k[p][h * size + j];
                score[h][p] = s / sqrtf((float)size);
            }
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int j = 0; j < size; j++) {
                float most = -1e30f, sum = 0.0f, mix = 0.0f;
#pragma omp simd reduction(max : most)
                for (int p = 0; p <= t; p++)
                    most = fmaxf(most, score[h][p]);
#pragma omp simd reduction(+ : sum, mix)
                for (int p = 0; p <= t; p++) {
                    float e = expf(score[h][p] - most);
                    sum += e;
                    mix += e * v[p][h * size + j];
                }
                out[t][h * size + j] = mix / sum;
            }
    }
}
