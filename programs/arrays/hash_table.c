// hash_table.c - keys are put into a table with open addresses, many at once, and looked up again.
//
// Source: linear probing (W. W. Peterson, "Addressing for random-access storage", 1957). A key takes a free place by
// comparing and exchanging. Which of several keys is first at a place differs from run to run; which places are taken
// does not.
//
// run: -i keys=1000000 -i bits=21 -i seed=1
// test: -i keys=300 -i bits=9 -i seed=1
// check: exact
// dispatches: 1
// barriers: 3 in all
#include <stdint.h>

#include "../lib/integer_hash.h"

void hash_table(int keys, int bits, uint32_t seed, int used[1 << bits], int found[keys], int taken[1]) {
    uint32_t table[1 << bits];
    uint32_t mask = (1u << bits) - 1u;
#pragma omp parallel for
    for (int i = 0; i < 1 << bits; i++)
        table[i] = 0;
#pragma omp parallel for
    for (int k = 0; k < keys; k++) {
        uint32_t key = integer_hash((uint32_t)k + seed) | 1u;
        uint32_t place = integer_hash(key) & mask;
        for (uint32_t tries = 0; tries <= mask; tries++) {
            uint32_t old;
#pragma omp atomic compare capture
            {
                old = table[place];
                if (table[place] == 0u) {
                    table[place] = key;
                }
            }
            if (old == 0u || old == key) break;
            place = (place + 1u) & mask;
        }
    }
    int count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < 1 << bits; i++) {
        used[i] = table[i] != 0u;
        count += used[i];
    }
    taken[0] = count;
#pragma omp parallel for
    for (int k = 0; k < keys; k++) {
        uint32_t key = integer_hash((uint32_t)k + seed) | 1u;
        uint32_t place = integer_hash(key) & mask;
        while (table[place] != key && table[place] != 0u)
            place = (place + 1u) & mask;
        found[k] = table[place] == key;
    }
}
