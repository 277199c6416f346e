// griewank.c - Griewank's function of a population, fitness = -f. Minimum 0 at x = 0.
//     f(x) = 1 + sum x_i^2 / 4000 - prod cos(x_i / sqrt(i)),   i = 1 .. n
//
// Source: A. O. Griewank 1981, domain -600 .. 600. In many dimensions the product vanishes and the bowl is left.
// One iteration of the parallel loop is one individual.
//
// run: -i pop=4096 -i dim=2000 -i x=uniform:lo=-600,hi=600,seed=1
// test: -i pop=64 -i dim=10 -i x=uniform:lo=-600,hi=600,seed=1
// check: rel 1e-5
// dispatches: 1
#include <math.h>

void griewank(int pop, int dim, const float x[pop][dim], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float bowl = 0.0f, ripples = 1.0f;
#pragma omp simd reduction(+ : bowl) reduction(* : ripples)
        for (int d = 0; d < dim; d++) {
            bowl += x[i][d] * x[i][d];
            ripples *= cosf(x[i][d] / sqrtf((float)(d + 1)));
        }
        fitness[i] = -(1.0f + bowl / 4000.0f - ripples);
    }
}
