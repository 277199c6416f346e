// finance_curve.c - the wealth of chosen policies day by day: finance.c again for the individuals pick[0..chosen), with
// the curve written out. Meant for drawing the best, the median and the worst of a population.
//
// run: -i pop=10000 -i steps=1500 -i chosen=3 -i pick=arange -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// test: -i pop=64 -i steps=100 -i chosen=3 -i pick=arange -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// check: rel 1e-2
// dispatches: 1
#include <stdint.h>

#include "../lib/finance.h"

void finance_curve(int pop, int steps, int chosen, const int32_t pick[chosen],
                   const float weights[pop][FINANCE_WEIGHTS], const float signals[steps][FINANCE_SIGNALS],
                   float curve[chosen][steps]) {
#pragma omp parallel for
    for (int i = 0; i < chosen; i++) {
        struct fund f = fund_start();
        float held[FINANCE_ASSETS];
        for (int a = 0; a < FINANCE_ASSETS; a++)
            held[a] = 0.0f;
        for (int t = 0; t < steps; t++) {
            f = fund_day(f, held, weights[pick[i]], signals[t]);
            curve[i][t] = f.wealth;
        }
    }
}
