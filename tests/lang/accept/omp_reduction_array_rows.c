// Reductions of arrays by operators that no atomic operation has: of floats by min, max and *, of integers by *, of 64-bit integers
// by min, max and *; the loop may use its copy in any way. Critical sections that keep the least of 64-bit integers.
// test: -i n=4000 -i x=uniform:lo=-1000,hi=1000,seed=4
// check: rel 1e-5
#include <math.h>

void reduce(int n, const float x[n], float low[7], float high[2][3], float scale[4], int odd[3], long most[5],
            long words[3], long least[4], float copy[2]) {
    float seen[2] = {0};
#pragma omp parallel for reduction(min : low[:7]) reduction(max : high[:2][:3]) reduction(* : scale[:4], odd[:3])
    for (int i = 0; i < n; i++) {
        low[i % 7] = fminf(low[i % 7], x[i]);
        float *row = high[i & 1];
        for (int k = 0; k < 3; k++)
            if (row[k] < x[i] * (float)k)
                row[k] = x[i] * (float)k;
        scale[i % 4] *= 1.0f + x[i] * 1e-6f;
        odd[i % 3] *= 2 * i + 1;
    }
#pragma omp parallel for reduction(max : most[:5]) reduction(* : words[:3]) reduction(+ : seen)
    for (int i = 0; i < n; i++) {
        long v = (long)x[i] * 12345678901 + i;
        most[i % 5] = most[i % 5] < v ? v : most[i % 5];
        words[i % 3] *= (2l * i + 1) * 4294967297;
        seen[i % 2] += 1.0f;
#pragma omp critical
        if (v < least[i & 3])
            least[i & 3] = v;
    }
    copy[0] = seen[0];
    copy[1] = seen[1];
}
