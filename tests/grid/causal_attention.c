// Tokens one after the other behind those that are known, each looking at those up to itself: loops and reductions over as many as there are so far.
// test: -i n=400 -i known=376 -i q=normal:seed=1 -i k=normal:seed=2 -i v=normal:seed=3 -i out=const:0 -i peak=const:0
// check: rel 1e-3
// dispatches: 1
#include <math.h>
enum { D = 16 };

void causal_attention(int n, int known, const float q[n][D], const float k[n][D], const float v[n][D], float out[n][D],
                      float peak[n]) {
    float score[n];
    for (int t = known; t < n; t++) {
#pragma omp parallel for
        for (int j = 0; j <= t; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++)
                dot += q[t][d] * k[j][d];
            score[j] = dot * 0.25f;
        }
        float most = -INFINITY, sum = 0;
#pragma omp parallel for reduction(max : most)
        for (int j = t; j >= 0; j--)
            most = fmaxf(most, score[j]);
        peak[t] = most;
#pragma omp parallel for reduction(+ : sum)
        for (int j = 0; j <= t; j++) {
            score[j] = expf(score[j] - most);
            sum += score[j];
        }
#pragma omp parallel for
        for (int d = 0; d < D; d++) {
            float mix = 0;
            for (int j = 0; j <= t; j++)
                mix += score[j] * v[j][d];
            out[t][d] = mix / sum;
        }
    }
}
