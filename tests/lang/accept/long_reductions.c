// Reductions of 64-bit integers that need more than 32 bits: every operator, of a loop, of a region's loops, several at once.
// test: -i n=300 -i m=3 -i k=uniform:lo=-9000000000000000000,hi=9000000000000000000,seed=1
// check: exact
#include <stdint.h>

void reductions(int n, int m, const int64_t k[n], int64_t s[8], uint64_t u[8], int64_t rows[m]) {
    int64_t sum = 5, product = 1, least = INT64_MAX, most = INT64_MIN, more = 0, steps = 0;
    uint64_t all = UINT64_MAX, any = 0, odd = 0, low = UINT64_MAX, high = 0, hash = 0;
#pragma omp parallel for reduction(+ : sum, hash) reduction(* : product) reduction(min : least, low) reduction(max : most, high)
    for (int i = 0; i < n; i++) {
        sum += k[i] / 3;
        hash += ((uint64_t)k[i] ^ ((uint64_t)k[i] >> 29)) * 0xBF58476D1CE4E5B9u;
        product *= k[i] | 1;
        if (k[i] < least) least = k[i];
        most = k[i] > most ? k[i] : most;
        low = (uint64_t)k[i] < low ? (uint64_t)k[i] : low;
        if (high < (uint64_t)k[i]) high = (uint64_t)k[i];
    }
#pragma omp parallel for reduction(& : all) reduction(| : any) reduction(^ : odd)
    for (int i = 0; i < n; i++) {
        all &= (uint64_t)k[i] | 0x8000000100000000u;
        any |= (uint64_t)k[i] & 0x0F0F0F0F0F0F0F0Fu;
        odd ^= (uint64_t)k[i];
    }
#pragma omp parallel reduction(+ : more)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            more += k[i] >> 9;
#pragma omp for
        for (int i = n - 1; i >= 0; i -= 2)
            more -= k[i] >> 7;
    }
    for (int t = 0; t < m; t++) {
        int64_t row = t;
#pragma omp parallel for collapse(2) reduction(+ : row, steps)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 10; j++) {
                row += k[10 * i + j] >> (t + 4);
                steps += 40000000;
            }
        rows[t] = row;
    }
    s[0] = sum;
    s[1] = product;
    s[2] = least;
    s[3] = most;
    s[4] = more;
    s[5] = steps;
    u[0] = all;
    u[1] = any;
    u[2] = odd;
    u[3] = low;
    u[4] = high;
    u[5] = hash;
}
