// Matrices of narrow numbers times a vector that the step before wrote, rows of it written by simd loops, the same rows read again.
// test: -i n=96 -i steps=5 -i w=uniform:lo=-20,hi=20,seed=1 -i bias=uniform:lo=0,hi=9,seed=2 -i x=uniform:lo=0,hi=50,seed=3
// check: exact
// dispatches: 1
// barriers: 2 a step
#include <stdint.h>

enum { COLUMNS = 64 };

void rows_again(int n, int steps, const int8_t w[2][n][n], const uint8_t bias[n][COLUMNS], int x[n],
                int table[n][COLUMNS]) {
    int y[n];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += w[t % 2][i][k] * x[k];
            y[i] = sum % 101;
#pragma omp simd
            for (int k = 0; k < COLUMNS; k++)
                table[i][k] = sum % 13 + bias[i][k];
        }
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int sum = 0, all = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < COLUMNS; k++)
                sum += table[i][k] * bias[i][k];
#pragma omp simd reduction(+ : all)
            for (int k = 0; k < n; k++)
                all += y[k];
            x[i] = (y[i] + sum % 7 + all % 5) % 53;
        }
    }
}
