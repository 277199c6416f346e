// The bytes of a word the other way round.
// test: -i n=5 -i k=5,-5000000000,9223372036854775807,81985529216486895,-1
// check: exact
#include <stdint.h>

void turned(int n, const int64_t k[n], uint64_t longs[n], uint32_t words[n], uint16_t shorts[n], int64_t sums[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint64_t u = (uint64_t)k[i];
        longs[i] = __builtin_bswap64(u);
        words[i] = __builtin_bswap32((uint32_t)u + 1u);
        shorts[i] = __builtin_bswap16((uint16_t)(u >> 3));
        // of numbers with a sign, and in expressions of other types
        sums[i] = __builtin_bswap16(k[i]) - (int64_t)__builtin_bswap32(k[i]) * 3 + (int16_t)__builtin_bswap16(0x80 + i);
        sums[i] += (int64_t)__builtin_bswap64(__builtin_bswap64(u) >> 8) + (__builtin_bswap16(0x0180) == 0x8001);
    }
}
