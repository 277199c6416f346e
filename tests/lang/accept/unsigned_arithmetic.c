// Arithmetic of unsigned: wrap-around, division and remainder of large values, logical shifts, negation, conversion from and to int.
// test: -i n=61
// check: exact
#include <stdint.h>

void arithmetic(int n, uint32_t out[n][9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        uint32_t a = (uint32_t)i * 2654435761u, b = 0xFFFFFFF0u + (uint32_t)i;
        out[i][0] = a + b;
        out[i][1] = (uint32_t)i - 30u;
        out[i][2] = a * b;
        out[i][3] = a / 7u + b / 3000000000u;
        out[i][4] = a % 1000003u;
        out[i][5] = a >> 31 | a << 1;
        out[i][6] = -a;
        out[i][7] = (uint32_t)(-i);
        out[i][8] = (uint32_t)((int)a / 3);
    }
}
