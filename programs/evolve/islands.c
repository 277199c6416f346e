// islands.c - populations on many islands look for the minimum of Rastrigin's function, each by itself; every few
// generations the champion of each visits the next island.
//
// Source: the island model of genetic algorithms (R. Tanese 1989; D. Whitley, S. Rana, R. Heckendorn 1999), islands in
// a ring. Operators: programs/lib/genetic.h; the function: programs/sims/rastrigin.c; fitness is its negative. On each
// island individual 0 is a copy of the champion; in generations that `every` divides, individual 1 is a copy of the
// champion of the island before. best[g] is the best fitness of all in generation g; population and fitness are those
// of the last one. `first` is the number of the population given. With known = 1 its fitness is given, too, and not
// computed again: a run goes on where another ended, with its population and fitness, first = its first + gens - 1 and
// known = 1.
//
// Tournaments between rivals whose fitnesses agree but for their last bits go either way under different compilers;
// from there on two runs are different samples of the same process, and what has to agree is how the best improves and
// how the populations are spread. Until then the genes agree bit by bit; and step by step, from the same populations
// and fitnesses, always.
//
// Two barriers a generation: champions need the fitnesses of all of their island; children need the champions, also the
// neighbour's. Genes and fitnesses lie in pairs of arrays, so that nobody overwrites what others still read.
//
// run: -i islands=64 -i size=64 -i dim=32 -i gens=500 -i first=0 -i known=0 -i every=10 -i seed=1 -i sigma=0.0625 -i population=uniform:lo=-5.12,hi=5.12,seed=1
// test: -i islands=6 -i size=12 -i dim=10 -i gens=8 -i first=0 -i known=0 -i every=3 -i seed=1 -i sigma=0.0625 -i population=uniform:lo=-5.12,hi=5.12,seed=1
// check: best rel 2e-1
// check: population moments 5e-2
// check: children moments 5e-2
// check: fitness moments 5e-1
// step: gens=2, first=first+gens-1, known=1
// check: population exact teacher
// check: children exact teacher
// check: rel 1e-5 teacher
// dispatches: 1
// barriers: 2 a generation
#include <math.h>

#include "../lib/genetic.h"

#define TWO_PI 6.28318530717958647692f

static float term(float x) { return x * x - 10.0f * cosf(TWO_PI * x); }

// The number of the best on each island; returns the fitness of the best of all.
static float crown(int islands, int size, const float fitness[islands][size], int champion[islands]) {
    float top = -INFINITY;
#pragma omp parallel for reduction(max : top)
    for (int l = 0; l < islands; l++) {
        float high = -INFINITY;
#pragma omp simd reduction(max : high)
        for (int i = 0; i < size; i++)
            high = fmaxf(high, fitness[l][i]);
        int who = size;
#pragma omp simd reduction(min : who)
        for (int i = 0; i < size; i++)
            if (fitness[l][i] == high && i < who) who = i;
        champion[l] = who;
        top = fmaxf(top, high);
    }
    return top;
}

void islands(int islands, int size, int dim, int gens, int first, int known, int every, uint32_t seed, float sigma,
             float population[islands][size][dim], float children[islands][size][dim], float fitness[islands][size],
             float best[gens]) {
    float fitness2[islands][size];
    int champion[islands]; // the best of each island
    float(*now)[size][dim] = population, (*next)[size][dim] = children;
    float(*scores)[size] = fitness, (*next_scores)[size] = fitness2;

#pragma omp parallel for collapse(2)
    for (int l = 0; l < islands; l++)
        for (int i = 0; i < size; i++) {
            if (!known) {
                float sum = 10.0f * (float)dim;
                for (int d = 0; d < dim; d++)
                    sum += term(population[l][i][d]);
                fitness[l][i] = -sum;
            }
        }
    best[0] = crown(islands, size, fitness, champion);

    for (int g = 1; g < gens; g++) {
#pragma omp parallel for collapse(2)
        for (int l = 0; l < islands; l++)
            for (int i = 0; i < size; i++) {
                uint32_t child = (uint32_t)(l * size + i), generation = (uint32_t)(first + g);
                int from = l; // island
                int mother, father;
                float spread = sigma;
                if (i == 0 || (i == 1 && (first + g) % every == 0)) {
                    if (i == 1) from = l > 0 ? l - 1 : islands - 1;
                    mother = father = champion[from];
                    spread = 0.0f;
                } else {
                    mother = genetic_tournament(scores[l], size, GENETIC_MOTHER, child, generation, seed);
                    father = genetic_tournament(scores[l], size, GENETIC_FATHER, child, generation, seed);
                }
                float sum = 10.0f * (float)dim;
                for (int d = 0; d < dim; d++) {
                    float gene = genetic_gene(now[from][mother][d], now[from][father][d], spread, (uint32_t)d, child,
                                              generation, seed);
                    next[l][i][d] = gene;
                    sum += term(gene);
                }
                next_scores[l][i] = -sum;
            }

        float(*old)[size][dim] = now;
        now = next;
        next = old;
        float(*old_scores)[size] = scores;
        scores = next_scores;
        next_scores = old_scores;
        best[g] = crown(islands, size, scores, champion);
    }

    if (gens % 2 == 0) {
#pragma omp parallel for collapse(2)
        for (int l = 0; l < islands; l++)
            for (int i = 0; i < size; i++) {
                for (int d = 0; d < dim; d++)
                    population[l][i][d] = children[l][i][d];
                fitness[l][i] = fitness2[l][i];
            }
    }
}
