// Attention by heads with weights that are kept: scores of each head's queries, softmax, and what they mix.
// run: -i heads=512 -i length=64 -i size=32 -i steps=10 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3
// test: -i heads=5 -i length=37 -i size=33 -i steps=3 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3
// check: abs 1e-4
// dispatches: 1
#include <math.h>

void head_attention(int heads, int length, int size, int steps, float q[heads][length][size], const float k[heads][length][size], const float v[heads][length][size]) {
    float s[heads][length][length];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for collapse(3)
        for (int h = 0; h < heads; h++)
            for (int a = 0; a < length; a++)
                for (int b = 0; b < length; b++) {
                    float sum = 0.0f;
                    for (int d = 0; d < size; d++)
                        sum += q[h][a][d] * k[h][b][d];
                    s[h][a][b] = sum * 0.1f;
                }
#pragma omp parallel for collapse(2)
        for (int h = 0; h < heads; h++)
            for (int a = 0; a < length; a++) {
                float sum = 0.0f;
                for (int b = 0; b < length; b++) {
                    s[h][a][b] = expf(s[h][a][b]);
                    sum += s[h][a][b];
                }
                for (int b = 0; b < length; b++)
                    s[h][a][b] /= sum;
            }
#pragma omp parallel for collapse(3)
        for (int h = 0; h < heads; h++)
            for (int a = 0; a < length; a++)
                for (int d = 0; d < size; d++) {
                    float sum = 0.0f;
                    for (int b = 0; b < length; b++)
                        sum += s[h][a][b] * v[h][b][d];
                    q[h][a][d] = 0.5f * q[h][a][d] + 0.5f * sum;
                }
    }
}
