// neurons.c - a network of neurons that fire: each adds up what fires at it, leaks, and fires in turn.
//
// Source: E. M. Izhikevich, "Simple model of spiking neurons", 2003; Euler's rule with steps of half a millisecond.
// Every neuron has `fan` inputs, whose sources and strengths are drawn once.
//
// run: -i neurons=8192 -i fan=100 -i steps=500 -i seed=1
// test: -i neurons=120 -i fan=10 -i steps=30 -i seed=1
// check: fired exact
// check: v abs 2e-2
// check: u abs 2e-2
// check: spikes exact
// check: source exact
// check: strength abs 1e-6
// dispatches: 1
#include "../lib/philox.h"

void neurons(int neurons, int fan, int steps, uint32_t seed, int source[neurons][fan], float strength[neurons][fan],
             float v[neurons], float u[neurons], int fired[neurons], int spikes[steps]) {
#pragma omp parallel for
    for (int i = 0; i < neurons; i++) {
        v[i] = -65.0f;
        u[i] = -13.0f;
        fired[i] = 0;
        for (int k = 0; k < fan; k++) {
            struct philox r = philox4x32((uint32_t)k, (uint32_t)i, 0, 0, seed, 0);
            source[i][k] = (int)(r.x % (uint32_t)neurons);
            strength[i][k] = (source[i][k] % 5 == 0 ? -1.0f : 0.5f) * philox_uniform01(r.y);
        }
    }
    for (int t = 0; t < steps; t++) {
        int count = 0;
        float input[neurons];
#pragma omp parallel for
        for (int i = 0; i < neurons; i++) {
            float s = 5.0f * philox_normal01(philox4x32((uint32_t)t, (uint32_t)i, 1, 0, seed, 0).x);
            for (int k = 0; k < fan; k++)
                if (fired[source[i][k]]) s += strength[i][k];
            input[i] = s;
        }
#pragma omp parallel for reduction(+ : count)
        for (int i = 0; i < neurons; i++) {
            for (int half = 0; half < 2; half++)
                v[i] += 0.5f * (0.04f * v[i] * v[i] + 5.0f * v[i] + 140.0f - u[i] + input[i]);
            u[i] += 0.02f * (0.2f * v[i] - u[i]);
            fired[i] = v[i] >= 30.0f;
            if (fired[i]) {
                v[i] = -65.0f;
                u[i] += 8.0f;
                count++;
            }
        }
        spikes[t] = count;
    }
}
