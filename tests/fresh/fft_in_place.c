// A transform in place, of numbers whose two parts stand side by side: rounds whose elements meet in groups of 16.
//
// test: -i bits=9 -i x=uniform:lo=-1,hi=1,seed=1
// check: abs 1e-3
#include <math.h>

void fft_in_place(int bits, float x[2 << bits]) {
    int n = 1 << bits;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int j = 0;
        for (int b = 0; b < bits; b++)
            j = j << 1 | (i >> b & 1);
        if (j > i) {
            float re = x[2 * i], im = x[2 * i + 1];
            x[2 * i] = x[2 * j];
            x[2 * i + 1] = x[2 * j + 1];
            x[2 * j] = re;
            x[2 * j + 1] = im;
        }
    }
    for (int length = 2; length <= n; length <<= 1) {
#pragma omp parallel for
        for (int t = 0; t < n / 2; t++) {
            int half = length / 2, block = t / half, k = t - block * half, a = block * length + k, b = a + half;
            float angle = -6.2831853f * (float)k / (float)length, c = cosf(angle), s = sinf(angle);
            float re = x[2 * b] * c - x[2 * b + 1] * s, im = x[2 * b] * s + x[2 * b + 1] * c;
            x[2 * b] = x[2 * a] - re;
            x[2 * b + 1] = x[2 * a + 1] - im;
            x[2 * a] += re;
            x[2 * a + 1] += im;
        }
    }
}
