// acrobot.c - the fitness of a population of policies that swing up Gym's Acrobot-v1: one individual a parallel
// iteration.
//
// Physics and layout of the weights: programs/lib/acrobot.h. Policy: observation (cos a, sin a, cos b, sin b, da, db)
// -> 16 tanh -> 3 scores, the best one's torque is -1, 0 or 1. An episode never ends early: 500 steps of 0.2 s, the sum
// of their rewards. acrobot_steps.c is the same computation in step form.
//
// The double pendulum is chaotic and the arg max is a switch: two correct compilers part after some 100 steps for the
// policies that reach the fast motions (13% of 4096, with a rank correlation of 0.989). So the check is on the order of
// the fitnesses, and on that of the greatest height that each tip reached, which tells policies apart long before they
// are rewarded.
//
// run: -i pop=4096 -i steps=500 -i w=uniform:lo=-1,hi=1,seed=1
// test: -i pop=256 -i steps=150 -i w=uniform:lo=-1,hi=1,seed=1
// check: fitness rank>=0.98
// check: height rank>=0.98
// dispatches: 1
#include <math.h>

#include "../lib/acrobot.h"

// The torque that the policy w chooses in state s.
static float choose(const float w[ACROBOT_WEIGHTS], struct acrobot s) {
    float observation[ACROBOT_INPUTS] = {cosf(s.a), sinf(s.a), cosf(s.b), sinf(s.b), s.da, s.db};
    float hidden[ACROBOT_HIDDEN];
    for (int j = 0; j < ACROBOT_HIDDEN; j++) {
        float sum = w[ACROBOT_B1 + j];
        for (int k = 0; k < ACROBOT_INPUTS; k++)
            sum += w[j * ACROBOT_INPUTS + k] * observation[k];
        hidden[j] = tanhf(sum);
    }
    float best = 0.0f, torque = 0.0f;
    for (int j = 0; j < ACROBOT_ACTIONS; j++) {
        float score = w[ACROBOT_B2 + j];
        for (int k = 0; k < ACROBOT_HIDDEN; k++)
            score += w[ACROBOT_W2 + j * ACROBOT_HIDDEN + k] * hidden[k];
        if (j == 0 || score > best) {
            best = score;
            torque = (float)(j - 1);
        }
    }
    return torque;
}

static struct acrobot advance(struct acrobot s, float torque) {
    struct acrobot k1 = acrobot_slope(s, torque);
    struct acrobot k2 = acrobot_slope(acrobot_move(s, 0.5f * ACROBOT_DT, k1), torque);
    struct acrobot k3 = acrobot_slope(acrobot_move(s, 0.5f * ACROBOT_DT, k2), torque);
    struct acrobot k4 = acrobot_slope(acrobot_move(s, ACROBOT_DT, k3), torque);
    s = acrobot_move(s, ACROBOT_DT, acrobot_average(k1, k2, k3, k4));
    s.a = acrobot_wrap(s.a);
    s.b = acrobot_wrap(s.b);
    s.da = acrobot_clip(s.da, 4.0f * ACROBOT_PI);
    s.db = acrobot_clip(s.db, 9.0f * ACROBOT_PI);
    return s;
}

void acrobot(int pop, int steps, const float w[pop][ACROBOT_WEIGHTS], float fitness[pop],
             float height[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct acrobot s = acrobot_start();
        float sum = 0.0f, highest = -2.0f;
        for (int t = 0; t < steps; t++) {
            s = advance(s, choose(w[i], s));
            float now = acrobot_height(s);
            highest = fmaxf(highest, now);
            sum += acrobot_reward(now);
        }
        fitness[i] = sum;
        height[i] = highest;
    }
}
