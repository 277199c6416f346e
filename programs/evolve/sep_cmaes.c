// sep_cmaes.c - the separable CMA evolution strategy: a normal distribution with a mean, a step size and a variance for
// each coordinate moves towards the minimum of Rastrigin's function.
//
// Source: R. Ros, N. Hansen, "A simple modification in CMA-ES achieving linear time and space complexity", PPSN 2008,
// with the constants of N. Hansen, "The CMA evolution strategy: a tutorial", 2016: the better half is recombined with
// logarithmic weights; learning rates of the variances are (dim + 2) / 3 times those of a full matrix. A sample's
// normal numbers are not kept: they are Philox blocks (coordinate, individual, generation, 0), made again where they
// are needed. Ranks are counted, without a sort. middle is the distribution's mean at the start and at the end,
// variance its variances (in units of step0^2), step[g] the step size and best[g] the least value found in generation
// g; path_step and path are the evolution paths of the step size and of the variances, width the last step size, value
// the values of the last generation. `first` is the number of the generation that middle begins with. With known = 0 a
// run begins with step0 and variances of 1. With known = 1 it goes on where another ended, with its middle, variance,
// path_step, path, width and value and first = its first + gens - 1. The default comes from 1557 to 0.015 in its 200
// generations under gcc -O2.
//
// Four barriers a generation: ranks need the values of all; a coordinate of the mean needs the weights of all; the
// variances and the step size need the length of the path, a sum over all coordinates; samples need all coordinates.
//
// run: -i pop=4096 -i dim=100 -i gens=200 -i first=0 -i known=0 -i seed=1 -i step0=2 -i middle=uniform:lo=-5.12,hi=5.12,seed=1
// test: -i pop=64 -i dim=10 -i gens=6 -i first=0 -i known=0 -i seed=1 -i step0=2 -i middle=uniform:lo=-5.12,hi=5.12,seed=1
// check: middle abs 1e-3
// check: variance rank>=0.9
// check: best rank>=0.99
// check: step rank>=0.9
// check: path_step rank>=0.9
// check: path rank>=0.9
// check: width rel 1e-2
// check: value moments 1e-2
// step: gens=2, first=first+gens-1, known=1
// check: middle abs 1e-5 teacher
// check: path abs 1e-5 teacher
// check: path_step abs 1e-5 teacher
// check: rel 1e-4 teacher
// dispatches: 1
// barriers: 4 a generation
#include <math.h>
#include <stdbool.h>

#include "../lib/philox.h"

#define TWO_PI 6.28318530717958647692f

static float normal(int coordinate, int individual, int generation, uint32_t seed) {
    return philox_normal01(philox4x32((uint32_t)coordinate, (uint32_t)individual, (uint32_t)generation, 0, seed, 0).x);
}

// Fills in the values, unless they are known, and returns the least.
static float evaluate(int pop, int dim, int known, int generation, uint32_t seed, float sigma, const float middle[dim],
                      const float variance[dim], float value[pop]) {
    float least = INFINITY;
#pragma omp parallel for reduction(min : least)
    for (int i = 0; i < pop; i++) {
        if (!known) {
            float sum = 10.0f * (float)dim;
            for (int d = 0; d < dim; d++) {
                float x = middle[d] + sigma * sqrtf(variance[d]) * normal(d, i, generation, seed);
                sum += x * x - 10.0f * cosf(TWO_PI * x);
            }
            value[i] = sum;
        }
        least = fminf(least, value[i]);
    }
    return least;
}

