// The Lyapunov exponent of the logistic map x -> r x (1 - x) over a range of r: above 0 it is chaotic.
// run: -i n=65536 -i steps=10000 -i from=2.8 -i to=4
// test: -i n=64 -i steps=400 -i from=2.8 -i to=3.5
// check: exponent abs 1e-3
// check: chaotic exact
#include <math.h>
#include <stdbool.h>

void lyapunov(int n, int steps, float from, float to, float exponent[n], int chaotic[1]) {
    int count = 0;
#pragma omp parallel for reduction(+ : count) schedule(dynamic)
    for (int i = 0; i < n; ++i) {
        const float r = from + (to - from) * (float)i / (float)(n - 1);
        float x = 0.4f, sum = 0.0f;
        for (int t = -100; t < steps; t++) {
            x = r * x * (1.0f - x);
            if (t < 0)
                continue;
            float stretch = fabsf(r - 2.0f * r * x);
            sum += logf(fmaxf(stretch, 1e-6f));
        }
        exponent[i] = sum / (float)steps;
        bool positive = exponent[i] > 0.01f;
        if (positive)
            count++;
    }
    chaotic[0] = count;
}
