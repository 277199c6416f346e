// Elements of 8 and 16 bits that neighbours write and read.
// test: -i n=600 -i steps=7 -i cells=uniform:lo=0,hi=255,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a step
#include <stdint.h>

void small_types(int n, int steps, uint8_t cells[n], int16_t other[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            other[i] = (int16_t)(cells[i > 0 ? i - 1 : n - 1] * 100 - cells[(i + 290) % n] * 90);
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            cells[i] = (uint8_t)(other[i] + other[i < n - 1 ? i + 1 : 0] + t);
    }
}
