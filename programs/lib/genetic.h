// genetic.h - the operators of a genetic algorithm on vectors of floats: tournament of three, uniform crossover,
// gaussian mutation of every gene.
//
// All random numbers are Philox blocks, counted by (what, individual, generation, stream) under the key of the seed, so
// no order of evaluation matters; four genes share a block. Where `sigma` is a power of two, sigma times a normal number is exact (it has at most
// 24 bits), and a gene is rounded once with and without fused multiply-add: given the same parents, children have the
// same bits everywhere.
#ifndef GENETIC_H
#define GENETIC_H

#include "philox.h"

enum { GENETIC_MOTHER, GENETIC_FATHER };       // `what` of the stream of tournaments
enum { GENETIC_SELECT = 1, GENETIC_GENE = 2 }; // streams; that of genes counts fours of them by `what`

// The best of three individuals in [0, count) that are drawn with replacement. Of equals it is the first drawn.
static inline int genetic_tournament(const float *fitness, int count, uint32_t who, uint32_t child, uint32_t generation,
                                     uint32_t seed) {
    struct philox r = philox4x32(who, child, generation, GENETIC_SELECT, seed, 0);
    int winner = (int)philox_mulhi(r.x, (uint32_t)count);
    int second = (int)philox_mulhi(r.y, (uint32_t)count), third = (int)philox_mulhi(r.z, (uint32_t)count);
    float most = fitness[winner], other = fitness[second], last = fitness[third];
    if (other > most) {
        winner = second;
        most = other;
    }
    return last > most ? third : winner;
}

// A gene of a child: its mother's or its father's, and a normal number of deviation sigma added. The last bit of its word
// chooses the parent, the others make the number.
static inline float genetic_gene(float mothers, float fathers, float sigma, uint32_t gene, uint32_t child,
                                 uint32_t generation, uint32_t seed) {
    struct philox r = philox4x32(gene / 4u, child, generation, GENETIC_GENE, seed, 0);
    uint32_t part = gene % 4u, word = part == 0u ? r.x : part == 1u ? r.y : part == 2u ? r.z : r.w;
    return (word & 1u ? mothers : fathers) + sigma * philox_normal01(word & ~1u);
}

#endif
