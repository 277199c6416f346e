// montecarlo_hash.c - pi as in montecarlo_pi.c, with the cheapest generator that is good enough: a hash of the point's
// number.
//
// The hash is that of lib/integer_hash.h: two multiplications a word where Philox has forty for four.
// It is a bijection of 32-bit words, so one run has at most 2^32 points. Counts are integers and the same everywhere.
//
// run: -i workers=4096 -i points=100000 -i seed=1
// test: -i workers=64 -i points=1000 -i seed=1
// check: count exact
// check: estimate rel 1e-6
// dispatches: 1
#include <stdint.h>

#include "../lib/integer_hash.h"

// 1 if the point of this word is in the disc: montecarlo_pi.c.
static uint32_t inside(uint32_t word) {
    uint32_t x = (word >> 16) | 1u, y = (word & 0xffffu) | 1u;
    return x * x + y * y >= x * x ? 1u : 0u;
}

void montecarlo_hash(int workers, int points, uint32_t seed, uint32_t count[workers], float estimate[workers]) {
#pragma omp parallel for
    for (int i = 0; i < workers; i++) {
        uint32_t hits = 0, first = (uint32_t)i * (uint32_t)points + integer_hash(seed);
#pragma omp simd reduction(+ : hits)
        for (int k = 0; k < points; k++)
            hits += inside(integer_hash(first + (uint32_t)k));
        count[i] = hits;
        estimate[i] = 4.0f * (float)hits / (float)points;
    }
}
