// Functions that are handed to functions by name, on to others, by a type's name, and a local pointer that is one of them.
// test: -i n=60 -i x=uniform:lo=0,hi=2,seed=4
#include <math.h>

typedef float (*curve)(float);
float sum_of(float (*f)(float), int n, const float x[n]); // a prototype

static float f(float x) { return x * x - 0.5f; }
static float cube(float x) { return x * x * x; }
static float mix(float a, float b) { return a + 0.5f * b; }

static float twice(curve g, float x) { return (*g)(g(x)); }

static float slope(const curve f, float x, float h) { return (f(x + h) - f(x - h)) / (2 * h); }

static float fold(float (*with)(float, float), float of(float), int n, const float *x) {
    float all = 0;
    for (int i = 0; i < n; i++)
        all = with(all, of(x[i]));
    return all;
}

static void each(int n, const float x[n], float y[n], float (*of)(float)) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = of(x[i]) + twice(of, x[i]) + slope(of, x[i], 0.25f);
}

void run(int n, const float x[n], float y[n], float z[n], float s[6]) {
    float (*own)(float) = &cube;
    const curve other = f;
    s[0] = sum_of(f, n, x);
    s[1] = sum_of(&cube, n, x);
    s[2] = sum_of(sqrtf, n, x);
    s[3] = sum_of(own, n, x) + sum_of(other, n, x);
    s[4] = fold(mix, f, 7, x);
    s[5] = fold(fmaxf, own, n, x) + own(2);
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        curve here = expf;
        z[i] = here(x[i]) + twice(here, 0.1f * x[i]);
    }
    each(n, x, y, f);
}

float sum_of(float (*f)(float), int n, const float x[n]) {
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += f(x[i]);
    return sum;
}
