// option_tree.c - American put options by binomial trees, one option an iteration.
//
// Source: J. C. Cox, S. A. Ross, M. Rubinstein, "Option pricing: a simplified approach", 1979. The tree's last column is
// a local array, folded backwards.
//
// run: -i options=65536 -i rate=0.03 -i spot=uniform:lo=80,hi=120,seed=1 -i strike=uniform:lo=80,hi=120,seed=2 -i volatility=uniform:lo=0.1,hi=0.5,seed=3
// test: -i options=30 -i rate=0.03 -i spot=uniform:lo=80,hi=120,seed=1 -i strike=uniform:lo=80,hi=120,seed=2 -i volatility=uniform:lo=0.1,hi=0.5,seed=3
// check: rel 1e-3
// dispatches: 1
#include <math.h>

enum { LEVELS = 64 };

void option_tree(int options, float rate, const float spot[options], const float strike[options],
                 const float volatility[options], float price[options]) {
#pragma omp parallel for
    for (int i = 0; i < options; i++) {
        float dt = 1.0f / (float)LEVELS, up = expf(volatility[i] * sqrtf(dt)), down = 1.0f / up;
        float rise = (expf(rate * dt) - down) / (up - down), discount = expf(-rate * dt);
        float value[LEVELS + 1];
        for (int k = 0; k <= LEVELS; k++) {
            float share = spot[i] * powf(up, (float)(2 * k - LEVELS));
            value[k] = fmaxf(strike[i] - share, 0.0f);
        }
        for (int level = LEVELS - 1; level >= 0; level--)
            for (int k = 0; k <= level; k++) {
                float share = spot[i] * powf(up, (float)(2 * k - level));
                float hold = discount * (rise * value[k + 1] + (1.0f - rise) * value[k]);
                value[k] = fmaxf(hold, strike[i] - share);
            }
        price[i] = value[0];
    }
}
