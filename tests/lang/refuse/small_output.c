// An entry array of a small type that is written.
// test: -i n=16
// error: 5:23: uint8_t
#include <stdint.h>
void f(int n, uint8_t x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (uint8_t)i;
}
