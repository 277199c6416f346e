// integer_hash.h - a 32-bit word from a 32-bit word, each bit of which depends on all of the other: cheap random numbers
// of a counter, and places in tables.
//
// Source: C. Wellons' lowbias32 (hash-prospector, 2018): two multiplications a word, and no two words give the same one.
// Streams that have to be independent need philox.h.
#ifndef INTEGER_HASH_H
#define INTEGER_HASH_H

#include <stdint.h>

static inline uint32_t integer_hash(uint32_t word) {
    word = (word ^ word >> 16) * 0x7FEB352Du;
    word = (word ^ word >> 15) * 0x846CA68Bu;
    return word ^ word >> 16;
}

#endif
