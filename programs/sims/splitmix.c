// splitmix.c - generators of 64-bit random numbers as people have them, each stream with its own state: the statistics of
// xoshiro256** that a long run would show.
//
// A stream is seeded by SplitMix64 (Steele, Lea, Flood, 2014) and runs xoshiro256** (Blackman, Vigna, 2018): additions,
// shifts, rotations and products of 64 bits, which the device computes in two words. The sum of the draws is exact, modulo
// 2^64 as C has it; the jumps of one point of a walk count beyond 32 bits.
//
// run: -i streams=4096 -i draws=1000 -i seed=1
// test: -i streams=64 -i draws=100 -i seed=1
// check: exact
// dispatches: 2
#include <stdint.h>

typedef struct {
    uint64_t s[4];
} generator;

static uint64_t splitmix(uint64_t *x) {
    uint64_t z = (*x += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t rotated(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t next(generator *g) {
    uint64_t result = rotated(g->s[1] * 5, 7) * 9, t = g->s[1] << 17;
    g->s[2] ^= g->s[0];
    g->s[3] ^= g->s[1];
    g->s[1] ^= g->s[2];
    g->s[0] ^= g->s[3];
    g->s[2] ^= t;
    g->s[3] = rotated(g->s[3], 45);
    return result;
}

// last: the last draw of each stream; walk: where each ends; ones: bits that were set; total: sum of the draws, the
// furthest walk, the bits of all streams.
void splitmix64(int streams, int draws, int64_t seed, uint64_t last[streams], int64_t walk[streams],
                uint32_t ones[streams], uint64_t total[3]) {
    uint64_t sum = 0, bits = 0;
    int64_t furthest = 0;
#pragma omp parallel for reduction(+ : sum, bits) reduction(max : furthest)
    for (int i = 0; i < streams; i++) {
        generator g;
        uint64_t x = (uint64_t)seed * 0x100000001B3u + (uint64_t)i, drawn = 0, set = 0;
        int64_t at = 0;
        for (int k = 0; k < 4; k++)
            g.s[k] = splitmix(&x);
        for (int k = 0; k < draws; k++) {
            drawn = next(&g);
            sum += drawn;
            set += (uint64_t)__builtin_popcountll(drawn);
            at += (int64_t)(drawn >> 28) - (INT64_C(1) << 35); // a step of 36 bits to either side
        }
        last[i] = drawn;
        walk[i] = at;
        ones[i] = (uint32_t)set;
        bits += set;
        if (at > furthest) furthest = at;
    }
    total[0] = sum;
    total[1] = (uint64_t)furthest;
    total[2] = bits;
}
