// openai_es.c - a policy learns to swing up a pendulum by an evolution strategy: all of the population are disturbed
// copies of one policy, which follows the slope that their ranks show.
//
// Source: T. Salimans, J. Ho, X. Chen, S. Sidor, I. Sutskever, "Evolution strategies as a scalable alternative to
// reinforcement learning", 2017: mirrored noise, centred ranks, Adam. Task and policy: programs/lib/pendulum.h.
// Individual 2 p has the weights theta + sigma e, 2 p + 1 theta - sigma e, with e of pair p. The noise is not kept: it
// is Philox block (weight, pair, generation, 0) under the key of the seed, made again where it is needed. Ranks are
// counted: n comparisons for each of n individuals, without a sort. best[g], mean[g] are of the population in
// generation g; theta is the policy at the start and at the end, slope and square are Adam's means, 0 at the start.
// `first` is the number of the generation that theta begins with. With known = 1 its fitness is given, too, and not
// computed again: a run goes on where another ended, with its theta, slope, square and fitness, first = its first +
// gens - 1 and known = 1.
//
// From the same fitnesses every compiler takes the same step but for rounding. Along the way rounding changes a rank
// here and there and is amplified: after 100 generations two compilers' policies have weights with a rank correlation
// of 0.97 and means within a tenth. Each learns to swing up: seed 1 goes from a mean of -1709 to -382 in 100
// generations (-310 the best) under gcc -O2.
//
// Three barriers a generation: ranks need the fitnesses of all, the slope along one weight needs all ranks, the next
// population needs all weights.
//
// run: -i pop=4096 -i gens=100 -i steps=200 -i first=0 -i known=0 -i seed=1 -i sigma=0.25 -i rate=0.1
// test: -i pop=64 -i gens=6 -i steps=50 -i first=0 -i known=0 -i seed=1 -i sigma=0.25 -i rate=0.1
// check: theta rank>=0.9
// check: fitness moments 1
// check: best rank>=0.9
// check: mean rel 2e-1
// check: slope rank>=0.9
// check: square rank>=0.9
// step: gens=2, first=first+gens-1, known=1
// check: theta abs 1e-5 teacher
// check: slope abs 1e-6 teacher
// check: square rel 1e-4 teacher
// check: fitness rel 1e-4 except 1% teacher
// check: rel 1e-4 teacher
// dispatches: 1
// barriers: 3 a generation
#include "../lib/pendulum.h"
#include "../lib/philox.h"

// Of Adam: how long the slope and its square are remembered.
#define MEMORY 0.9f
#define MEMORY_SQUARE 0.999f

static float noise(int weight, int pair, int generation, uint32_t seed) {
    return philox_normal01(philox4x32((uint32_t)weight, (uint32_t)pair, (uint32_t)generation, 0, seed, 0).x);
}

// Fills in the fitnesses, unless they are known, and returns the best; *out_mean is their mean.
static float evaluate(int pop, int steps, int known, int generation, uint32_t seed, float sigma,
                      const float theta[PENDULUM_WEIGHTS], float fitness[pop], float *out_mean) {
    float top = -INFINITY, sum = 0.0f;
#pragma omp parallel for reduction(max : top) reduction(+ : sum)
    for (int i = 0; i < pop; i++) {
        if (!known) {
            float w[PENDULUM_WEIGHTS];
            for (int k = 0; k < PENDULUM_WEIGHTS; k++)
                w[k] = theta[k] + (i % 2 == 0 ? sigma : -sigma) * noise(k, i / 2, generation, seed);
            fitness[i] = -pendulum_cost(w, steps);
        }
        top = fmaxf(top, fitness[i]);
        sum += fitness[i];
    }
    *out_mean = sum / (float)pop;
    return top;
}

void openai_es(int pop, int gens, int steps, int first, int known, uint32_t seed, float sigma, float rate,
               float theta[PENDULUM_WEIGHTS], float slope[PENDULUM_WEIGHTS], float square[PENDULUM_WEIGHTS],
               float fitness[pop], float best[gens], float mean[gens]) {
    float rank[pop];

    float fade = 1.0f, fade_square = 1.0f; // MEMORY^generation
    for (int g = 0; g < first; g++) {
        fade *= MEMORY;
        fade_square *= MEMORY_SQUARE;
    }
    float middle;
    best[0] = evaluate(pop, steps, known, first, seed, sigma, theta, fitness, &middle);
    mean[0] = middle;

    for (int g = 1; g < gens; g++) {
        int generation = first + g - 1; // that theta leaves
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            int below = 0;
#pragma omp simd reduction(+ : below)
            for (int j = 0; j < pop; j++)
                below += fitness[j] < fitness[i] || (fitness[j] == fitness[i] && j < i) ? 1 : 0;
            rank[i] = (float)below / (float)(pop - 1) - 0.5f;
        }

        fade *= MEMORY;
        fade_square *= MEMORY_SQUARE;
#pragma omp parallel for
        for (int k = 0; k < PENDULUM_WEIGHTS; k++) {
            float rise = 0.0f;
#pragma omp simd reduction(+ : rise)
            for (int p = 0; p < pop / 2; p++)
                rise += (rank[2 * p] - rank[2 * p + 1]) * noise(k, p, generation, seed);
            rise /= (float)pop * sigma;
            slope[k] = MEMORY * slope[k] + (1.0f - MEMORY) * rise;
            square[k] = MEMORY_SQUARE * square[k] + (1.0f - MEMORY_SQUARE) * rise * rise;
            theta[k] += rate * (slope[k] / (1.0f - fade)) / (sqrtf(square[k] / (1.0f - fade_square)) + 1e-8f);
        }

        best[g] = evaluate(pop, steps, 0, generation + 1, seed, sigma, theta, fitness, &middle);
        mean[g] = middle;
    }
}
