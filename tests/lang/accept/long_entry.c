// Entry scalars of 64-bit types whose values do not fit in 32 bits, written and passed on; an entry that returns a long.
// test: -i n=12 -i big=-5000000000 -i mask=1099511627775 -i small=7
// check: exact
#include <stddef.h>
#include <stdint.h>

static int64_t scaled(int64_t by, int64_t v) { return by * v; }

long entry(size_t n, int64_t big, uint64_t mask, long small, int64_t y[n][3]) {
    big -= 1;
    const uint64_t kept = mask >> 3;
#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        y[i][0] = scaled(big, (int64_t)i) / small;
        y[i][1] = (int64_t)((mask ^ kept) * (i + 1));
        y[i][2] = small << i;
    }
    return big;
}
