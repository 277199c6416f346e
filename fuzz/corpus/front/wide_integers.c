// 64-bit integers where the values are known to fit in 32 bits: size_t and long as indices and counters, products that are cut.
// test: -i n=48 -i m=5 -i x=arange
// check: exact
#include <stddef.h>
#include <stdint.h>

void wide(int n, int m, const float x[n], float y[n], int out[n * m]) {
    size_t count = (size_t)n;
    long last = (long)n - 1;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (size_t k = 0; k < (size_t)m; k++)
            out[(size_t)i * (size_t)m + k] = (int)((int64_t)i - (int64_t)k);
        y[i] = x[last - i] + (float)count;
        ptrdiff_t d = &x[i] - x;
        y[i] += (float)d;
        uint64_t low = (uint64_t)i * 3u;
        out[(int64_t)i * m] = (int)(low % 7u);
    }
}
