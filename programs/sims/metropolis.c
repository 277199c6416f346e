// metropolis.c - many Markov chains sample the posterior of a line through points, and their mean is taken.
//
// Source: N. Metropolis et al., "Equation of state calculations by fast computing machines", 1953. A chain proposes a
// step, and takes it if the likelihood grows, or else with the ratio's probability.
//
// run: -i chains=8192 -i steps=1000 -i points=32 -i seed=1 -i x=uniform:lo=-1,hi=1,seed=1 -i y=normal:seed=2
// test: -i chains=50 -i steps=30 -i points=9 -i seed=1 -i x=uniform:lo=-1,hi=1,seed=1 -i y=normal:seed=2
// check: abs 1e-3 except 2%
// check: mean abs 5e-2
// dispatches: 2
#include <math.h>

#include "../lib/philox.h"

void metropolis(int chains, int steps, int points, uint32_t seed, const float x[points], const float y[points],
                float slope[chains], float height[chains], int taken[chains], float mean[2]) {
    float sum_slope = 0.0f, sum_height = 0.0f;
#pragma omp parallel for reduction(+ : sum_slope, sum_height)
    for (int c = 0; c < chains; c++) {
        float a = 0.0f, b = 0.0f, energy = 1e30f;
        int moves = 0;
        for (int k = 0; k < steps; k++) {
            struct philox r = philox4x32((uint32_t)k, (uint32_t)c, 0, 0, seed, 0);
            float new_a = a + 0.2f * philox_normal01(r.x), new_b = b + 0.2f * philox_normal01(r.y);
            float new_energy = 0.0f;
            for (int i = 0; i < points; i++) {
                float gap = y[i] - new_a * x[i] - new_b;
                new_energy += 0.5f * gap * gap;
            }
            if (philox_uniform01(r.z) < expf(energy - new_energy)) {
                a = new_a;
                b = new_b;
                energy = new_energy;
                moves++;
            }
        }
        slope[c] = a;
        height[c] = b;
        taken[c] = moves;
        sum_slope += a;
        sum_height += b;
    }
    mean[0] = sum_slope / (float)chains;
    mean[1] = sum_height / (float)chains;
}
