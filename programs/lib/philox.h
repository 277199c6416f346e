// philox.h - random numbers without state: Philox 4x32 with 10 rounds, and exact uniform and normal floats made of its
// words.
//
// Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A
// block of four words is a function of a counter (four words: who, when, which ...) and a key (two words: the seed), so
// that every individual, step and draw names its own numbers and the order of evaluation cannot matter. All arithmetic
// is on 32-bit integers; the one operation on floats at the end of each conversion is exact. The same counter therefore
// gives the same bits under every compiler and on every GPU.
#ifndef PHILOX_H
#define PHILOX_H

#include <stdint.h>

#include "normal_table.h"

#define PHILOX_ROUNDS 10

struct philox {
    uint32_t x, y, z, w;
};

static inline uint32_t philox_mulhi(uint32_t a, uint32_t b) { return (uint32_t)(((uint64_t)a * b) >> 32); }

// The block of counter (c0, c1, c2, c3) under key (k0, k1).
static inline struct philox philox4x32(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1) {
    struct philox c = {c0, c1, c2, c3};
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        struct philox next;
        next.x = philox_mulhi(0xCD9E8D57u, c.z) ^ c.y ^ k0;
        next.y = 0xCD9E8D57u * c.z;
        next.z = philox_mulhi(0xD2511F53u, c.x) ^ c.w ^ k1;
        next.w = 0xD2511F53u * c.x;
        c = next;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

// [0, 1) in steps of 2^-24: every value is a float, so nothing is rounded.
static inline float philox_uniform01(uint32_t word) { return (float)(word >> 8) * 0x1p-24f; }

// Standard normal: the inverse distribution function at the middle of the word's cell of width 2^-32. The top bit is
// the sign, the other 31 give the tail probability p = (2 v + 1) / 2^33. The leading one of 2 v + 1 names the octave of
// p, the next 3 bits the cell in it, the rest is t, the place in the cell; normal_table.h holds a cubic in t for each
// cell. The result is a multiple of 2^-21 below 6.34, which a float holds exactly. Against the exact quantile of the
// same p: |error| <= 4.0e-7 in the value (half a step of 2^-21 is 2.4e-7), <= 1.3e-7 in the distribution function
// (tests/unit/philox_test.c asserts both).
static inline float philox_normal01(uint32_t word) {
    uint32_t w = (word << 1) | 1u;
    uint32_t octave = (uint32_t)__builtin_clz(w); // of gcc and clang; w is never 0
    w <<= octave;
    uint32_t cell = octave * 8u + ((w >> 28) & 7u);
    uint32_t t = w << 4;
    uint32_t z = normal_table[cell][2] - philox_mulhi(t, normal_table[cell][3]);
    z = normal_table[cell][1] - philox_mulhi(t, z);
    z = normal_table[cell][0] - philox_mulhi(t, z);
    float magnitude = (float)((z + 64u) >> 7) * 0x1p-21f;
    return word >> 31 ? -magnitude : magnitude;
}

#endif
