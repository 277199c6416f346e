// modff and frexpf: parts of a float, and of numbers that have none.
// test: -i n=200 -i x=normal:sd=90,seed=3
// check: exact
#include <math.h>

static const float ends[8] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1.fffffep-1f, INFINITY, -INFINITY, 0x1p-126f};

void parts(int n, const float x[n], float whole[n], float left[n], float half[n], int exponent[n], float other[8],
           float signs[8]) {
    int e[2];
#pragma omp parallel for private(e)
    for (int i = 0; i < n; i++) {
        float own = x[i];
        left[i] = modff(x[i], &whole[i]);
        half[i] = frexpf(own, &e[1]) + modff(own, &own); // may share a variable
        exponent[i] = e[1];
    }
#pragma omp parallel for
    for (int i = 0; i < 8; i++) {
        float all;
        int two;
        other[i] = i == 5 || i == 6 ? 0.0f : frexpf(ends[i], &two) * (i < 2 ? 1.0f : (float)two);
        signs[i] = copysignf(1.0f, modff(ends[i], &all));
        other[i] += i == 5 ? (float)isinf(all) : modff(ends[i], &all);
    }
}
