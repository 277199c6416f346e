// The high 32 bits of a product of two 32-bit numbers, as counter-based random number generators write it.
// test: -i n=64
// check: exact
#include <stdint.h>

static uint32_t high(uint32_t a, uint32_t b) {
    return (uint32_t)(((uint64_t)a * b) >> 32);
}

void products(int n, uint32_t out[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint32_t x = (uint32_t)i * 2654435761u;
        out[i][0] = high(x, 0xD2511F53u);
        uint64_t p = (uint64_t)x * 0xCD9E8D57u;
        out[i][1] = (uint32_t)(p >> 32);
        out[i][2] = (uint32_t)p;
    }
}
