// clamped_rows.c - rows whose lengths come from data through choices that keep them within an array: as far as the longest of
// all texts, and as far as each has got. What keeps a length in its bounds is a choice, the largest of several another.
//
// run: -i n=8 -i m=64 -i context=2048 -i steps=40
// run: -i begin=uniform:lo=-9,hi=2100,seed=3 -i k=normal:sd=0.3,seed=4 -i q=normal:sd=0.3,seed=5
// test: -i n=3 -i m=40 -i context=150 -i steps=6
// test: -i begin=-3,20,146 -i k=normal:sd=0.3,seed=4 -i q=normal:sd=0.3,seed=5
// check: abs 1e-4
// check: length exact
// dispatches: 1
#include <math.h>

static int place(int t, int context) { return t < 0 ? 0 : t < context ? t : context - 1; }

void clamped_rows(int n, int m, int context, int steps, const int begin[n], const float k[n][context][m], float q[n][m],
                  float out[n][m], int length[n]) {
    float score[n][context];
    for (int step = 0; step < steps; step++) {
        int longest = 0;
        for (int b = 0; b < n; b++) {
            int t = place(begin[b] + step, context);
            longest = t > longest ? t : longest;
        }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < n; b++)
            for (int p = 0; p <= longest; p++) {
                float s = 0.0f;
#pragma omp simd reduction(+ : s)
                for (int i = 0; i < m; i++)
                    s += q[b][i] * k[b][p][i];
                score[b][p] = s;
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < n; b++)
            for (int i = 0; i < m; i++) {
                int t = place(begin[b] + step, context);
                float most = -1e30f, sum = 0.0f, mix = 0.0f;
#pragma omp simd reduction(max : most)
                for (int p = 0; p <= t; p++)
                    most = fmaxf(most, score[b][p]);
#pragma omp simd reduction(+ : sum, mix)
                for (int p = 0; p <= t; p++) {
                    float e = expf(score[b][p] - most);
                    sum += e;
                    mix += e * k[b][p][i];
                }
                out[b][i] = mix / sum;
                if (i == 0) length[b] += t + longest;
            }
#pragma omp parallel for collapse(2)
        for (int b = 0; b < n; b++)
            for (int i = 0; i < m; i++)
                q[b][i] = 0.9f * q[b][i] + 0.1f * out[b][i];
    }
}
