// acrobot.c - the fitness of a population of policies that swing up Gym's Acrobot-v1: one individual a parallel
// iteration.
//
// Physics, layout of the weights and policy: programs/lib/acrobot.h, acrobot_policy.h. An episode never ends early: 500
// steps of 0.2 s, the sum of their rewards. acrobot_steps.c is the same computation in step form.
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
#include "../lib/acrobot_policy.h"

void acrobot(int pop, int steps, const float w[pop][ACROBOT_WEIGHTS], float fitness[pop], float height[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct acrobot s = acrobot_start();
        float sum = 0.0f, highest = -2.0f;
        for (int t = 0; t < steps; t++) {
            s = acrobot_advance(s, acrobot_choose(w[i], s));
            float now = acrobot_height(s);
            highest = fmaxf(highest, now);
            sum += acrobot_reward(now);
        }
        fitness[i] = sum;
        height[i] = highest;
    }
}
