// & | ^ ~ and shifts of int and unsigned, masks, rotations, counting bits by hand.
// test: -i n=64
// check: exact
#include <stdint.h>

static uint32_t rotate(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

static int bits(uint32_t x) {
    int count = 0;
    for (; x; x &= x - 1u)
        count++;
    return count;
}

void bitwise(int n, uint32_t out[n][6]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint32_t h = (uint32_t)i + 1u;
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        out[i][0] = h;
        out[i][1] = rotate(h, 7) ^ ~h;
        out[i][2] = (uint32_t)bits(h);
        out[i][3] = h >> 8 & 0xff;
        out[i][4] = (uint32_t)(~i & 0x0f) | 1u << (i % 32);
        out[i][5] = (uint32_t)(-i >> 2);
    }
}
