// 8 and 16-bit variables: promoted to int in arithmetic, cut when stored; char is signed.
// test: -i n=70
// check: exact
#include <stdint.h>

static int8_t narrow(int x) {
    return (int8_t)x;
}

void small(int n, int out[n][9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint8_t a = (uint8_t)(200 + i), b = (uint8_t)(i * 5);
        out[i][0] = a + b;           // int: no wrap at 256
        a = (uint8_t)(a + b);
        out[i][1] = a;
        int8_t c = (int8_t)(i * 4);
        out[i][2] = c >> 1;
        c++;
        out[i][3] = -c;
        uint16_t d = (uint16_t)(i * 4000);
        d *= 3;
        out[i][4] = d - 65536;
        int16_t e = (int16_t)(i * 1000);
        e -= 7;
        out[i][5] = e;
        char f = (char)(i * 3);
        out[i][6] = f < 0 ? -1 : f;
        out[i][7] = narrow(i * 9) + ~b;
        unsigned char g = (unsigned char)~a;
        out[i][8] = g == (uint8_t)~a;
    }
}
