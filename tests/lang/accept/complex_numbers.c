// Complex numbers of <complex.h>, and what GNU C adds: parts that can be set, imaginary constants.
// test: -i n=48 -i x=uniform:lo=0.1,hi=2,seed=1
// check: near 1e-5
#include <complex.h>

typedef float complex number;
struct wave {
    int id;
    number amplitude, parts[2];
};
static const number turns[4] = {1, I, -1, -I}, shift = 0.5f - 0.25f * I;

static number turned(number z, int by) { return z * turns[by & 3] + shift; }

static void scale(number *row, int n, number by) {
    while (n-- > 0)
        *row++ *= by;
}

void numbers(int n, const float x[n], float y[n][12]) {
    number sum = 0, product = 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        number z = x[i] + 2.0f * I, w = CMPLXF(1, x[i]), row[3] = {z, 1, w};
        struct wave wave = {.id = i, .amplitude = z - w, .parts = {[1] = conjf(z)}};
        scale(row, 3, 1.5f - I);
        z *= w;
        z /= 2;
        w = 1 / w - z;
        z -= turned(wave.parts[1], wave.id);
        __imag__ z += 0.5f;
        number before = z++, after = --z;
        z += before - after;
        *row = row[1]--;
        wave.parts[0] = row[0] * row[1] / row[2];
        y[i][0] = crealf(z);
        y[i][1] = __imag__ z;
        y[i][2] = cabsf(wave.parts[0]);
        y[i][3] = cargf(-w);
        y[i][4] = crealf(cexpf(z * 0.1f)) + cimagf(csqrtf(w));
        y[i][5] = z == w || !wave.amplitude ? 1.0f : 2.0f;
        float real = 3;
        real += z;
        y[i][6] = real;
        y[i][7] = (float)(x[i] > 0 ? wave.parts[0] : 2) + (float)(1.0if * (1i + z));
        y[i][8] = crealf(clogf(z) * ~w);
        y[i][9] = cimagf(cpowf(z, 2)) + crealf(csinf(w) * ccosf(w));
        y[i][10] = cimagf(csinhf(w) + ccoshf(w));
        y[i][11] = creal(2.0 * z);
    }
#pragma omp parallel for reduction(+ : sum) reduction(* : product)
    for (int i = 0; i < n; i++) {
        sum += x[i] * cexpf(0.1f * I * i);
        product *= 1 + 0.01f * I * x[i];
    }
    y[0][0] = crealf(sum) + cimagf(product);
}
