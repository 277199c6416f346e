// schwefel.c - Schwefel's function of a population: f(x) = 418.9829 n - sum x_i sin(sqrt |x_i|), fitness = -f.
// Minimum about 0 at x_i = 420.9687, far from the second best.
//
// Source: H.-P. Schwefel 1981, function 2.26, domain -500 .. 500.
// One iteration of the parallel loop is one individual.
//
// run: -i pop=4096 -i dim=2000 -i x=uniform:lo=-500,hi=500,seed=1
// test: -i pop=64 -i dim=50 -i x=uniform:lo=-500,hi=500,seed=1
// check: rel 1e-5
// dispatches: 1
#include <math.h>

void schwefel(int pop, int dim, const float x[pop][dim], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int d = 0; d < dim; d++)
            sum += x[i][d] * sinf(sqrtf(fabsf(x[i][d])));
        fitness[i] = -(418.9829f * (float)dim - sum);
    }
}
