// Rows of numbers of 16 and of 8 bits times the rows of an array that the step before wrote: runs of two and of four
// vectors in the same copy, and in one of their own.
// test: -i m=12 -i n=512 -i rows=2 -i steps=5 -i w=uniform:lo=-4,hi=4,seed=1 -i z=uniform:lo=-20,hi=20,seed=2 -i x=uniform:lo=0,hi=50,seed=3 -i y=uniform:lo=0,hi=50,seed=4
// check: exact
// dispatches: 1
// barriers: 2 a step
#include <stdint.h>

void staged_rows(int m, int n, int rows, int steps, const int16_t w[m][n], const int8_t z[m][n], int x[rows][n],
                 int y[rows][n]) {
    int sums[m], others[m];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < m; i++) {
            int sum = 0, other = 0;
            for (int r = 0; r < rows; r++) {
#pragma omp simd reduction(+ : sum)
                for (int k = 0; k < n; k++)
                    sum += w[i][k] * x[r][k];
#pragma omp simd reduction(+ : other)
                for (int k = 0; k < n; k++)
                    other += z[i][k] * y[r][k];
#pragma omp simd reduction(+ : other)
                for (int k = 0; k < n; k++)
                    other += z[i][k] * x[r][k];
            }
            sums[i] = sum % 97;
            others[i] = other % 89;
        }
#pragma omp parallel for collapse(2)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < n; k++) {
                x[r][k] = (x[r][k] + sums[k % m] + k) % 53;
                y[r][k] = (y[r][k] + others[(k + t) % m]) % 47;
            }
    }
}
