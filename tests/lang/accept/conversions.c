// Conversions: float to int cuts the fraction, int to float rounds to nearest, between widths the low bits are kept.
// test: -i n=64
// check: exact
#include <stdbool.h>
#include <stdint.h>

void convert(int n, int out[n][8], float real[n][3]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = (float)(i - 32) * 0.375f;
        out[i][0] = (int)x;
        out[i][1] = (int)(unsigned)(x * x);
        int big = 16777216 + i * 3;
        real[i][0] = (float)big;
        real[i][1] = (float)(0xFFFFFF00u - (unsigned)i);
        real[i][2] = i;
        unsigned u = 3000000000u + (unsigned)i;
        out[i][2] = (int)u;
        out[i][3] = (int16_t)u;
        out[i][4] = (uint8_t)(int8_t)-i;
        out[i][5] = (bool)x + (bool)(i & 2);
        out[i][6] = 'a' + (char)i;
        int cut = x;
        out[i][7] = cut;
    }
}
