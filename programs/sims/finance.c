// finance.c - the fitness of a population of trading policies: each lives through the same days with its own genome.
//
// The policy, its costs and the meaning of the signals: programs/lib/finance.h. One individual is one parallel
// iteration. Written are the fitness (the wealth at the end in multiples of the start, or -9999 where more than half
// was lost on the way), the wealth and the largest drawdown. finance_steps.c is the same computation in step form,
// finance_curve.c writes the daily wealth of chosen individuals.
//
// The signals may come from real prices (tools/signals.c) or from finance_signals.c; the defaults below are plain
// noise. A share within 0.05 of the one held is not traded, and two compilers can decide a borderline trade
// differently. With real prices that happens to 1 in 70 of 10,000 policies within 1,500 days and moves their wealth by
// up to 4%; the others agree to 1e-5. So the checks are by rank.
//
// run: -i pop=10000 -i steps=1500 -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// test: -i pop=256 -i steps=60 -i weights=normal:sd=0.5,seed=1 -i signals=normal:mean=0.0002,sd=0.01,seed=2
// check: fitness rank>=0.999
// check: wealth rank>=0.9999
// check: drawdown rank>=0.9999
// dispatches: 1
#include "../lib/finance.h"

void finance(int pop, int steps, const float weights[pop][FINANCE_WEIGHTS], const float signals[steps][FINANCE_SIGNALS],
             float fitness[pop], float wealth[pop], float drawdown[pop]) {
#pragma omp parallel for
    for (int i = 0; i < pop; i++) {
        struct fund f = fund_start();
        float held[FINANCE_ASSETS];
        for (int a = 0; a < FINANCE_ASSETS; a++)
            held[a] = 0.0f;
        for (int t = 0; t < steps; t++)
            f = fund_day(f, held, weights[i], signals[t]);
        fitness[i] = fund_fitness(f);
        wealth[i] = f.wealth;
        drawdown[i] = f.drawdown;
    }
}
