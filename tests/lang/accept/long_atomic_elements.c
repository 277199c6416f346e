// `atomic` and `critical` that add to elements of arrays of 64-bit integers, or combine them by & | ^: of parameters, of the
// program's own arrays, of struct members, scalars in memory; carries in both directions; reductions of such arrays.
// test: -i n=3000 -i x=uniform:lo=-2000000000,hi=2000000000,seed=5
// check: exact
#include <stdint.h>

struct cell {
    int64_t sum;
    uint64_t bits;
};

void update(int n, const int x[n], int64_t sums[7], uint64_t table[3][5], uint64_t bits[4], struct cell cells[3],
            int64_t out[16]) {
    int64_t own[5] = {1, -1, INT64_MAX / 2, INT64_MIN / 2, 0};
    static uint64_t count[4];
    uint64_t reduced[3] = {1, 2, 3};
    int64_t low = -5;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        sums[i % 7] += x[i];
#pragma omp atomic
        sums[(i + 3) % 7] -= (int64_t)x[i] * 3000000019;
#pragma omp atomic
        table[i % 3][i % 5] += (uint64_t)x[i] << 20;
        if (x[i] > 0) {
#pragma omp atomic
            bits[i & 1] ^= (uint64_t)x[i] * 0x9E3779B97F4A7C15u;
#pragma omp atomic
            bits[2] |= (uint64_t)1 << (x[i] % 61);
        }
#pragma omp atomic
        bits[3] &= ~((uint64_t)1 << (i % 67 % 64));
#pragma omp critical
        {
            cells[i % 3].sum = cells[i % 3].sum - (uint64_t)x[i];
            cells[(i + 1) % 3].bits ^= (uint64_t)i << 40;
        }
#pragma omp atomic
        own[i % 5]--;
#pragma omp atomic
        own[x[i] & 3] += x[i];
    }
#pragma omp parallel for reduction(+ : reduced, sums[:7]) reduction(^ : bits[1 : 2])
    for (int i = 0; i < n; i++) {
        reduced[i % 3] += (uint64_t)x[i] * 77777777u;
        sums[i % 7]--;
        bits[1 + i % 2] ^= (uint64_t)x[i] << 13;
#pragma omp atomic
        count[i & 3]++;
        for (int k = 0; k < 3; k++) {
#pragma omp atomic
            low -= (int64_t)x[i] * i;
        }
    }
    for (int k = 0; k < 5; k++)
        out[k] = own[k];
    for (int k = 0; k < 4; k++)
        out[5 + k] = (int64_t)count[k];
    for (int k = 0; k < 3; k++)
        out[9 + k] = (int64_t)reduced[k];
    out[12] = low;
}
