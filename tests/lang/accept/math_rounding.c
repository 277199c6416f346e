// floor ceil trunc round rint nearbyint, fmin fmax with NaN, fabs copysign fdim, fmod, fma, ldexp scalbn: exact everywhere.
// test: -i n=101
// check: exact
#include <math.h>
#include <stdlib.h>

void rounding(int n, float out[n][16]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = (float)(i - 50) * 0.25f;
        out[i][0] = floorf(x);
        out[i][1] = ceilf(x);
        out[i][2] = truncf(x);
        out[i][3] = roundf(x);
        out[i][4] = rintf(x);
        out[i][5] = nearbyintf(x);
        out[i][6] = fminf(x, 2.0f) + fmaxf(NAN, x);
        out[i][7] = fminf(x, NAN);
        out[i][8] = fabsf(x);
        out[i][9] = copysignf(3.0f, x);
        out[i][10] = fmodf(x * 8.0f, 2.5f);
        out[i][11] = fmaf(x, 0.5f, 1.0f);
        out[i][12] = ldexpf(x, i % 10 - 5);
        out[i][13] = sqrtf((float)(i * i));
        out[i][14] = fdimf(x, 1.0f);
        out[i][15] = (float)lroundf(x) + (float)abs(i - 50);
    }
}
