// A pointer that may be into one of several arrays: chosen by ?:, by if, by a parameter; a null pointer.
// test: -i n=40 -i which=1 -i a=arange -i b=uniform:lo=0,hi=1,seed=3
// check: exact
#include <stddef.h>

static float pick(const float *p, const float *otherwise, int i) {
    return p != NULL ? p[i] : otherwise[i];
}

void choice(int n, int which, const float a[n], const float b[n], float out[n][4], float even[n], float odd[n]) {
    const float *source = which ? b : a;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const float *p = i % 2 ? a : b;
        out[i][0] = p[i];
        const float *q = source;
        if (i % 3 == 0)
            q = p + 1 - 1;
        out[i][1] = q[i] + *q;
        out[i][2] = pick(i % 4 ? NULL : a, b, i);
        float local[3] = {1.0f, 2.0f, 3.0f};
        float scratch[2] = {8.0f, 9.0f};
        float *w = i % 5 ? local : scratch;
        w[1] = (float)i;
        out[i][3] = local[1] + scratch[1];
        float *target = i % 2 ? odd : even;
        target[i] = 1.0f;
    }
}
