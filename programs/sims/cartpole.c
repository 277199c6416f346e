// cartpole.c - the fitness of a population of policies that balance Gym's CartPole-v1: the number of steps until the
// pole falls.
//
// Source: A. Barto, R. Sutton, C. Anderson 1983; constants and Euler step of Gym's cartpole.py (cart 1 kg, pole 0.1 kg,
// half its length 0.5 m, force 10 N left or right, 0.02 s a step). An episode ends when the pole leaves +-12 degrees,
// the cart leaves +-2.4 m, or after `steps` steps: the length of the loop depends on the data. Policy 4-8-2 with ReLU,
// 58 weights: W1[8][4], b1[8], W2[2][8], b2[2]; the higher output pushes (right where the second is higher). A tie of
// the two outputs that two compilers break differently changes one episode's length: the check is by rank. Every
// individual starts from the same state, drawn by `seed` from Gym's range of +-0.05 in each variable.
//
// run: -i pop=4096 -i steps=500 -i seed=1 -i w=uniform:lo=-1,hi=1,seed=2
// test: -i pop=256 -i steps=100 -i seed=1 -i w=uniform:lo=-1,hi=1,seed=2
// check: rank>=0.999
// dispatches: 1
#include <math.h>

#include "../lib/philox.h"

#define GRAVITY 9.8f
#define CART_MASS 1.0f
#define POLE_MASS 0.1f
#define TOTAL_MASS (CART_MASS + POLE_MASS)
#define HALF_LENGTH 0.5f
#define FORCE 10.0f
#define TAU 0.02f
#define ANGLE_LIMIT 0.2094395102f // 12 degrees
#define POSITION_LIMIT 2.4f

enum { INPUTS = 4, HIDDEN = 8, B1 = HIDDEN * INPUTS, W2 = B1 + HIDDEN, B2 = W2 + 2 * HIDDEN, WEIGHTS = B2 + 2 };

// x: place of the cart (m), angle: of the pole from upright (rad), and their speeds.
struct cart {
    float x, dx, angle, dangle;
};

static struct cart start(uint32_t seed) {
    struct philox r = philox4x32(0, 0, 0, 0, seed, 0);
    struct cart c;
    c.x = 0.1f * philox_uniform01(r.x) - 0.05f;
    c.dx = 0.1f * philox_uniform01(r.y) - 0.05f;
    c.angle = 0.1f * philox_uniform01(r.z) - 0.05f;
    c.dangle = 0.1f * philox_uniform01(r.w) - 0.05f;
    return c;
}

static float choose(const float w[WEIGHTS], struct cart c) {
    float left = w[B2], right = w[B2 + 1];
#pragma omp simd reduction(+ : left, right)
    for (int j = 0; j < HIDDEN; j++) {
        float h = w[B1 + j] + w[j * INPUTS] * c.x + w[j * INPUTS + 1] * c.dx + w[j * INPUTS + 2] * c.angle +
                  w[j * INPUTS + 3] * c.dangle;
        h = fmaxf(h, 0.0f);
        left += w[W2 + j] * h;
        right += w[W2 + HIDDEN + j] * h;
    }
    return right > left ? FORCE : -FORCE;
}

static struct cart advance(struct cart c, float force) {
    float cosine = cosf(c.angle), sine = sinf(c.angle);
    float push = (force + POLE_MASS * HALF_LENGTH * c.dangle * c.dangle * sine) / TOTAL_MASS;
    float ddangle =
        (GRAVITY * sine - cosine * push) / (HALF_LENGTH * (4.0f / 3.0f - POLE_MASS * cosine * cosine / TOTAL_MASS));
    float ddx = push - POLE_MASS * HALF_LENGTH * ddangle * cosine / TOTAL_MASS;
    struct cart next = {c.x + TAU * c.dx, c.dx + TAU * ddx, c.angle + TAU * c.dangle, c.dangle + TAU * ddangle};
    return next;
}

void cartpole(int pop, int steps, uint32_t seed, const float w[pop][WEIGHTS], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct cart c = start(seed);
        int survived = 0;
        while (survived < steps) {
            c = advance(c, choose(w[i], c));
            survived++;
            if (fabsf(c.x) > POSITION_LIMIT || fabsf(c.angle) > ANGLE_LIMIT) break;
        }
        fitness[i] = (float)survived;
    }
}
