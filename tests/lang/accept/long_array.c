// Arrays of 64-bit integers that are passed, local ones, and ones of the entry; in structs, and through pointers.
// test: -i n=40 -i x=uniform:lo=-9000000000000000000,hi=9000000000000000000,seed=1 -i y=uniform:lo=0,hi=18446744073709551616,seed=2
// check: exact
#include <stdint.h>
#include <string.h>

typedef struct {
    int64_t total;
    uint32_t hits;
    uint64_t mask;
    float part;
} cell;

static const uint64_t keys[4] = {0x9E3779B97F4A7C15u, 1, 0xFFFFFFFFFFFFFFFFu, 0x8000000000000000u};

static void twice(uint64_t *word) { *word += *word; }

void f(int n, const int64_t x[n], uint64_t y[n], long out[n][3], cell c[n], uint64_t bytes[n][2]) {
    uint64_t scratch[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        scratch[i] = (uint64_t)x[i] * 3u;
        c[i].total = x[i] + 5000000000;
        c[i].hits = (uint32_t)i;
        c[i].mask = ~(uint64_t)i << 40;
        c[i].part = 0.5f;
        memset(bytes[i], 0xA5, sizeof bytes[i]);
        if (i % 3 == 0) memset(bytes[i], 0, sizeof bytes[i]);
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint64_t local[5], copy[5];
        for (int k = 0; k < 5; k++)
            local[k] = keys[k % 4] ^ scratch[(i + k) % n];
        memcpy(copy, local, sizeof copy);
        twice(&copy[i % 5]);
        y[i] ^= copy[4] + copy[i % 5];
        cell one = c[(i + 1) % n];
        one.total -= 1;
        const int64_t *from = i & 1 ? x : &x[n / 2];
        out[i][0] = from[i % (n / 2)] < 0 ? one.total : x[i];
        out[i][1] = from[1] >> 5;
        out[i][2] = (long)(one.mask >> 8);
    }
}
