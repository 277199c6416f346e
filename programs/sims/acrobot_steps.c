// acrobot_steps.c - acrobot.c in step form: the state lies in arrays over the population, and every operation of a time
// step is one parallel loop, as one writes it in an array language. 15 loops a step.
//
// As written this is 15 * steps + 1 dispatches. No loop reads what another individual wrote, so all of it fuses into
// one, the time loop moves inside the individuals and the arrays become registers. Why the check is by rank: acrobot.c.
// The scratch arrays are on the stack under cc: 200 bytes an individual (`ulimit -s unlimited` above a population of
// 40,000).
//
// run: -i pop=4096 -i steps=500 -i w=uniform:lo=-1,hi=1,seed=1
// test: -i pop=256 -i steps=150 -i w=uniform:lo=-1,hi=1,seed=1
// check: fitness rank>=0.98
// check: height rank>=0.98
// dispatches: 1
#include <math.h>

#include "../lib/acrobot.h"

void acrobot_steps(int pop, int steps, const float w[pop][ACROBOT_WEIGHTS], float fitness[pop],
                   float height[pop]) {
    struct acrobot state[pop], moved[pop], k1[pop], k2[pop], k3[pop], k4[pop];
    float observation[pop][ACROBOT_INPUTS], hidden[pop][ACROBOT_HIDDEN], score[pop][ACROBOT_ACTIONS], torque[pop];

#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        state[i] = acrobot_start();
        fitness[i] = 0.0f;
        height[i] = -2.0f;
    }

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            observation[i][0] = cosf(state[i].a);
            observation[i][1] = sinf(state[i].a);
            observation[i][2] = cosf(state[i].b);
            observation[i][3] = sinf(state[i].b);
            observation[i][4] = state[i].da;
            observation[i][5] = state[i].db;
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int j = 0; j < ACROBOT_HIDDEN; j++) {
                float sum = w[i][ACROBOT_B1 + j];
                for (int k = 0; k < ACROBOT_INPUTS; k++)
                    sum += w[i][j * ACROBOT_INPUTS + k] * observation[i][k];
                hidden[i][j] = tanhf(sum);
            }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int j = 0; j < ACROBOT_ACTIONS; j++) {
                float sum = w[i][ACROBOT_B2 + j];
                for (int k = 0; k < ACROBOT_HIDDEN; k++)
                    sum += w[i][ACROBOT_W2 + j * ACROBOT_HIDDEN + k] * hidden[i][k];
                score[i][j] = sum;
            }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            float best = score[i][0];
            torque[i] = -1.0f;
            for (int j = 1; j < ACROBOT_ACTIONS; j++)
                if (score[i][j] > best) {
                    best = score[i][j];
                    torque[i] = (float)(j - 1);
                }
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            k1[i] = acrobot_slope(state[i], torque[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            moved[i] = acrobot_move(state[i], 0.5f * ACROBOT_DT, k1[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            k2[i] = acrobot_slope(moved[i], torque[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            moved[i] = acrobot_move(state[i], 0.5f * ACROBOT_DT, k2[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            k3[i] = acrobot_slope(moved[i], torque[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            moved[i] = acrobot_move(state[i], ACROBOT_DT, k3[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            k4[i] = acrobot_slope(moved[i], torque[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            state[i] = acrobot_move(state[i], ACROBOT_DT, acrobot_average(k1[i], k2[i], k3[i], k4[i]));
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            state[i].a = acrobot_wrap(state[i].a);
            state[i].b = acrobot_wrap(state[i].b);
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            state[i].da = acrobot_clip(state[i].da, 4.0f * ACROBOT_PI);
            state[i].db = acrobot_clip(state[i].db, 9.0f * ACROBOT_PI);
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            float now = acrobot_height(state[i]);
            height[i] = fmaxf(height[i], now);
            fitness[i] += acrobot_reward(now);
        }
    }
}
