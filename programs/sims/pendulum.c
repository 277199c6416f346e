// pendulum.c - the return of a population of policies that swing up and hold Gym's Pendulum-v1.
//
// Task and policy: programs/lib/pendulum.h. The return is minus the sum of the costs of an episode of 200 steps.
//
// The torque is continuous and there is no switch, but near its highest point a pendulum still doubles small
// differences: after 200 steps about one return in 1000 is off by more than 1e-4, so the check is by rank.
//
// run: -i pop=4096 -i steps=200 -i w=uniform:lo=-1,hi=1,seed=1
// test: -i pop=256 -i steps=60 -i w=uniform:lo=-1,hi=1,seed=1
// check: rank>=0.9999
// dispatches: 1
#include "../lib/pendulum.h"

void pendulum(int pop, int steps, const float w[pop][PENDULUM_WEIGHTS], float fitness[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++)
        fitness[i] = -pendulum_cost(w[i], steps);
}
