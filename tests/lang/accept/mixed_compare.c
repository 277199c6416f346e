// Comparisons of int with unsigned convert the int; of small types promote; results are 0 or 1 of type int.
// test: -i n=40
// check: exact
#include <stdint.h>
#pragma GCC diagnostic ignored "-Wsign-compare"

void compare(int n, int out[n][7]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int a = i - 20;
        unsigned b = 10u;
        out[i][0] = a < b;
        out[i][1] = a < (int)b;
        out[i][2] = (a < 5) + (a > -5) * 2 + (a == 0) * 4 + (a != 3) * 8;
        uint8_t c = (uint8_t)a;
        out[i][3] = c > a;
        out[i][4] = (a - b) > 0;
        out[i][5] = b - 11u > a;
        int8_t d = (int8_t)(a * 8);
        out[i][6] = d <= -1 ? 1 : d >= b ? 2 : 3;
    }
}
