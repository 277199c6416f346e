// Random program 88108, shrunk: interpreter, passes of single.
// the interpreter ended: i42.9 is read before it is set
// run: -i n=17 -i m=4 -i steps=6 -i shift=15 -i key=414760960 -i gain=0.5

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UNIT 16.0f
enum { LEAST = -1024, MOST = 1023 };

// the nearest value that a variable may hold
static float fit(float x) {
    return floorf(fminf(fmaxf(x, -64.0f), 64.0f) * UNIT) * (1.0f / UNIT);
}

static int fiti(int x) {
    if (x < 0)
        return -(-x & 1023);
    return x & 1023;
}

static const int table0[6][2] = {{-161, -419}, {-8, 837}, {825, 64}, {1023, 7}, {1016, 100}, {349, 1023}};

void entry_88108(int n, int m, int steps, int shift, unsigned key, float gain, const float a24[n * m], float b25[n], uint32_t b26[n][m], float *b27, int line28[n], int line29[n]) {
    for (int t32 = 0; t32 < steps; t32++) {
#pragma omp parallel for
        for (int i33 = 0; i33 < n; i33++) {
            line28[i33] = fiti((int)b27[(i33 + n - 1) % n] * 3 + (table0[steps - 2][m - 3] | line29[2]));
        }
#pragma omp parallel for
        for (int i41 = 0; i41 < n; i41++) {
            line29[i41] = (int)b25[(i41 + n / 2) % n];
        }
        for (int i42 = 1; i42 <= 6; i42++) {
            b27[i42] = fit(b27[i42 - 1] * 0.5f + (floorf(gain)));
        }
    }
}
