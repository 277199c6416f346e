// finance_steps.c - finance.c in step form: the state lies in arrays over the population, and every operation of a day
// is one parallel loop, as one writes it in an array language. 15 loops a day.
//
// As written this is 15 * steps + 2 dispatches. No loop reads what another individual wrote, so all of it fuses into
// one, the time loop moves inside the individuals and the arrays become registers. The scratch arrays are on the stack
// under cc: 288 bytes an individual (`ulimit -s unlimited` above a population of 25,000). Why the checks are as they
// are: finance.c.
//
// run: -i pop=10000 -i steps=1500 -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// test: -i pop=256 -i steps=60 -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// check: fitness rank>=0.999
// check: wealth rank>=0.9999
// check: drawdown rank>=0.9999
// dispatches: 1
#include <math.h>

#include "../lib/finance.h"

void finance_steps(int pop, int steps, const float weights[pop][FINANCE_WEIGHTS],
                   const float signals[steps][FINANCE_SIGNALS], float fitness[pop], float wealth[pop],
                   float drawdown[pop]) {
    float value[pop], peak[pop], top[pop], memory[pop][2], held[pop][FINANCE_ASSETS], share[pop][FINANCE_ASSETS];
    float x[pop][FINANCE_INPUTS], hidden[pop][FINANCE_HIDDEN], output[pop][FINANCE_OUTPUTS];
    float leverage[pop], cap[pop], earned[pop], cost[pop], change[pop];

#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        value[i] = peak[i] = wealth[i] = top[i] = 1.0f;
        memory[i][0] = memory[i][1] = drawdown[i] = 0.0f;
        for (int a = 0; a < FINANCE_ASSETS; a++)
            held[i][a] = 0.0f;
    }

    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            float slump = fund_clamp((peak[i] - value[i]) / peak[i], 0.0f, 1.0f);
            x[i][0] = signals[t][0];
            x[i][1] = fminf(5.0f * slump, 1.0f);
            x[i][2] = 0.0f;
            x[i][3] = fund_clamp(10.0f * (value[i] / peak[i] - 1.0f), 0.0f, 1.0f);
            x[i][4] = signals[t][1];
            x[i][5] = signals[t][2];
            x[i][6] = memory[i][0];
            x[i][7] = memory[i][1];
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int j = 0; j < FINANCE_HIDDEN; j++) {
                float sum = weights[i][FINANCE_B1 + j];
                for (int k = 0; k < FINANCE_INPUTS; k++)
                    sum += x[i][k] * weights[i][k * FINANCE_HIDDEN + j];
                hidden[i][j] = tanhf(fund_clamp(sum, -10.0f, 10.0f));
            }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int j = 0; j < FINANCE_OUTPUTS; j++) {
                float sum = weights[i][FINANCE_B2 + j];
                for (int k = 0; k < FINANCE_HIDDEN; k++)
                    sum += hidden[i][k] * weights[i][FINANCE_W2 + k * FINANCE_OUTPUTS + j];
                output[i][j] = fund_sigmoid(sum);
            }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            leverage[i] = 1.0f + 2.0f * output[i][1];
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            cap[i] = (1.0f - 0.8f * output[i][0]) * (0.2f + 0.8f * output[i][3]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            memory[i][0] = output[i][4];
            memory[i][1] = output[i][5];
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            for (int a = 0; a < FINANCE_ASSETS; a++)
                share[i][a] = fmaxf(signals[t][FINANCE_ATTRACTION + a], 0.0f);
            fund_normalise(share[i]);
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int a = 0; a < FINANCE_ASSETS; a++)
                share[i][a] = fminf(share[i][a], cap[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            fund_normalise(share[i]);
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            for (int a = 0; a < FINANCE_ASSETS; a++)
                if (fabsf(share[i][a] - held[i][a]) < FINANCE_SMALL_TRADE) share[i][a] = held[i][a];
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            float sum = 0.0f;
            for (int a = 0; a < FINANCE_ASSETS; a++)
                sum += share[i][a] * signals[t][FINANCE_RETURN + a];
            earned[i] = sum;
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            float sum = 0.0f;
            for (int a = 0; a < FINANCE_ASSETS; a++) {
                float rate = share[i][a] < held[i][a] ? FINANCE_SELL_COST : FINANCE_BUY_COST;
                sum += fabsf(share[i][a] - held[i][a]) * rate;
                held[i][a] = share[i][a];
            }
            cost[i] = sum;
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++)
            change[i] = leverage[i] * earned[i] - leverage[i] * cost[i] - FINANCE_DAILY_COST;
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            value[i] = fmaxf(value[i] * (1.0f + change[i]), 1e-8f);
            if (value[i] <= 0.05f) value[i] = 0.0001f;
            peak[i] = fmaxf(peak[i], value[i]);
        }
#pragma omp parallel for
        for (int i = 0; i < pop; i++) {
            wealth[i] *= 1.0f + change[i];
            top[i] = fmaxf(top[i], wealth[i]);
            drawdown[i] = fmaxf(drawdown[i], (top[i] - wealth[i]) / top[i]);
        }
    }

#pragma omp parallel for
    for (int i = 0; i < pop; i++)
        fitness[i] = drawdown[i] > 0.5f ? FINANCE_RUIN : wealth[i];
}
