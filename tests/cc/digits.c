// build: -fdouble=float
// Numbers of 46 bits in doubles, as generators of random numbers have them: taken apart by constants of a macro, of a function, by division.
// Floats would have lost their digits without a word. And numbers that are cut off with nothing lost.
#include <math.h>
#include <stdio.h>

#define HALF10 (0.5 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5 * 0.5)
#define R23 (HALF10 * HALF10 * 0.5 * 0.5 * 0.5)
#define T23 8388608.0

enum { N = 300 };
static double seeds[N], out[N];
static unsigned words[N];
static int bins[64];

static double by_macro(double x, double a) {
    double t1 = R23 * a;
    double a1 = (int)t1, a2 = a - T23 * a1;
    t1 = R23 * x;
    double x1 = (int)t1, x2 = x - T23 * x1;
    t1 = a1 * x2 + a2 * x1;
    double z = t1 - T23 * (int)(R23 * t1), t3 = T23 * z + a2 * x2;
    return t3 - T23 * T23 * (int)(R23 * R23 * t3);
}

static double by_constant(double x) {
    const double r = 1.1920928955078125e-07, t = 8.388608e+06;
    double high;
    high = x * r;
    return x - t * floor(high);
}

static double by_loop(double x) {
    double r = 1, t = 1.0;
    for (int i = 0; i < 23; i++)
        r = 0.5 * r, t *= 2;
    return x - t * (int)(r * x);
}

static double by_scale(double x, double scale) { // of any value
    double r = 1;
    r = r * scale;
    return x - 8 * floor(r * x);
}

static void generate(void) {
#pragma omp parallel for // CPU: more than the 24 bits of a float
    for (int i = 0; i < N; i++)
        out[i] = by_macro(seeds[i], 1220703125.0);
}
static void low_digits(void) {
#pragma omp parallel for // CPU: more than the 24 bits of a float
    for (int i = 0; i < N; i++)
        out[i] += by_constant(seeds[i]);
#pragma omp parallel for // CPU: more than the 24 bits of a float
    for (int i = 0; i < N; i++)
        out[i] -= (double)(long)(seeds[i] / 8388608.0);
}

static void loops(void) {
#pragma omp parallel for // CPU: more than the 24 bits of a float
    for (int i = 0; i < N; i++)
        out[i] += by_loop(seeds[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        seeds[i] = by_scale(i, 0.125);
}

static void count(void) {
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double part = words[i] / 4294967296.0;
        int bin = (int)(part * 64), other = (int)(64 * (words[i] * 0x1p-32));
#pragma omp atomic
        bins[bin]++;
#pragma omp atomic
        bins[other] += 2;
    }
}
static void wrap(void) {
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        double x = i * 0.75;
        out[i] = x - 16 * floor(x / 16) + (int)(x * 0.0625);
    }
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        seeds[i] = 271828183.0 * (i + 1);
        words[i] = (unsigned)i << 23;
    }
    generate();
    low_digits();
    loops();
    for (int i = 0; i < N; i++)
        sum += out[i] * (i % 5);
    printf("%.0f\n", sum);
    count();
    wrap();
    sum = 0;
    for (int i = 0; i < N; i++)
        sum += out[i] + bins[i % 64] * i;
    printf("%.2f\n", sum);
    return 0;
}
