// Rows of numbers of 16 and of 8 bits times vectors that the step before wrote: two and four vectors of workgroup memory a row's run.
// test: -i m=12 -i n=512 -i steps=5 -i w=uniform:lo=-4,hi=4,seed=1 -i z=uniform:lo=-20,hi=20,seed=2 -i x=uniform:lo=0,hi=50,seed=3 -i y=uniform:lo=0,hi=50,seed=4
// check: exact
// dispatches: 1
// barriers: 2 a step
#include <stdint.h>

void staged_runs(int m, int n, int steps, const int16_t w[m][n], const int8_t z[m][n], int x[n], int y[n]) {
    int sums[m], others[m];
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < m; i++) {
            int sum = 0, other = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += w[i][k] * x[k];
#pragma omp simd reduction(+ : other)
            for (int k = 0; k < n; k++)
                other += z[i][k] * y[k];
            sums[i] = sum % 97;
            others[i] = other % 89;
        }
#pragma omp parallel for
        for (int k = 0; k < n; k++) {
            x[k] = (x[k] + sums[k % m] + k) % 53;
            y[k] = (y[k] + others[(k + t) % m]) % 47;
        }
    }
}
