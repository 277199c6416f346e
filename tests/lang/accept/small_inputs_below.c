// Elements of 8 and 16 bits whose index is a sum of a part below zero and a constant: the word of the sum is wanted.
// test: -i n=48 -i a=arange -i b=uniform:lo=0,hi=255,seed=1 -i row=const:-1
// check: exact
#include <stdint.h>

void below(int n, const uint16_t a[n][70], const uint8_t b[n][68], const int row[n], int out[n][4]) {
#pragma omp parallel for
    for (int i = 1; i < n; i++) {
        out[i][0] = a[row[i] + 1][35];
        out[i][1] = b[row[i] + 2][6];
        out[i][2] = a[i + -1][4];
        out[i][3] = b[row[i] * i + n][67];
    }
}
