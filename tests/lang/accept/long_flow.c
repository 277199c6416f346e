// 64-bit values that decide: comparisons, switch, ?:, loops up to 64-bit bounds, functions, static and global variables.
// test: -i n=48 -i k=uniform:lo=-9000000000000000000,hi=9000000000000000000,seed=1
// check: exact
#include <stdbool.h>
#include <stdint.h>

static uint64_t state = 88172645463325252u;
static const int64_t limits[3] = {-4000000000000000000, 0, 4000000000000000000};

static int rank(int64_t v) {
    int r = 0;
    while (r < 3 && v > limits[r])
        r++;
    return r;
}

static uint64_t gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool next(uint64_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x >> 63;
}

void flow(int n, const int64_t k[n], int out[n][8], uint64_t numbers[n]) {
    for (int i = 0; i < n; i++) {
        next(&state);
        numbers[i] = state;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int64_t v = k[i];
        uint64_t x = numbers[i], lo = (uint64_t)v;
        out[i][0] = rank(v);
        out[i][1] = (int)(gcd(x, lo) % 1000000007u);
        out[i][2] = (v < 0) + (v > 0) * 2 + (v <= -5000000000) * 4 + (v >= 5000000000) * 8 + (x < lo) * 16 + (x == lo) * 32;
        int count = 0;
        for (int64_t at = 4294967290; at < 4294967310; at += 3)
            count += (at & 1) != 0;
        for (uint64_t at = x | 0x8000000000000000u; at; at <<= 7)
            count++;
        out[i][3] = count;
        switch (v >> 62) {
        case -2: out[i][4] = 1; break;
        case -1 ... 0: out[i][4] = 2; break;
        default: out[i][4] = 3;
        }
        switch (i % 3 ? 5000000000 : v) {
        case 5000000000: out[i][5] = 7; break;
        case 705032704: out[i][5] = 8; break;
        default: out[i][5] = 9;
        }
        int64_t chosen = v < 0 ? -(v / 7) : i & 1 ? v % 5000000000 : i;
        out[i][6] = (int)(chosen >> 31);
        bool odd = x, both = x && lo, none = !lo;
        uint64_t y = x;
        while (next(&y) && count < 40)
            count++;
        out[i][7] = odd + both * 2 + none * 4 + count * 8 + (int)(y-- % 3);
    }
}
