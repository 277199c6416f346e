// Read-only inputs of 8 and 16 bits, bool and _Float16: widened when read, as C promotes them.
// test: -i n=48 -i a=arange -i b=arange -i c=arange -i d=arange -i e=arange -i flags=const:1
// check: exact
#include <stdbool.h>
#include <stdint.h>

void widen(int n, const int8_t a[n], const uint8_t b[n], const int16_t c[n], const uint16_t d[n], const _Float16 e[n],
           const bool flags[n], int out[n][5], float real[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        out[i][0] = a[i] * 1000 - b[i];
        out[i][1] = c[i] - d[n - 1 - i];
        out[i][2] = flags[i] ? a[i] : -1;
        out[i][3] = (int8_t)(a[i] * 5) + (uint8_t)~b[i];
        out[i][4] = b[i] << 8 | a[(i + 1) % n];
        real[i] = (float)e[i] * 0.5f + d[i];
    }
}
