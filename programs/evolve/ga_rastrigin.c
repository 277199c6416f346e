// ga_rastrigin.c - a genetic algorithm looks for the minimum of Rastrigin's function: tournament, crossover, mutation
// and elitism, all generations in one run.
//
// Operators: programs/lib/genetic.h; the function: programs/sims/rastrigin.c; fitness is its negative. Generation 0 is
// the population as given; each later one keeps the best individual as number 0 and replaces all others. best[g] is the
// best fitness of generation g, population and fitness are those of the last one. `first` is the number of the
// population given. With known = 1 its fitness is given, too, and not computed again: a run goes on where another
// ended, with its population and fitness, first = its first + gens - 1 and known = 1. The other size that is compared:
// pop=1024 dim=32 gens=1000.
//
// Fitnesses differ in their last bits between compilers, and where two rivals are that close the other one may win:
// from there on two runs are different samples of the same process. What has to agree then is how the best improves (it
// differs by less than 3% between seeds at the large size) and how the population is spread. Until then the genes agree
// bit by bit, as a mutation is exact; and step by step, from the same population and fitnesses, always.
//
// One barrier a generation: children become what others read in the next one, and the partial maxima of their fitnesses
// stand behind the same barrier. Who the best is, every workgroup finds out by looking at all fitnesses itself. A child's
// parents, genes and fitness are one iteration, so that a gene is used where it was made.
//
// run: -i pop=4096 -i dim=2000 -i gens=100 -i first=0 -i known=0 -i seed=1 -i sigma=0.125 -i population=uniform:lo=-5.12,hi=5.12,seed=1
// test: -i pop=48 -i dim=24 -i gens=6 -i first=0 -i known=0 -i seed=1 -i sigma=0.125 -i population=uniform:lo=-5.12,hi=5.12,seed=1
// check: best rel 3e-2
// check: population moments 2e-2
// check: children moments 2e-2
// check: fitness moments 5e-1
// step: gens=2, first=first+gens-1, known=1
// check: population exact teacher
// check: children exact teacher
// check: rel 1e-5 teacher
// dispatches: 1
// barriers: 1 a generation
#include <math.h>

#include "../lib/genetic.h"

#define TWO_PI 6.28318530717958647692f

static float term(float x) { return x * x - 10.0f * cosf(TWO_PI * x); }

void ga_rastrigin(int pop, int dim, int gens, int first, int known, uint32_t seed, float sigma,
                  float population[pop][dim], float children[pop][dim], float fitness[pop], float best[gens]) {
    float fitness2[pop];
    float(*now)[dim] = population, (*next)[dim] = children;
    float *scores = fitness, *next_scores = fitness2;

    float top = -INFINITY;
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < pop; i++) {
        if (!known) {
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int d = 0; d < dim; d++)
                sum += term(population[i][d]);
            fitness[i] = -(10.0f * (float)dim + sum);
        }
        top = fmaxf(top, fitness[i]);
    }
    best[0] = top;

    for (int g = 1; g < gens; g++) {
        int leader = pop;
#pragma omp parallel for reduction(min : leader)
        for (int i = 0; i < pop; i++)
            if (scores[i] == top && i < leader) leader = i;

        uint32_t generation = (uint32_t)(first + g);
        top = -INFINITY;
#pragma omp parallel for reduction(max : top)
        for (int i = 0; i < pop; i++) {
            uint32_t child = (uint32_t)i;
            int mother = leader, father = leader;
            if (i > 0) {
                mother = genetic_tournament(scores, pop, GENETIC_MOTHER, child, generation, seed);
                father = genetic_tournament(scores, pop, GENETIC_FATHER, child, generation, seed);
            }
            float spread = i > 0 ? sigma : 0.0f, sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int d = 0; d < dim; d++) {
                float gene = genetic_gene(now[mother][d], now[father][d], spread, (uint32_t)d, child, generation, seed);
                next[i][d] = gene;
                sum += term(gene);
            }
            next_scores[i] = -(10.0f * (float)dim + sum);
            top = fmaxf(top, next_scores[i]);
        }
        best[g] = top;

        float(*old)[dim] = now;
        now = next;
        next = old;
        float *old_scores = scores;
        scores = next_scores;
        next_scores = old_scores;
    }

    if (gens % 2 == 0) {
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            fitness[i] = fitness2[i];
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
#pragma omp simd
            for (int d = 0; d < dim; d++)
                population[i][d] = children[i][d];
        }
    }
}