void sep_cmaes(int pop, int dim, int gens, int first, int known, uint32_t seed, float step0, float middle[dim],
               float variance[dim], float path_step[dim], float path[dim], float width[1], float value[pop],
               float best[gens], float step[gens]) {
    float weight[pop];
    float move[dim], spread[dim]; // of the parents, in standard deviations, and its square

    // Weights log(parents + 1/2) - log(rank + 1) of the better half, and what follows from them.
    int parents = pop / 2;
    float total = 0.0f, squares = 0.0f;
#pragma omp parallel for reduction(+ : total, squares)
    for (int r = 0; r < parents; r++) {
        float w = logf((float)parents + 0.5f) - logf((float)(r + 1));
        total += w;
        squares += w * w;
    }
    float n = (float)dim, mass = total * total / squares; // mass: the number of parents that count
    float rate_step = (mass + 2.0f) / (n + mass + 5.0f);
    float damping = 1.0f + 2.0f * fmaxf(0.0f, sqrtf((mass - 1.0f) / (n + 1.0f)) - 1.0f) + rate_step;
    float rate_path = (4.0f + mass / n) / (n + 4.0f + 2.0f * mass / n);
    float faster = (n + 2.0f) / 3.0f;
    float rate_one = fminf(0.5f, faster * 2.0f / ((n + 1.3f) * (n + 1.3f) + mass));
    float rate_many =
        fminf(1.0f - rate_one, faster * 2.0f * (mass - 2.0f + 1.0f / mass) / ((n + 2.0f) * (n + 2.0f) + mass));
    float expected = sqrtf(n) * (1.0f - 1.0f / (4.0f * n) + 1.0f / (21.0f * n * n)); // length of a normal vector

    if (!known) {
#pragma omp parallel for
        for (int d = 0; d < dim; d++) {
            variance[d] = 1.0f;
            path_step[d] = path[d] = 0.0f;
        }
    }

    float sigma = known ? width[0] : step0, kept = 1.0f; // kept: (1 - rate_step)^(2 generations)
    for (int g = 0; g < first; g++)
        kept *= (1.0f - rate_step) * (1.0f - rate_step);
    best[0] = evaluate(pop, dim, known, first, seed, sigma, middle, variance, value);
    step[0] = sigma;

    for (int g = 1; g < gens; g++) {
        int generation = first + g - 1; // that the distribution leaves
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            int better = 0;
#pragma omp simd reduction(+ : better)
            for (int j = 0; j < pop; j++)
                better += value[j] < value[i] || (value[j] == value[i] && j < i) ? 1 : 0;
            weight[i] = better < parents ? (logf((float)parents + 0.5f) - logf((float)(better + 1))) / total : 0.0f;
        }

        float length2 = 0.0f;
#pragma omp parallel for reduction(+ : length2)
        for (int d = 0; d < dim; d++) {
            float sum = 0.0f, sum2 = 0.0f;
#pragma omp simd reduction(+ : sum, sum2)
            for (int i = 0; i < pop; i++) {
                float z = normal(d, i, generation, seed);
                sum += weight[i] * z;
                sum2 += weight[i] * z * z;
            }
            move[d] = sum;
            spread[d] = sum2;
            middle[d] += sigma * sqrtf(variance[d]) * sum;
            path_step[d] = (1.0f - rate_step) * path_step[d] + sqrtf(rate_step * (2.0f - rate_step) * mass) * sum;
            length2 += path_step[d] * path_step[d];
        }

        kept *= (1.0f - rate_step) * (1.0f - rate_step);
        float length = sqrtf(length2);
        bool steady = length / sqrtf(1.0f - kept) < (1.4f + 2.0f / (n + 1.0f)) * expected; // else the step is too small
        float lost = steady ? 0.0f : rate_path * (2.0f - rate_path);
#pragma omp parallel for
        for (int d = 0; d < dim; d++) {
            float gain = steady ? sqrtf(rate_path * (2.0f - rate_path) * mass) : 0.0f;
            path[d] = (1.0f - rate_path) * path[d] + gain * sqrtf(variance[d]) * move[d];
            variance[d] *= 1.0f - rate_one - rate_many + rate_one * lost + rate_many * spread[d];
            variance[d] += rate_one * path[d] * path[d];
        }
        sigma *= expf(rate_step / damping * (length / expected - 1.0f));
        step[g] = sigma;
        best[g] = evaluate(pop, dim, 0, generation + 1, seed, sigma, middle, variance, value);
    }
    width[0] = sigma;
}
