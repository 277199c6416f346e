// A call option's price by Simpson's rule over the payoff's density, beside the closed form, for a grid of strikes and maturities.
// run: -i strikes=1024 -i dates=256 -i spot=100 -i rate=0.03 -i volatility=0.2
// test: -i strikes=24 -i dates=5 -i spot=100 -i rate=0.03 -i volatility=0.2
// check: abs 2e-3
#include <math.h>

enum { POINTS = 400 };
#define ROOT_2PI 2.5066282746310002

static float density(float z) {
    return expf(-0.5f * z * z) / (float)ROOT_2PI;
}

static float payoff(float end, float strike) {
    return end > strike ? end - strike : 0.0f;
}

static float normal_below(float z) {
    return 0.5f * erfcf(-z * 0.70710678f);
}

void prices(int strikes, int dates, float spot, float rate, float volatility, float integrated[strikes][dates],
            float closed[strikes][dates]) {
#pragma omp parallel for collapse(2)
    for (int s = 0; s < strikes; s++)
        for (int d = 0; d < dates; d++) {
            float strike = spot * (0.5f + (float)s / (float)strikes), years = 0.25f * (float)(d + 1);
            float spread = volatility * sqrtf(years), drift = (rate - 0.5f * volatility * volatility) * years;
            float discount = expf(-rate * years);
            // from the z where the option begins to pay
            float lo = (logf(strike / spot) - drift) / spread, hi = lo > 4.0f ? lo + 4.0f : 8.0f;
            if (lo < -8.0f)
                lo = -8.0f;
            float h = (hi - lo) / POINTS, sum = 0.0f;
            for (int k = 0; k <= POINTS; k++) {
                float z = lo + h * (float)k;
                int weight = k == 0 || k == POINTS ? 1 : k % 2 ? 4 : 2;
                sum += (float)weight * density(z) * payoff(spot * expf(drift + spread * z), strike);
            }
            integrated[s][d] = discount * sum * h / 3.0f;
            float d2 = -(logf(strike / spot) - drift) / spread;
            closed[s][d] = spot * normal_below(d2 + spread) - strike * discount * normal_below(d2);
        }
}
