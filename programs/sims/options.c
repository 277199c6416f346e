// options.c - the price of an Asian call option by Monte Carlo: the right to the excess of a share's average price over
// `strike`.
//
// The share follows a geometric Brownian motion under the risk-neutral measure; the average is arithmetic over `steps`
// equal dates. It has no closed form, but the same option on the geometric average has, and the two payoffs are nearly
// equal on every path. So the geometric option is the control variate: price = its closed form + the mean difference of
// the discounted payoffs. Source: A. Kemna, A. Vorst, "A pricing method for options based on average asset values", J.
// Banking and Finance 14, 1990.
//
// result[0] price with the control variate, [1] its standard error; [2] price by the plain mean, [3] its standard
// error; [4] geometric option in closed form, [5] geometric option by the plain mean: [4] and [5] must agree within
// about [3]. Money in the share's currency, rate and volatility a year, continuously compounded. Block b of path i is
// counter (b, i, 0, 0) under key (seed, 0): four dates.
//
// run: -i paths=1000000 -i steps=252 -i seed=1 -i spot=100 -i strike=100 -i rate=0.05 -i volatility=0.2 -i years=1
// test: -i paths=2000 -i steps=30 -i seed=1 -i spot=100 -i strike=100 -i rate=0.05 -i volatility=0.2 -i years=1
// check: rel 5e-5
// dispatches: 2
#include <math.h>

#include "../lib/philox.h"

// Payoffs of one path, not discounted.
struct payoff {
    float arithmetic, geometric;
};

static struct payoff follow(uint32_t path, int steps, uint32_t seed, float spot, float strike, float drift,
                            float shock) {
    float log_price = 0.0f, sum = 0.0f, log_sum = 0.0f; // prices in units of the spot
    for (int t = 0; t < steps; t += 4) {
        struct philox r = philox4x32((uint32_t)t / 4u, path, 0, 0, seed, 0);
        float z[4] = {philox_normal01(r.x), philox_normal01(r.y), philox_normal01(r.z), philox_normal01(r.w)};
        for (int k = 0; k < 4; k++)
            if (t + k < steps) {
                log_price += drift + shock * z[k];
                sum += expf(log_price);
                log_sum += log_price;
            }
    }
    struct payoff p;
    p.arithmetic = fmaxf(spot * sum / (float)steps - strike, 0.0f);
    p.geometric = fmaxf(spot * expf(log_sum / (float)steps) - strike, 0.0f);
    return p;
}

// The standard normal distribution function, within 1e-7: Abramowitz and Stegun, formula 26.2.17.
static float normal_cdf(float x) {
    float t = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float poly = t * (0.319381530f + t * (-0.356563782f + t * (1.781477937f + t * (-1.821255978f + t * 1.330274429f))));
    float tail = 0.39894228f * expf(-0.5f * x * x) * poly;
    return x < 0.0f ? tail : 1.0f - tail;
}

// The discounted price of the call on the geometric average: its logarithm is normal.
static float geometric_price(int steps, float spot, float strike, float rate, float volatility, float years) {
    float n = (float)steps, dt = years / n;
    float mean = (rate - 0.5f * volatility * volatility) * dt * (n + 1.0f) * 0.5f; // of log(average / spot)
    float deviation = volatility * sqrtf(dt * (n + 1.0f) * (2.0f * n + 1.0f) / (6.0f * n));
    float d2 = (mean - logf(strike / spot)) / deviation;
    float forward = spot * expf(mean + 0.5f * deviation * deviation);
    return expf(-rate * years) * (forward * normal_cdf(d2 + deviation) - strike * normal_cdf(d2));
}

void options(int paths, int steps, uint32_t seed, float spot, float strike, float rate, float volatility, float years,
             float result[6]) {
    float dt = years / (float)steps;
    float drift = (rate - 0.5f * volatility * volatility) * dt, shock = volatility * sqrtf(dt);

    float plain = 0.0f, plain_squares = 0.0f, control = 0.0f, gap = 0.0f, gap_squares = 0.0f;
#pragma omp parallel for reduction(+ : plain, plain_squares, control, gap, gap_squares)
    for (int i = 0; i < paths; i++) {
        struct payoff p = follow((uint32_t)i, steps, seed, spot, strike, drift, shock);
        float difference = p.arithmetic - p.geometric;
        plain += p.arithmetic;
        plain_squares += p.arithmetic * p.arithmetic;
        control += p.geometric;
        gap += difference;
        gap_squares += difference * difference;
    }

    float n = (float)paths, discount = expf(-rate * years);
    float closed = geometric_price(steps, spot, strike, rate, volatility, years);
    result[0] = closed + discount * (gap / n);
    result[1] = discount * sqrtf((gap_squares / n - (gap / n) * (gap / n)) / n);
    result[2] = discount * (plain / n);
    result[3] = discount * sqrtf((plain_squares / n - (plain / n) * (plain / n)) / n);
    result[4] = closed;
    result[5] = discount * (control / n);
}
