// What the library and the compilers have for 64-bit integers: printf, assert, absolute values, bits.
// test: -i n=6 -i k=5,-5000000000,9223372036854775807,-9223372036854775807,4294967296,-1
// check: exact
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void library(int n, const int64_t k[n], int64_t y[n][2], int bits[n][4]) {
    for (int i = 0; i < n; i++) {
        uint64_t u = (uint64_t)k[i];
        printf("%ld %lu %llx %20lld|%-20" PRId64 "|%d %s %.1f\n", (long)k[i], (unsigned long)u, (unsigned long long)u,
               (long long)k[i] / 3, k[i] ^ 1, i, "text", 0.5f * (float)i);
        assert(k[i] != 4294967297);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint64_t u = (uint64_t)k[i];
        y[i][0] = llabs(k[i]);
        y[i][1] = labs(k[i] >> 40) + abs(i - 3);
        bits[i][0] = __builtin_popcountll(u);
        bits[i][1] = __builtin_clzll(u >> 3 | 1);
        bits[i][2] = __builtin_ctzll(u << 33 | 1ull << 63);
        bits[i][3] = __builtin_ctzl(u) + __builtin_popcountl(u >> 35);
        printf("%d: %lld\n", i, (long long)y[i][0]);
    }
}
