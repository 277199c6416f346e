// sphere.c - the sphere function of a population: f(x) = sum x_i^2, fitness = -f. Minimum 0 at x = 0.
//
// Source: the usual test functions of evolutionary computation (De Jong 1975, function F1), domain -5.12 .. 5.12.
// One iteration of the parallel loop is one individual.
//
// run: -i pop=4096 -i dim=2000 -i x=uniform:lo=-5.12,hi=5.12,seed=1
// test: -i pop=64 -i dim=50 -i x=uniform:lo=-5.12,hi=5.12,seed=1
// check: rel 1e-5
// dispatches: 1

void sphere(int pop, int dim, const float x[pop][dim], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int d = 0; d < dim; d++)
            sum += x[i][d] * x[i][d];
        fitness[i] = -sum;
    }
}
