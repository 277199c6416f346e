// Random program 910032, shrunk: interpreter, passes of single.
// the interpreter ended: i42.3 is read before it is set
// run: -i n=255 -i m=8 -i steps=6 -i shift=-13 -i key=1.88685454e+09 -i gain=1.25

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define UNIT 16.0f
enum { LEAST = -1024, MOST = 1023 };

// the nearest value that a variable may hold
static float fit(float x) {
    float y = fmaxf(x, -64.0f);
    y = fminf(y, 64.0f) * 16.0f;
    return truncf(y) / 16.0f;
}

void entry_910032(int n, int m, int steps, int shift, unsigned key, float gain, const int8_t a20[n * m][m], const uint32_t a21[steps][n], const int16_t a22[4], float b23[n], int b24[4], int line25[n], int line26[n]) {
    for (int t39 = 0; t39 < steps; t39++) {
        float acc41 = 0;
        for (int i42 = 1; i42 <= 6; i42++) {
            b23[i42] = fit(b23[i42 - 1] * 0.5f + (acc41));
        }
#pragma omp parallel for
        for (int i43 = 0; i43 < n; i43++) {
            line26[i43] = line25[(i43 + n / 2) % n];
        }
#pragma omp parallel for
        for (int i44 = 0; i44 < n; i44++) {
            line25[i44] = (int)b23[(i44 + 1) % n];
        }
    }
}
