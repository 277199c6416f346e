// The 128 bits of a product of two 64-bit numbers, in two words, and a product modulo a number that has less than 63 bits.
// test: -i n=200
// check: exact
#include <stdint.h>

static uint64_t upper_half(uint64_t a, uint64_t b) {
    const uint64_t low = UINT32_MAX;
    uint64_t middle = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    uint64_t other = (a & low) * (b >> 32) + (middle & low);
    return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

static uint64_t modulo(uint64_t a, uint64_t b, uint64_t m) {
    uint64_t sum = 0;
    for (int k = 63; k >= 0; k--) {
        sum = sum + sum >= m ? sum + sum - m : sum + sum;
        if (b >> k & 1) sum = sum + a >= m ? sum + a - m : sum + a;
    }
    return sum;
}

void products(int n, uint64_t upper[n], uint64_t lower[n], uint64_t rest[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint64_t a = 0x9e3779b97f4a7c15u * (uint64_t)(i + 1), b = a * a + 12345;
        upper[i] = upper_half(a, b);
        lower[i] = a * b;
        rest[i] = modulo(a % 1000000000000000003u, b % 1000000000000000003u, 1000000000000000003u);
    }
}
