// A transform as textbooks have it, blocks and what is in them: in the last rounds there are few blocks.
//
// test: -i bits=9 -i re=uniform:lo=-1,hi=1,seed=1 -i im=uniform:lo=-1,hi=1,seed=2
// check: abs 1e-3
#include <math.h>

void fft_textbook(int bits, float re[1 << bits], float im[1 << bits]) {
    int n = 1 << bits;
    for (int len = 2; len <= n; len <<= 1) {
        int half = len / 2;
#pragma omp parallel for
        for (int i = 0; i < n; i += len) {
            float step = -6.2831853f / (float)len;
            for (int j = i; j < i + half; j++) {
                float c = cosf(step * (float)(j - i)), s = sinf(step * (float)(j - i));
                float vr = re[j + half] * c - im[j + half] * s, vi = re[j + half] * s + im[j + half] * c;
                re[j + half] = re[j] - vr;
                im[j + half] = im[j] - vi;
                re[j] += vr;
                im[j] += vi;
            }
        }
    }
    for (int len = n; len >= 2; len >>= 1) {
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i += len)
            for (int j = 0; j < len / 2; j++) {
                float a = re[i + j], b = re[i + j + len / 2];
                re[i + j] = 0.5f * (a + b);
                re[i + j + len / 2] = 0.5f * (a - b);
            }
    }
}
