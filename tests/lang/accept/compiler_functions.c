// What compilers of GNU C have beside the library: bits, and words to an optimiser, which change nothing.
// test: -i n=7 -i k=5,0,-5000000000,9223372036854775807,4294967296,-1,96
// check: exact
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void compilers(int n, const int64_t k[n], int y[n][6], float z[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        const int64_t *own = __builtin_assume_aligned(k, 8);
        int at[3] = {4, 5, 6};
        __builtin_prefetch(&k[i + 1], 0, 3);
        if (n < 0) __builtin_unreachable();
        y[i][0] = __builtin_parity((unsigned)k[i]) + 10 * __builtin_parityl((uint64_t)own[i]);
        y[i][1] = __builtin_ffs((int)k[i]) + 100 * __builtin_ffsll(k[i]);
        y[i][2] = abs(i - 4);
        memset(at, i, 2 * sizeof(int));
        y[i][3] = at[1] + at[2];
        memcpy(&y[i][4], at, 2 * sizeof(int));
        z[i] = fmaf((float)i, 2.0f, 1.0f) + floorf((float)i / 2);
        if (__builtin_constant_p(n)) z[i] += 0.0f;
    }
}
