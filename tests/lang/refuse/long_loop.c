// A parallel loop with more than 2^32 iterations.
// test: -i n=16
// error: 7:5: 'i' may not fit in 32 bits, in which a parallel loop counts
#include <stdint.h>
void f(int n, int y[n]) {
#pragma omp parallel for
    for (int64_t i = 0; i < 5000000000; i++)
        y[i % n] = 1;
}
