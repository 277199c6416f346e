// sparse_rows.c - Jacobi's iteration with a sparse matrix in compressed rows (CSR).
//
// Source: C. G. J. Jacobi, 1845. Rows have between `least` and `least + 15` elements, by a hash; the diagonal outweighs them.
//
// run: -i n=200000 -i steps=50 -i least=8 -i b=normal:seed=1
// test: -i n=300 -i steps=6 -i least=3 -i b=normal:seed=1
// check: abs 1e-5
// dispatches: 1
// barriers: 1 a step
#include "../lib/integer_hash.h"

void sparse_rows(int n, int steps, int least, const float b[n], float x[n]) {
    int start[n + 1], column[n * (least + 16)];
    float value[n * (least + 16)], next[n];
#pragma omp parallel for
    for (int i = 0; i <= n; i++)
        start[i] = i * (least + 8);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int k = start[i]; k < start[i + 1]; k++) {
            column[k] = (int)(integer_hash((unsigned)k) % (unsigned)n);
            value[k] = (float)(integer_hash((unsigned)k * 3u + 1u) >> 8) / 16777216.0f - 0.5f;
        }
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = b[i];
            for (int k = start[i]; k < start[i + 1]; k++)
                sum -= value[k] * x[column[k]];
            next[i] = sum / (float)(least + 8);
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = next[i];
    }
}
