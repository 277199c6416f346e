// matvec_chain.c - a deep network at batch size one: x = f(W x) through one large matrix after the other, f(s) = s / (1
// + |s|).
//
// Weights are 16-bit floats, sums 32-bit; x is rounded to 16 bits after each layer. Nothing is read twice: 120
// matrices of 2048 x 2048 are 1 GB, and what counts is how fast they stream past. The default weights have a deviation
// of 1 / sqrt n, at which the signal dies slowly and rounding is not amplified. x is the input and the result; other,
// the other half of the pair.
//
// One barrier a layer: it reads all that the layer before wrote, and overwrites what that one read.
//
// run: -i layers=120 -i n=2048 -i w=uniform:lo=-0.0383,hi=0.0383,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// test: -i layers=6 -i n=64 -i w=uniform:lo=-0.2165,hi=0.2165,seed=1 -i x=uniform:lo=-1,hi=1,seed=2
// check: abs 2e-4
// dispatches: 1
// barriers: 1 a layer
#include <math.h>

static float squash(float s) { return s / (1.0f + fabsf(s)); }

void matvec_chain(int layers, int n, const _Float16 w[layers][n][n], float x[n], float other[n]) {
    float *now = x, *next = other;

#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (_Float16)x[i];

    for (int l = 0; l < layers; l++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < n; k++)
                sum += (float)w[l][i][k] * now[k];
            next[i] = (_Float16)squash(sum);
        }
        float *old = now;
        now = next;
        next = old;
    }

    if (layers % 2 == 1) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            x[i] = other[i];
    }
}
