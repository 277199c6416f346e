// finance_signals.c - seeded signals for finance.c: a market without memory, for measurements that anybody can repeat.
//
// s0..s3 = 0.1 N, s4..s19 = max(0.1 N + 0.3, 0), s20..s35 = 0.01 N, where N are standard normals: four to a Philox
// block, block b of day t is counter (t, b, 0, 0) under key (seed, 0). Real prices: tools/signals.c.
//
// run: -i steps=1500 -i seed=1
// test: -i steps=100 -i seed=1
// check: abs 1e-7
// dispatches: 1
#include <math.h>

#include "../lib/finance.h"
#include "../lib/philox.h"

static float signal(int column, float normal) {
    if (column < FINANCE_ATTRACTION) return 0.1f * normal;
    if (column < FINANCE_RETURN) return fmaxf(0.1f * normal + 0.3f, 0.0f);
    return 0.01f * normal;
}

void finance_signals(int steps, uint32_t seed, float signals[steps][FINANCE_SIGNALS]) {
#pragma omp parallel for
    for (int t = 0; t < steps; t++)
        for (int b = 0; b < FINANCE_SIGNALS / 4; b++) {
            struct philox r = philox4x32((uint32_t)t, (uint32_t)b, 0, 0, seed, 0);
            signals[t][4 * b] = signal(4 * b, philox_normal01(r.x));
            signals[t][4 * b + 1] = signal(4 * b + 1, philox_normal01(r.y));
            signals[t][4 * b + 2] = signal(4 * b + 2, philox_normal01(r.z));
            signals[t][4 * b + 3] = signal(4 * b + 3, philox_normal01(r.w));
        }
}
