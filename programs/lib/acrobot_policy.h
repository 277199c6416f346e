// acrobot_policy.h - what programs that swing up the Acrobot of acrobot.h share: the policy, a time step, an episode.
//
// A policy is a network 6-16-3 of ACROBOT_WEIGHTS weights: observation (cos a, sin a, cos b, sin b, da, db) -> 16 tanh
// -> 3 scores; the best one's torque is -1, 0 or 1.
#ifndef ACROBOT_POLICY_H
#define ACROBOT_POLICY_H

#include "acrobot.h"

// The torque that the policy w chooses in state s.
static inline float acrobot_choose(const float w[ACROBOT_WEIGHTS], struct acrobot s) {
    float observation[ACROBOT_INPUTS] = {cosf(s.a), sinf(s.a), cosf(s.b), sinf(s.b), s.da, s.db};
    float hidden[ACROBOT_HIDDEN];
#pragma omp simd
    for (int j = 0; j < ACROBOT_HIDDEN; j++) {
        float sum = w[ACROBOT_B1 + j];
        for (int k = 0; k < ACROBOT_INPUTS; k++)
            sum += w[j * ACROBOT_INPUTS + k] * observation[k];
        hidden[j] = tanhf(sum);
    }
    float best = 0.0f, torque = 0.0f;
    for (int j = 0; j < ACROBOT_ACTIONS; j++) {
        float score = w[ACROBOT_B2 + j];
#pragma omp simd reduction(+ : score)
        for (int k = 0; k < ACROBOT_HIDDEN; k++)
            score += w[ACROBOT_W2 + j * ACROBOT_HIDDEN + k] * hidden[k];
        if (j == 0 || score > best) {
            best = score;
            torque = (float)(j - 1);
        }
    }
    return torque;
}

// 0.2 s later.
static inline struct acrobot acrobot_advance(struct acrobot s, float torque) {
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

// The sum of the rewards of an episode, which never ends early.
static inline float acrobot_episode(const float w[ACROBOT_WEIGHTS], int steps) {
    struct acrobot s = acrobot_start();
    float sum = 0.0f;
    for (int t = 0; t < steps; t++) {
        s = acrobot_advance(s, acrobot_choose(w, s));
        sum += acrobot_reward(acrobot_height(s));
    }
    return sum;
}

#endif
