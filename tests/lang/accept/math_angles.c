// Angles that depend on each other, small, large, infinite: statements between loops are compiled for small ones, and done
// again where one was not; variables that they change and branches that they take must not show it. All angles are multiples of 1/128,
// so that no rounding of theirs is made large.
// test: -i n=96 -i x=uniform:lo=0.2,hi=2.1,seed=7
// check: out rel 2e-4
// check: kind exact
#include <math.h>

void angles(int n, const float x[n], float out[n][4], int kind[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float a = floorf(x[i] * 64.0f) * 0.015625f + 0.0078125f, b = 0.0f, sum = 1.0f;
        int turns = 0;
        for (int t = 0; t < 6; t++) {
            float big = i % 3 == 0 && t == i % 6 ? 1e6f : i % 7 == 1 && t == 2 ? 20000.0f : 1.0f;
            float s = sinf(a * big), c = cosf(a * big);
            if (s > 0.0f) {
                turns += 1;
                b = sinf(c + 0.25f) + (c > 0.0f ? cosf(a * 5000.0f) : sinf(a * 13000.0f));
            } else {
                turns += 100;
                b = b * 0.5f + cosf(s) * cosf(b);
            }
            sum += s * 0.125f + c * 0.25f + b;
            a += 0.125f;
        }
        float away = i % 16 == 5 ? INFINITY : a;
        float lost = sinf(away) + cosf(away) + sinf(a + 1.0f);
        out[i][0] = sum;
        out[i][1] = b + 4.0f;
        out[i][2] = lost != lost ? -1.0f : 2.5f + lost;
        out[i][3] = a;
        kind[i] = turns;
    }
}
