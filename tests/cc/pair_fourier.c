// build: -fdouble=pair
// A spectral solver: rows and columns transformed by a radix-2 method with structs of two doubles and a table of roots, an evolution in
// the transformed space, a checksum a step.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 16
#define PI 3.14159265358979323846

typedef struct {
    double real, imag;
} dcomplex;

static dcomplex u0[N][N], u1[N][N], roots[N];
static double twiddle[N][N];

static void transform(int sign, int n, dcomplex *row, int stride) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            dcomplex t = row[i * stride];
            row[i * stride] = row[j * stride];
            row[j * stride] = t;
        }
    }
    for (int len = 2; len <= n; len <<= 1)
        for (int i = 0; i < n; i += len)
            for (int k = 0; k < len / 2; k++) {
                dcomplex w = roots[k * (N / len)], a = row[(i + k) * stride], b = row[(i + k + len / 2) * stride];
                double wi = sign * w.imag;
                double re = b.real * w.real - b.imag * wi, im = b.real * wi + b.imag * w.real;
                row[(i + k) * stride].real = a.real + re;
                row[(i + k) * stride].imag = a.imag + im;
                row[(i + k + len / 2) * stride].real = a.real - re;
                row[(i + k + len / 2) * stride].imag = a.imag - im;
            }
}

static void fft2(int sign, dcomplex x[N][N]) {
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        transform(sign, N, &x[i][0], 1);
#pragma omp parallel for // GPU
    for (int j = 0; j < N; j++)
        transform(sign, N, &x[0][j], N);
}

static void evolve(void) {
#pragma omp parallel for collapse(2) // GPU
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            u0[i][j].real = u0[i][j].real * twiddle[i][j];
            u0[i][j].imag = u0[i][j].imag * twiddle[i][j];
            u1[i][j] = u0[i][j];
        }
}

static dcomplex checksum(void) {
    dcomplex sum = {0.0, 0.0};
    double re = 0.0, im = 0.0;
#pragma omp parallel for reduction(+ : re, im) // GPU
    for (int j = 1; j <= 64; j++) {
        int q = j % N, r = (3 * j) % N;
        re += u1[q][r].real;
        im += u1[q][r].imag;
    }
    sum.real = re / (N * N);
    sum.imag = im / (N * N);
    return sum;
}

int main(void) {
    const double alpha = 1e-3;
    double seed = 314159.0;
    for (int k = 0; k < N; k++) {
        roots[k].real = cos(2.0 * PI * k / N);
        roots[k].imag = sin(2.0 * PI * k / N);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int kx = i < N / 2 ? i : i - N, ky = j < N / 2 ? j : j - N;
            twiddle[i][j] = exp(-4.0 * alpha * PI * PI * (kx * kx + ky * ky));
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            seed = fmod(seed * 16807.0, 2147483647.0);
            u0[i][j].real = seed / 2147483647.0;
            seed = fmod(seed * 16807.0, 2147483647.0);
            u0[i][j].imag = seed / 2147483647.0;
        }
    fft2(1, u0);
    for (int iter = 1; iter <= 3; iter++) {
        evolve();
        fft2(-1, u1);
        dcomplex sum = checksum();
        printf("T = %d checksum = %.11e %.11e\n", iter, sum.real, sum.imag);
    }
    return 0;
}
