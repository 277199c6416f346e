// The other functions of math.h, compared with libm; docs/language.md gives the error of each on the GPU.
// test: -i n=60 -i x=uniform:lo=0.05,hi=3,seed=1
// check: rel 1e-5
#include <math.h>

void functions(int n, const float x[n], float out[n][26]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float v = x[i], u = v * 0.3f;
        out[i][0] = expf(v);
        out[i][1] = exp2f(v);
        out[i][2] = expm1f(v);
        out[i][3] = logf(v) + 4.0f;
        out[i][4] = log2f(v) + 5.0f;
        out[i][5] = log10f(v) + 2.0f;
        out[i][6] = log1pf(v);
        out[i][7] = powf(v, 1.7f);
        out[i][8] = cbrtf(v);
        out[i][9] = hypotf(v, 2.0f);
        out[i][10] = sinf(v) + 2.0f;
        out[i][11] = cosf(v) + 2.0f;
        out[i][12] = tanf(u);
        out[i][13] = asinf(u);
        out[i][14] = acosf(u) + 1.0f;
        out[i][15] = atanf(v);
        out[i][16] = atan2f(v, -u);
        out[i][17] = sinhf(v);
        out[i][18] = coshf(v);
        out[i][19] = tanhf(v);
        out[i][20] = asinhf(v);
        out[i][21] = acoshf(v + 1.5f);
        out[i][22] = atanhf(u);
        out[i][23] = erff(v);
        out[i][24] = erfcf(v);
        out[i][25] = powf(-2.0f, 3.0f) + sqrtf(v);
    }
}
