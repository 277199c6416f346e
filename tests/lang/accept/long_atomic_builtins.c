// The atomic operations of GNU C on 64-bit integers whose result is not used: as statements, cast to void, behind commas; on
// elements, scalars, members; and on integers of 8 and 16 bits. Statement expressions of the program's own are the same.
// test: -i n=300
// check: exact
#include <stdint.h>

struct counts {
    uint64_t all;
    long long odd;
};

void sums(int n, uint64_t words[8], long total[5], uint64_t out[4], unsigned char bytes[16], short halves[4]) {
    uint64_t sum = 1ull << 40;
    struct counts c = {5000000000u, -5};
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        __atomic_fetch_or(&words[i / 64], 1ull << i % 64, __ATOMIC_RELAXED);
        __sync_fetch_and_add(&sum, 3000000000u + (unsigned)i);
        (void)__sync_sub_and_fetch(&total[i % 3], 4000000000l);
        if (i % 2) __atomic_add_fetch(&c.odd, i * 5000000000ll, __ATOMIC_SEQ_CST), __sync_fetch_and_add(&c.all, 1);
        __sync_fetch_and_xor(total + 3, (long)i << 33);
        __atomic_and_fetch(&words[6], ~(1ull << i % 61), __ATOMIC_RELAXED);
        __sync_fetch_and_add(&bytes[i % 16], i);
        __atomic_sub_fetch(halves + i % 4, 700, __ATOMIC_RELAXED);
        ({
            long was;
#pragma omp atomic capture
            {
                was = total[4];
                total[4] += 1l << 50;
            }
            was;
        });
    }
    out[0] = sum;
    out[1] = c.all;
    out[2] = (uint64_t)c.odd;
}
