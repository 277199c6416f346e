// finance.h - one day of one trading policy: a small network with two cells of memory steers leverage and concentration
// of a portfolio of 16 assets. Used by finance.c and finance_curve.c; finance_steps.c writes the same day out loop by
// loop.
//
// A genome is 246 weights: W1[8][16], B1[16], W2[16][6], B2[6]. A day is 36 signals: s0..s3 describe the market,
// s4..s19 are the assets' raw attractions, s20..s35 the assets' returns of that day (fractions: 0.01 is one percent).
#ifndef FINANCE_H
#define FINANCE_H

#include <math.h>

enum {
    FINANCE_INPUTS = 8,
    FINANCE_HIDDEN = 16,
    FINANCE_OUTPUTS = 6,
    FINANCE_ASSETS = 16,
    FINANCE_B1 = FINANCE_INPUTS * FINANCE_HIDDEN,
    FINANCE_W2 = FINANCE_B1 + FINANCE_HIDDEN,
    FINANCE_B2 = FINANCE_W2 + FINANCE_HIDDEN * FINANCE_OUTPUTS,
    FINANCE_WEIGHTS = FINANCE_B2 + FINANCE_OUTPUTS,
    FINANCE_ATTRACTION = 4,
    FINANCE_RETURN = FINANCE_ATTRACTION + FINANCE_ASSETS,
    FINANCE_SIGNALS = FINANCE_RETURN + FINANCE_ASSETS
};

#define FINANCE_SELL_COST 0.0002f
#define FINANCE_BUY_COST 0.0004f
#define FINANCE_DAILY_COST 0.00001f
#define FINANCE_SMALL_TRADE 0.05f
#define FINANCE_RUIN (-9999.0f)

// value, peak: what the policy sees of itself (value is held above 1e-8, and a value of 0.05 or less is as good as
// lost). wealth, top, drawdown: what it is judged by. All start at a wealth of 1.
struct fund {
    float value, peak, memory0, memory1, wealth, top, drawdown;
};

static inline struct fund fund_start(void) {
    struct fund f = {1.0f, 1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f};
    return f;
}

static inline float fund_clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }

static inline float fund_sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// Wealth at the end, or ruin where more than half of it was lost on the way.
static inline float fund_fitness(struct fund f) { return f.drawdown > 0.5f ? FINANCE_RUIN : f.wealth; }

static inline void fund_normalise(float share[FINANCE_ASSETS]) {
    float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
    for (int a = 0; a < FINANCE_ASSETS; a++)
        sum += share[a];
    float scale = 1.0f / fmaxf(sum, 1e-8f);
#pragma omp simd
    for (int a = 0; a < FINANCE_ASSETS; a++)
        share[a] *= scale;
}

// Lives through one day with genome w and signals s. `held` are the shares held from the day before; they become the
// new ones.
static inline struct fund fund_day(struct fund f, float held[FINANCE_ASSETS], const float w[FINANCE_WEIGHTS],
                                   const float s[FINANCE_SIGNALS]) {
    float slump = fund_clamp((f.peak - f.value) / f.peak, 0.0f, 1.0f);
    float rise = fund_clamp(10.0f * (f.value / f.peak - 1.0f), 0.0f, 1.0f);
    float x[FINANCE_INPUTS] = {s[0], fminf(5.0f * slump, 1.0f), 0.0f, rise, s[1], s[2], f.memory0, f.memory1};

    float hidden[FINANCE_HIDDEN], output[FINANCE_OUTPUTS];
#pragma omp simd
    for (int j = 0; j < FINANCE_HIDDEN; j++) {
        float sum = w[FINANCE_B1 + j];
        for (int k = 0; k < FINANCE_INPUTS; k++)
            sum += x[k] * w[k * FINANCE_HIDDEN + j];
        hidden[j] = tanhf(fund_clamp(sum, -10.0f, 10.0f));
    }
    for (int j = 0; j < FINANCE_OUTPUTS; j++) {
        float sum = w[FINANCE_B2 + j];
#pragma omp simd reduction(+ : sum)
        for (int k = 0; k < FINANCE_HIDDEN; k++)
            sum += hidden[k] * w[FINANCE_W2 + k * FINANCE_OUTPUTS + j];
        output[j] = fund_sigmoid(sum);
    }
    float leverage = 1.0f + 2.0f * output[1];
    float cap = (1.0f - 0.8f * output[0]) * (0.2f + 0.8f * output[3]);
    f.memory0 = output[4];
    f.memory1 = output[5];

    float share[FINANCE_ASSETS];
#pragma omp simd
    for (int a = 0; a < FINANCE_ASSETS; a++)
        share[a] = fmaxf(s[FINANCE_ATTRACTION + a], 0.0f);
    fund_normalise(share);
#pragma omp simd
    for (int a = 0; a < FINANCE_ASSETS; a++)
        share[a] = fminf(share[a], cap);
    fund_normalise(share);

    float earned = 0.0f, cost = 0.0f;
#pragma omp simd reduction(+ : earned, cost)
    for (int a = 0; a < FINANCE_ASSETS; a++) {
        float kept = fabsf(share[a] - held[a]) < FINANCE_SMALL_TRADE ? held[a] : share[a];
        earned += kept * s[FINANCE_RETURN + a];
        cost += fabsf(kept - held[a]) * (kept < held[a] ? FINANCE_SELL_COST : FINANCE_BUY_COST);
        held[a] = kept;
    }
    float change = leverage * earned - leverage * cost - FINANCE_DAILY_COST;

    f.value = fmaxf(f.value * (1.0f + change), 1e-8f);
    if (f.value <= 0.05f) f.value = 0.0001f;
    f.peak = fmaxf(f.peak, f.value);
    f.wealth *= 1.0f + change;
    f.top = fmaxf(f.top, f.wealth);
    f.drawdown = fmaxf(f.drawdown, (f.top - f.wealth) / f.top);
    return f;
}

#endif
