// mountaincar_linear.c - mountaincar.c with the smallest policy: each action's score is linear in place and speed, 9
// weights w[3][3] = (place, speed, bias) for left, none, right. The speed is scaled to about -1 .. 1 first.
//
// run: -i pop=4096 -i steps=200 -i seed=1 -i w=uniform:lo=-1,hi=1,seed=2
// test: -i pop=256 -i steps=200 -i seed=1 -i w=uniform:lo=-1,hi=1,seed=2
// check: fitness rank>=0.999
// check: highest rank>=0.9999
// dispatches: 1
#include <math.h>

#include "../lib/mountaincar.h"

static float score(const float w[3], struct car c) { return w[0] * c.x + w[1] * (c.dx * 14.0f) + w[2]; }

void mountaincar_linear(int pop, int steps, uint32_t seed, const float w[pop][3][3], float fitness[pop],
                        float highest[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct car c = car_start(seed);
        float top = c.x;
        int used = 0;
        while (used < steps && !car_arrived(c)) {
            float left = score(w[i][0], c), none = score(w[i][1], c), right = score(w[i][2], c);
            float push = left >= none && left >= right ? -1.0f : none >= right ? 0.0f : 1.0f;
            c = car_advance(c, push);
            top = fmaxf(top, c.x);
            used++;
        }
        fitness[i] = -(float)used;
        highest[i] = top;
    }
}
