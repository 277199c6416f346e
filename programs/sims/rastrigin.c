// rastrigin.c - Rastrigin's function of a population: f(x) = 10 n + sum (x_i^2 - 10 cos(2 pi x_i)), fitness = -f.
// Minimum 0 at x = 0, among about 11^n local ones.
//
// Source: L. A. Rastrigin 1974, in n dimensions by Muehlenbein, Schomisch, Born 1991, domain -5.12 .. 5.12.
// One iteration of the parallel loop is one individual.
//
// run: -i pop=4096 -i dim=2000 -i x=uniform:lo=-5.12,hi=5.12,seed=1
// test: -i pop=64 -i dim=50 -i x=uniform:lo=-5.12,hi=5.12,seed=1
// check: rel 1e-5
// dispatches: 1
#include <math.h>

#define TWO_PI 6.28318530717958647692f

void rastrigin(int pop, int dim, const float x[pop][dim], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int d = 0; d < dim; d++)
            sum += x[i][d] * x[i][d] - 10.0f * cosf(TWO_PI * x[i][d]);
        fitness[i] = -(10.0f * (float)dim + sum);
    }
}
