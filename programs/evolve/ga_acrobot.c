// ga_acrobot.c - policies that swing up the Acrobot are bred from nothing: selection, crossover, mutation and the
// rollouts of the whole population, all generations in one run.
//
// Physics, policy and reward: programs/lib/acrobot.h, acrobot_policy.h; operators: genetic.h. Generation 0 is the
// population as given, by default all weights 0, whose arm hangs still (fitness -0.5). Each later one keeps the best
// individual as number 0 and replaces all others. best[g] is the best fitness of generation g; population and fitness
// are those of the last one, policy its best individual. `first` is the number of the population given. With known = 1
// its fitness is given, too, and not computed again: a run goes on where another ended, with its population and
// fitness, first = its first + gens - 1 and known = 1.
//
// With the default sizes the tip is above the line in 125 of the 500 steps (fitness 125) in generation 1 and in 150 by
// generation 10, for each of the seeds 1 to 6 on the CPU: solved within the 20 generations of the default.
// With 64 policies it is above the line in at least 98 by generation 3 for each of 20 seeds on SwiftShader and 20 by cc
// (tests/evolve.sh).
//
// The double pendulum is chaotic (programs/sims/acrobot.c), selection more so: runs of two correct compilers are
// different samples of the same process soon after the first swing-ups. What has to agree is how the best improves and
// how the weights are spread; and step by step, from the same population and fitnesses, all genes bit by bit.
// Fitnesses from the same genes: none or a few of 64 differ after 120 steps, 16% of 1,024 after 500.
//
// A child is evaluated by who bred it, so its genes need no barrier. Two barriers a generation: the first after the
// fitnesses, with the partial maxima of the best; the second after the number of the best, which child 0 copies.
// Population and fitnesses lie in pairs of arrays, so that nobody overwrites what others still read.
//
// run: -i pop=4096 -i gens=20 -i steps=500 -i first=0 -i known=0 -i seed=1 -i sigma=0.125
// test: -i pop=64 -i gens=4 -i steps=120 -i first=0 -i known=0 -i seed=1 -i sigma=0.125
// check: best rel 2e-1
// check: population moments 5e-2
// check: children moments 5e-2
// check: fitness moments 5e-1
// check: policy moments 5e-1
// step: gens=2, first=first+gens-1, known=1
// check: population exact teacher
// check: children exact teacher
// check: fitness abs 1e-3 except 25% teacher
// check: best rel 2e-1 teacher
// check: policy moments 5e-1 teacher
// dispatches: 1
// barriers: 2 a generation
#include <math.h>

#include "../lib/acrobot_policy.h"
#include "../lib/genetic.h"

void ga_acrobot(int pop, int gens, int steps, int first, int known, uint32_t seed, float sigma,
                float population[pop][ACROBOT_WEIGHTS], float children[pop][ACROBOT_WEIGHTS], float fitness[pop],
                float best[gens], float policy[ACROBOT_WEIGHTS]) {
    float fitness2[pop];
    float(*now)[ACROBOT_WEIGHTS] = population, (*next)[ACROBOT_WEIGHTS] = children;
    float *scores = fitness, *next_scores = fitness2;

    float top = -INFINITY;
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < pop; i++) {
        if (!known) fitness[i] = acrobot_episode(population[i], steps);
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
            float w[ACROBOT_WEIGHTS];
            for (int k = 0; k < ACROBOT_WEIGHTS; k++) {
                w[k] = genetic_gene(now[mother][k], now[father][k], i > 0 ? sigma : 0.0f, (uint32_t)k, child,
                                    generation, seed);
                next[i][k] = w[k];
            }
            float score = acrobot_episode(w, steps);
            next_scores[i] = score;
            top = fmaxf(top, score);
        }
        best[g] = top;

        float(*old)[ACROBOT_WEIGHTS] = now;
        now = next;
        next = old;
        float *old_scores = scores;
        scores = next_scores;
        next_scores = old_scores;
    }

    int leader = pop;
#pragma omp parallel for reduction(min : leader)
    for (int i = 0; i < pop; i++)
        if (scores[i] == top && i < leader) leader = i;
#pragma omp parallel for
    for (int k = 0; k < ACROBOT_WEIGHTS; k++)
        policy[k] = now[leader][k];

    if (gens % 2 == 0) {
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            for (int k = 0; k < ACROBOT_WEIGHTS; k++)
                population[i][k] = children[i][k];
            fitness[i] = fitness2[i];
        }
    }
}
