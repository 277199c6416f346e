// lastprivate of 64-bit integers, small ones, truth values and structs, also of a loop that counts down.
// test: -i n=60 -i k=uniform:lo=-9000000000000,hi=9000000000000,seed=4
// check: exact
#include <stdbool.h>
#include <stdint.h>

struct place {
    int at;
    int64_t value;
    float scale[2];
};

void last(int n, const int64_t k[n], int64_t y[4], int z[6]) {
    int64_t high = 5, old = 7;
    uint64_t bits = 1;
    uint8_t small = 9;
    bool odd = true;
    struct place p = {0, 0, {0, 0}}, q = {3, 4, {5, 6}};
#pragma omp parallel for lastprivate(high, bits, small, odd, p)
    for (int i = 0; i < n; i++) {
        high = k[i] * 3;
        bits = (uint64_t)k[i] << 7 | 5;
        small = (uint8_t)(i * 7);
        odd = i & 1;
        p = (struct place){i, k[i] + i, {(float)i, 0.5f}};
    }
#pragma omp parallel for lastprivate(old, q)
    for (int i = n - 1; i >= 3; i -= 2) {
        old = k[i] - i;
        q = (struct place){i, old, {0.25f, (float)i}};
    }
    y[0] = high + old;
    y[1] = (int64_t)bits;
    y[2] = p.value + q.value;
    y[3] = small;
    z[0] = odd;
    z[1] = p.at + q.at;
    z[2] = (int)(p.scale[0] + p.scale[1] * 2);
    z[3] = (int)(q.scale[0] * 100 + q.scale[1]);
}
