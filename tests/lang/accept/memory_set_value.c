// memset of a byte that is known only when the program runs, of integers of each size.
// test: -i n=40 -i k=uniform:lo=-300,hi=300,seed=3
// check: exact
#include <stdint.h>
#include <string.h>

struct pixel {
    unsigned colour;
    int depth[2];
};

void set(int n, const int k[n], uint8_t bytes[n][24], int8_t small[n][3], short shorts[n][4], int ints[n][5],
         uint64_t longs[n][2], struct pixel pixels[n], int around[9]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        memset(bytes[i], k[i], 24);
        memset(bytes[i] + 4, bytes[i][0] + 1, (size_t)(k[i] & 7)); // as far as data say
        memset(small[i], k[i] * 5, sizeof small[i]);
        memset(shorts[i], i, sizeof shorts[i]);
        memset(ints[i] + 1, -k[i], 3 * sizeof(int));
        memset(longs[i], 0x80 + i, sizeof longs[i]);
        memset(&pixels[i], k[i] >> 1, sizeof pixels[i]);
        int own[4] = {1, 2, 3, 4}, at = i;
        memset(own, at++, sizeof own);
        ints[i][0] = own[3] ^ at;
    }
    memset(around, k[3], 9 * sizeof(int));
}
