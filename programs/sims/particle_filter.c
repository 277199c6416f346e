// particle_filter.c - a hidden state is followed by a cloud of particles that are weighed and drawn anew in each step.
//
// Source: N. J. Gordon, D. J. Salmond, A. F. M. Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state
// estimation", 1993, with systematic resampling: the sums of weights are searched by halving. Weights are integers, so
// that the sums do not depend on the order.
//
// run: -i particles=65536 -i steps=100 -i seed=1
// test: -i particles=500 -i steps=6 -i seed=1
// check: estimate abs 5e-2
// check: truth abs 1e-3
// check: state moments 2e-1
// check: drawn moments 2e-1
// check: weight moments 5e-1
// check: sum rank>=0.99
// check: sum2 rank>=0.99
// dispatches: 1
#include <math.h>

#include "../lib/philox.h"

static float moved(float x, int step, float noise) {
    return 0.5f * x + 25.0f * x / (1.0f + x * x) + 8.0f * cosf(1.2f * (float)step) + noise;
}

void particle_filter(int particles, int steps, uint32_t seed, float state[particles], float drawn[particles],
                     int weight[particles], int sum[particles], int sum2[particles], float truth[steps],
                     float estimate[steps]) {
    float hidden = 0.1f;
#pragma omp parallel for
    for (int i = 0; i < particles; i++)
        state[i] = philox_normal01(philox4x32(0, (uint32_t)i, 1, 0, seed, 0).x);
    for (int t = 0; t < steps; t++) {
        struct philox own = philox4x32((uint32_t)t, 0, 2, 0, seed, 0);
        hidden = moved(hidden, t, 3.0f * philox_normal01(own.x));
        float seen = hidden * hidden / 20.0f + philox_normal01(own.y);
        truth[t] = hidden;
#pragma omp parallel for
        for (int i = 0; i < particles; i++) {
            state[i] = moved(state[i], t, 3.0f * philox_normal01(philox4x32((uint32_t)t, (uint32_t)i, 3, 0, seed, 0).x));
            float gap = seen - state[i] * state[i] / 20.0f;
            weight[i] = 1 + (int)(1000.0f * expf(-0.5f * gap * gap));
            sum[i] = weight[i];
        }
        int *now = sum, *next = sum2;
        for (int away = 1; away < particles; away *= 2) {
#pragma omp parallel for
            for (int i = 0; i < particles; i++)
                next[i] = i >= away ? now[i] + now[i - away] : now[i];
            int *old = now;
            now = next;
            next = old;
        }
        float total = (float)now[particles - 1], mean = 0.0f, start = philox_uniform01(own.z);
#pragma omp parallel for reduction(+ : mean)
        for (int i = 0; i < particles; i++) {
            float wanted = ((float)i + start) / (float)particles * total;
            int low = 0, high = particles - 1;
            while (low < high) {
                int middle = (low + high) / 2;
                if ((float)now[middle] > wanted)
                    high = middle;
                else
                    low = middle + 1;
            }
            drawn[i] = state[low];
            mean += state[low];
        }
        estimate[t] = mean / (float)particles;
#pragma omp parallel for
        for (int i = 0; i < particles; i++)
            state[i] = drawn[i];
    }
}
