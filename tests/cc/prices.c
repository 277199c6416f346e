// build: -fdouble=float
// Prices of options, by a formula and by a lattice; input by strtod of arguments, parts of an array by pointers.
// args: 0.05 0.3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { OPTIONS = 3000, STEPS = 64 };

static float normal_cdf(float x) { return 0.5f * erfcf(-x * 0.70710678f); }

static void by_formula(int n, const float *price, const float *strike, float *result, float rate, float volatility) {
    int i;
#pragma omp parallel for simd // GPU
    for (i = 0; i < n; ++i) {
        float root = volatility, d1 = (logf(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility)) / root;
        result[i] = price[i] * normal_cdf(d1) - strike[i] * expf(-rate) * normal_cdf(d1 - root);
    }
}

int main(int argc, char **argv) {
    double rate = argc > 1 ? strtod(argv[1], NULL) : 0.02, volatility = argc > 2 ? strtod(argv[2], NULL) : 0.2;
    float *all = (float *)malloc(3 * OPTIONS * sizeof(float)), *price = all, *strike = all + OPTIONS, *result = all + 2 * OPTIONS;
    if (all == NULL) return 1;
    for (int i = 0; i < OPTIONS; i++) {
        price[i] = 5.0f + (float)(i % 25);
        strike[i] = 1.0f + (float)(i % 99);
    }
    by_formula(OPTIONS, price, strike, result, (float)rate, (float)volatility);
    double lattice[OPTIONS / 100];
    double dt = 1.0 / STEPS, up = exp(volatility * sqrt(dt)), q = (exp(rate * dt) - 1 / up) / (up - 1 / up), less = exp(-rate * dt);
#pragma omp parallel for // GPU
    for (int i = 0; i < OPTIONS / 100; i++) {
        double value[STEPS + 1], s = price[i * 100];
        for (int k = 0; k <= STEPS; k++) {
            double end = s * pow(up, 2.0 * k - STEPS) - strike[i * 100];
            value[k] = end > 0 ? end : 0;
        }
        for (int t = STEPS; t > 0; t--)
            for (int k = 0; k < t; k++)
                value[k] = less * (q * value[k + 1] + (1 - q) * value[k]);
        lattice[i] = value[0];
    }
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    double sum = 0, far = 0;
    for (int i = 0; i < OPTIONS; i++)
        sum += result[i];
    for (int i = 0; i < OPTIONS / 100; i++)
        far = fmax(far, fabs(lattice[i] - result[i * 100]));
    printf("%.3f %s\n", sum / OPTIONS, far < 0.1 && use.ru_maxrss > 0 ? "near" : "far");
    free(all);
    return 0;
}
