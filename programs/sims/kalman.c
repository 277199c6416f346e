// kalman.c - many objects are tracked, each by a Kalman filter of its own: place and speed from noisy places.
//
// Source: R. E. Kalman, "A new approach to linear filtering and prediction problems", 1960.
//
// run: -i objects=100000 -i steps=500 -i seed=1 -i noise=0.5 -i push=0.05
// test: -i objects=60 -i steps=40 -i seed=1 -i noise=0.5 -i push=0.05
// check: abs 2e-3
// dispatches: 2
#include <math.h>

#include "../lib/philox.h"

struct track {
    float place, speed;
    float pp, ps, ss; // the covariance: place with place, place with speed, speed with speed
};

static struct track predicted(struct track t, float push) {
    t.place += t.speed;
    t.pp += 2.0f * t.ps + t.ss + 0.25f * push;
    t.ps += t.ss + 0.5f * push;
    t.ss += push;
    return t;
}

static struct track corrected(struct track t, float seen, float noise) {
    float gain_p = t.pp / (t.pp + noise), gain_s = t.ps / (t.pp + noise), gap = seen - t.place;
    t.place += gain_p * gap;
    t.speed += gain_s * gap;
    t.ss -= gain_s * t.ps;
    t.ps -= gain_p * t.ps;
    t.pp -= gain_p * t.pp;
    return t;
}

void kalman(int objects, int steps, uint32_t seed, float noise, float push, float place[objects], float speed[objects],
            float miss[1]) {
    float total = 0.0f;
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < objects; i++) {
        struct track t = {0.0f, 0.0f, 1.0f, 0.0f, 1.0f};
        float truth = 0.0f, pace = 0.1f, misses = 0.0f;
        for (int k = 0; k < steps; k++) {
            struct philox r = philox4x32((uint32_t)k, (uint32_t)i, 0, 0, seed, 0);
            float kick = sqrtf(push) * philox_normal01(r.x);
            truth += pace + 0.5f * kick;
            pace = 0.99f * (pace + kick);
            t = corrected(predicted(t, push), truth + sqrtf(noise) * philox_normal01(r.y), noise);
            misses += (t.place - truth) * (t.place - truth);
        }
        place[i] = t.place;
        speed[i] = t.speed;
        total += misses / (float)steps;
    }
    miss[0] = total / (float)objects;
}
