// Integers of 128 bits.
// test: -i n=16
// error: 8:37: 128-bit integers are not supported: keep two uint64_t, and make a product of 64-bit numbers of the four products
#include <stdint.h>
void f(int n, uint64_t x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (uint64_t)((unsigned __int128)x[i] * x[i] >> 64);
}
