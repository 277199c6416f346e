// Rows that ask some keys, each row another number of them, on lanes of a subgroup, in several rounds.
//
// dispatches: 1
// barriers: 1 in all
// run: -i n=40000 -i q=normal:seed=1 -i k=normal:seed=2
// test: -i n=9000 -i q=normal:seed=1 -i k=normal:seed=2
#include <math.h>

#define D 32
#define KEYS 20

void uneven_rows(int n, const float q[n][D], const float k[KEYS][D], float out[n][D], int asked[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float acc[D] = {0}, sum = 0;
        int count = 0;
        for (int j = 0; j <= i % KEYS; j++) {
            float s = 0;
            for (int d = 0; d < D; d++)
                s += q[i][d] * k[j][d];
            float p = expf(0.1f * s);
            sum += p;
            count += s > 0;
            for (int d = 0; d < D; d++)
                acc[d] += p * k[j][d];
        }
        for (int d = 0; d < D; d++)
            out[i][d] = acc[d] / sum;
        asked[i] = i % KEYS + 1 + 100 * (count > 0);
    }
    // all of them again, behind a barrier
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        out[i][0] += out[n - 1 - i][1];
}
