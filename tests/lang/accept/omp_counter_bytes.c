// Worksharing loops with counters of 8 bits, in a region whose 256 threads each add up for themselves.
// test: -i n=100
// check: exact
#include <stdint.h>

void counter_bytes(int n, int x[n], int out[2]) {
#pragma omp parallel
    {
        int own = 0;
#pragma omp for
        for (uint8_t i = 0; i < n; i++)
            own += x[i] = i * 3 - (i << 1);
#pragma omp for collapse(2)
        for (int8_t i = n - 80; i >= 4; i -= 2)
            for (unsigned char k = n + 200; k < 50; k++)
                own += i - k;
#pragma omp critical
        out[0] += own;
    }
    out[1] = x[n - 1];
}
