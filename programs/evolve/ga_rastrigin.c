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
// Four barriers a generation: the best needs the fitnesses of all; parents need them and the number of the best; genes,
// which the grid shares element by element, need the parents of their row; a fitness needs all genes of its row. The
// partial maxima share the first barrier with the fitnesses.
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
// barriers: 4 a generation
#include <math.h>

#include "../lib/genetic.h"

#define TWO_PI 6.28318530717958647692f

// Fills in the fitnesses, unless they are known, and returns the best.
static float evaluate(int pop, int dim, int known, const float x[pop][dim], float fitness[pop]) {
    float top = -INFINITY;
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < pop; i++) {
        if (!known) {
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int d = 0; d < dim; d++)
                sum += x[i][d] * x[i][d] - 10.0f * cosf(TWO_PI * x[i][d]);
            fitness[i] = -(10.0f * (float)dim + sum);
        }
        top = fmaxf(top, fitness[i]);
    }
    return top;
}

void ga_rastrigin(int pop, int dim, int gens, int first, int known, uint32_t seed, float sigma,
                  float population[pop][dim], float children[pop][dim], float fitness[pop], float best[gens]) {
    int parents[pop][2];
    float(*now)[dim] = population, (*next)[dim] = children;
    float top = evaluate(pop, dim, known, now, fitness);
    best[0] = top;

    for (int g = 1; g < gens; g++) {
        int leader = pop;
#pragma omp parallel for reduction(min : leader)
        for (int i = 0; i < pop; i++)
            if (fitness[i] == top && i < leader) leader = i;

        uint32_t generation = (uint32_t)(first + g);
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            uint32_t child = (uint32_t)i;
            parents[i][0] = i == 0 ? leader : genetic_tournament(fitness, pop, GENETIC_MOTHER, child, generation, seed);
            parents[i][1] = i == 0 ? leader : genetic_tournament(fitness, pop, GENETIC_FATHER, child, generation, seed);
        }
#pragma omp parallel for collapse(2)
        for (int i = 0; i < pop; i++)
            for (int d = 0; d < dim; d++)
                next[i][d] = genetic_gene(now[parents[i][0]][d], now[parents[i][1]][d], i == 0 ? 0.0f : sigma,
                                          (uint32_t)d, (uint32_t)i, generation, seed);
        float(*old)[dim] = now;
        now = next;
        next = old;

        top = evaluate(pop, dim, 0, now, fitness);
        best[g] = top;
    }

    if (gens % 2 == 0) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < pop; i++)
            for (int d = 0; d < dim; d++)
                population[i][d] = children[i][d];
    }
}
