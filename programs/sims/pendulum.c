// pendulum.c - the return of a population of policies that swing up and hold Gym's Pendulum-v1.
//
// Constants and step of Gym's pendulum.py: g = 10, mass 1, length 1, 0.05 s a step, torque -2 .. 2, speed -8 .. 8. The
// cost of a step is angle^2 + 0.1 speed^2 + 0.001 torque^2 with the angle from upright in -pi .. pi; the return is
// minus their sum. Policy 3-16-1, 81 weights: W1[16][3], b1[16], W2[16], b2; observation (cos, sin, speed), tanh
// hidden, torque 2 tanh. Every individual starts hanging, 0.1 rad off the lowest point.
//
// The torque is continuous and there is no switch, but near its highest point a pendulum still doubles small
// differences: after 200 steps about one return in 1000 is off by more than 1e-4, so the check is by rank.
//
// run: -i pop=4096 -i steps=200 -i w=uniform:lo=-1,hi=1,seed=1
// test: -i pop=256 -i steps=60 -i w=uniform:lo=-1,hi=1,seed=1
// check: rank>=0.9999
// dispatches: 1
#include <math.h>

#define PI 3.14159265358979323846f
#define GRAVITY 10.0f
#define DT 0.05f

enum { HIDDEN = 16, B1 = 3 * HIDDEN, W2 = B1 + HIDDEN, B2 = W2 + HIDDEN, WEIGHTS = B2 + 1 };

static float choose(const float w[WEIGHTS], float angle, float speed) {
    float cosine = cosf(angle), sine = sinf(angle);
    float sum = w[B2];
    for (int j = 0; j < HIDDEN; j++)
        sum += w[W2 + j] * tanhf(w[B1 + j] + w[3 * j] * cosine + w[3 * j + 1] * sine + w[3 * j + 2] * speed);
    return 2.0f * tanhf(sum);
}

void pendulum(int pop, int steps, const float w[pop][WEIGHTS], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        float angle = PI - 0.1f, speed = 0.0f, cost = 0.0f;
        for (int t = 0; t < steps; t++) {
            float torque = choose(w[i], angle, speed);
            float off = angle - 2.0f * PI * floorf((angle + PI) / (2.0f * PI));
            cost += off * off + 0.1f * speed * speed + 0.001f * torque * torque;
            speed += (1.5f * GRAVITY * sinf(angle) + 3.0f * torque) * DT;
            speed = fminf(fmaxf(speed, -8.0f), 8.0f);
            angle += speed * DT;
        }
        fitness[i] = -cost;
    }
}
