// 64-bit integers to and from every other type; constants of every size.
// test: -i n=200 -i k=uniform:lo=-9223372036854775808,hi=9223372036854775807,seed=1 -i x=normal:seed=2
// check: exact
#include <stdint.h>

void conversions(int n, const int64_t k[n], const float x[n], float f[n][4], int64_t s[n][6], int y[n][8]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int64_t a = k[i] >> (i % 64);
        uint64_t u = (uint64_t)k[i] >> (i % 64);
        f[i][0] = (float)a;
        f[i][1] = (float)u;
        f[i][2] = a;
        f[i][3] = (float)(a * 3 + 1);
        s[i][0] = (int64_t)(x[i] * 1e15f);
        s[i][1] = (int64_t)(x[i] * 7.0f);
        s[i][2] = (int64_t)(uint64_t)(x[i] * x[i] * 1e18f);
        s[i][3] = (int8_t)a;
        s[i][4] = (uint16_t)u;
        s[i][5] = (int)a;
        y[i][0] = (int8_t)a;
        y[i][1] = (int)(uint8_t)(u >> 13);
        y[i][2] = (int16_t)(a >> 20);
        y[i][3] = (uint16_t)a;
        y[i][4] = (int)a;
        y[i][5] = (int)(unsigned)u;
        y[i][6] = (_Bool)(u >> 40);
        y[i][7] = (a == 9223372036854775807) + (u != 18446744073709551615u) + (a < 0x100000000) + (a == -1099511627776);
    }
}
