// pendulum.h - Gym's Pendulum-v1 and a policy for it: swing up a rod by a torque too weak to lift it.
//
// Constants and Euler step of Gym's pendulum.py: g = 10, m = l = 1, dt = 0.05, |torque| <= 2, |speed| <= 8. Policy
// 3-16-1 with tanh, 81 weights: W1[16][3], b1[16], W2[16], b2; input (cos, sin, speed), torque 2 tanh(output). An
// episode starts 0.1 rad off hanging down, at rest, for every policy.
#ifndef PENDULUM_H
#define PENDULUM_H

#include <math.h>

#define PENDULUM_PI 3.14159265358979323846f
#define PENDULUM_GRAVITY 10.0f
#define PENDULUM_DT 0.05f

enum {
    PENDULUM_HIDDEN = 16,
    PENDULUM_B1 = 3 * PENDULUM_HIDDEN,
    PENDULUM_W2 = PENDULUM_B1 + PENDULUM_HIDDEN,
    PENDULUM_B2 = PENDULUM_W2 + PENDULUM_HIDDEN,
    PENDULUM_WEIGHTS = PENDULUM_B2 + 1
};

// The torque that policy w chooses.
static inline float pendulum_choose(const float w[PENDULUM_WEIGHTS], float angle, float speed) {
    float cosine = cosf(angle), sine = sinf(angle);
    float sum = w[PENDULUM_B2];
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < PENDULUM_HIDDEN; j++)
        sum += w[PENDULUM_W2 + j] *
               tanhf(w[PENDULUM_B1 + j] + w[3 * j] * cosine + w[3 * j + 1] * sine + w[3 * j + 2] * speed);
    return 2.0f * tanhf(sum);
}

// The cost of an episode, summed over its steps: squares of the angle from upright, the speed and the torque.
static inline float pendulum_cost(const float w[PENDULUM_WEIGHTS], int steps) {
    float angle = PENDULUM_PI - 0.1f, speed = 0.0f, cost = 0.0f;
    for (int t = 0; t < steps; t++) {
        float torque = pendulum_choose(w, angle, speed);
        float off = angle - 2.0f * PENDULUM_PI * floorf((angle + PENDULUM_PI) / (2.0f * PENDULUM_PI));
        cost += off * off + 0.1f * speed * speed + 0.001f * torque * torque;
        speed += (1.5f * PENDULUM_GRAVITY * sinf(angle) + 3.0f * torque) * PENDULUM_DT;
        speed = fminf(fmaxf(speed, -8.0f), 8.0f);
        angle += speed * PENDULUM_DT;
    }
    return cost;
}

#endif
