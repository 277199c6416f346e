// fft.c - the fast Fourier transform of a complex signal, there and back.
//
// Source: T. G. Stockham, "High-speed convolution and correlation", 1966: stages that sort themselves, between two arrays.
//
// run: -i bits=20 -i rounds=4 -i re=normal:seed=1 -i im=normal:seed=2
// test: -i bits=8 -i rounds=1 -i re=normal:seed=1 -i im=normal:seed=2
// check: abs 1e-3
// dispatches: 1
// barriers: 4 for six stages, the two left over, and the scaling
#include <math.h>

void fft(int bits, int rounds, float re[1 << bits], float im[1 << bits]) {
    int n = 1 << bits;
    float re2[1 << bits], im2[1 << bits];
    for (int r = 0; r < 2 * rounds; r++) {
        float sign = r % 2 ? 6.2831853f : -6.2831853f;
        for (int s = 0; s < bits; s++) {
            int half = n >> (s + 1), stride = 1 << s;
#pragma omp parallel for
            for (int i = 0; i < n / 2; i++) {
                int p = i / stride, q = i % stride;
                float angle = sign * (float)p / (float)(2 * half), c = cosf(angle), w = sinf(angle);
                float ar = re[q + stride * p], ai = im[q + stride * p];
                float br = re[q + stride * (p + half)], bi = im[q + stride * (p + half)];
                float dr = ar - br, di = ai - bi;
                re2[q + stride * 2 * p] = ar + br;
                im2[q + stride * 2 * p] = ai + bi;
                re2[q + stride * (2 * p + 1)] = dr * c - di * w;
                im2[q + stride * (2 * p + 1)] = dr * w + di * c;
            }
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                re[i] = re2[i];
                im[i] = im2[i];
            }
        }
        if (r % 2) {
#pragma omp parallel for
            for (int i = 0; i < n; i++) {
                re[i] /= (float)n;
                im[i] /= (float)n;
            }
        }
    }
}
