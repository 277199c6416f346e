// ackley.c - Ackley's function of a population, fitness = -f. Minimum 0 at x = 0.
//     f(x) = 20 + e - 20 exp(-0.2 sqrt(mean x_i^2)) - exp(mean cos(2 pi x_i))
//
// Source: D. H. Ackley 1987, in n dimensions by Baeck 1996, domain -32.768 .. 32.768.
// One iteration of the parallel loop is one individual.
//
// run: -i pop=4096 -i dim=2000 -i x=uniform:lo=-32.768,hi=32.768,seed=1
// test: -i pop=64 -i dim=50 -i x=uniform:lo=-32.768,hi=32.768,seed=1
// check: rel 1e-5
// dispatches: 1
#include <math.h>

#define TWO_PI 6.28318530717958647692f
#define E 2.71828182845904523536f

void ackley(int pop, int dim, const float x[pop][dim], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float squares = 0.0f, waves = 0.0f;
#pragma omp simd reduction(+ : squares, waves)
        for (int d = 0; d < dim; d++) {
            squares += x[i][d] * x[i][d];
            waves += cosf(TWO_PI * x[i][d]);
        }
        float bowl = expf(-0.2f * sqrtf(squares / (float)dim));
        float ripples = expf(waves / (float)dim);
        fitness[i] = -(20.0f + E - 20.0f * bowl - ripples);
    }
}
