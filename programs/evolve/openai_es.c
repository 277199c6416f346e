// openai_es.c - a policy learns to swing up a pendulum by an evolution strategy: all of the population are disturbed
// copies of one policy, which follows the slope that their ranks show.
//
// Source: T. Salimans, J. Ho, X. Chen, S. Sidor, I. Sutskever, "Evolution strategies as a scalable alternative to
// reinforcement learning", 2017: mirrored noise, centred ranks, Adam. Task and policy: programs/lib/pendulum.h.
// Individual 2 p has the weights theta + sigma e, 2 p + 1 theta - sigma e, with e of pair p. The noise is not kept: it
// is Philox block (weight, pair, generation, 0) under the key of the seed, made again where it is needed. Ranks are
// counted: n comparisons for each of n individuals, without a sort. best[g], mean[g] are of the population in
// generation g; theta is the policy at the start and at the end.
//
// Rounding changes a rank here and there and is amplified along the way: after 100 generations two compilers' policies
// have weights with a rank correlation of 0.97 and means within a tenth. Each learns to swing up: seed 1 goes from a
// mean of -1709 to -382 in 100 generations (-310 the best) under gcc -O2.
//
// Three barriers a generation: ranks need the fitnesses of all, the slope along one weight needs all ranks, the next
// population needs all weights.
//
// run: -i pop=4096 -i gens=100 -i steps=200 -i seed=1 -i sigma=0.25 -i rate=0.1
// test: -i pop=64 -i gens=6 -i steps=50 -i seed=1 -i sigma=0.25 -i rate=0.1
// check: theta rank>=0.9
// check: fitness moments 1
// check: best rank>=0.9
// check: mean rel 2e-1
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

void openai_es(int pop, int gens, int steps, uint32_t seed, float sigma, float rate, float theta[PENDULUM_WEIGHTS],
               float fitness[pop], float best[gens], float mean[gens]) {
    float slope[PENDULUM_WEIGHTS], square[PENDULUM_WEIGHTS]; // means of the slope and its square
    float rank[pop];

#pragma omp parallel for
    for (int k = 0; k < PENDULUM_WEIGHTS; k++)
        slope[k] = square[k] = 0.0f;

    float fade = 1.0f, fade_square = 1.0f;
    for (int g = 0; g < gens; g++) {
        float top = -INFINITY, sum = 0.0f;
#pragma omp parallel for reduction(max : top) reduction(+ : sum)
        for (int i = 0; i < pop; i++) {
            float w[PENDULUM_WEIGHTS];
            for (int k = 0; k < PENDULUM_WEIGHTS; k++)
                w[k] = theta[k] + (i % 2 == 0 ? sigma : -sigma) * noise(k, i / 2, g, seed);
            fitness[i] = -pendulum_cost(w, steps);
            top = fmaxf(top, fitness[i]);
            sum += fitness[i];
        }
        best[g] = top;
        mean[g] = sum / (float)pop;

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
                rise += (rank[2 * p] - rank[2 * p + 1]) * noise(k, p, g, seed);
            rise /= (float)pop * sigma;
            slope[k] = MEMORY * slope[k] + (1.0f - MEMORY) * rise;
            square[k] = MEMORY_SQUARE * square[k] + (1.0f - MEMORY_SQUARE) * rise * rise;
            theta[k] += rate * (slope[k] / (1.0f - fade)) / (sqrtf(square[k] / (1.0f - fade_square)) + 1e-8f);
        }
    }
}
