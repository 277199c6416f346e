// mountaincar.c - the fitness of a population of policies that drive Gym's MountainCar-v0: minus the number of steps to
// the goal.
//
// Physics: programs/lib/mountaincar.h. Policy 2-8-3, 51 weights: W1[8][2], b1[8], W2[3][8], b2[3]; tanh, the highest of
// the three outputs wins; the speed is scaled to about -1 .. 1 first. An episode ends at the goal or after `steps`
// steps. Most random policies never arrive and all get -steps, so the highest place that each one reached is written
// too: it tells them apart. mountaincar_linear.c drives the same car with 9 weights.
//
// run: -i pop=4096 -i steps=200 -i seed=1 -i w=uniform:lo=-2,hi=2,seed=2
// test: -i pop=256 -i steps=200 -i seed=1 -i w=uniform:lo=-2,hi=2,seed=2
// check: fitness rank>=0.999
// check: highest rank>=0.9999
// dispatches: 1
#include <math.h>

#include "../lib/mountaincar.h"

enum { HIDDEN = 8, B1 = 2 * HIDDEN, W2 = B1 + HIDDEN, B2 = W2 + 3 * HIDDEN, WEIGHTS = B2 + 3 };

static float choose(const float w[WEIGHTS], struct car c) {
    float left = w[B2], none = w[B2 + 1], right = w[B2 + 2];
#pragma omp simd reduction(+ : left, none, right)
    for (int j = 0; j < HIDDEN; j++) {
        float h = tanhf(w[B1 + j] + w[2 * j] * c.x + w[2 * j + 1] * (c.dx * 14.0f));
        left += w[W2 + j] * h;
        none += w[W2 + HIDDEN + j] * h;
        right += w[W2 + 2 * HIDDEN + j] * h;
    }
    if (left >= none && left >= right) return -1.0f;
    return none >= right ? 0.0f : 1.0f;
}

void mountaincar(int pop, int steps, uint32_t seed, const float w[pop][WEIGHTS], float fitness[pop],
                 float highest[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct car c = car_start(seed);
        float top = c.x;
        int used = 0;
        while (used < steps && !car_arrived(c)) {
            c = car_advance(c, choose(w[i], c));
            top = fmaxf(top, c.x);
            used++;
        }
        fitness[i] = -(float)used;
        highest[i] = top;
    }
}
