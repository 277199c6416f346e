// 64-bit counters and sums whose steps and loops are bounded: computed in 32 bits.
// test: -i n=40 -i m=9 -i x=uniform:lo=0,hi=2,seed=1 -i small=uniform:lo=-128,hi=128,seed=2
// check: exact
#include <stddef.h>
#include <stdint.h>

static void step(int64_t *where, int by) { *where += by & 3; }

void counters(int n, int m, const float x[n][m], const int8_t small[n], int y[n][8], int total[4]) {
    long above = 0, sum = 0;
    size_t all = 0;
#pragma omp parallel for reduction(+ : above, all, sum)
    for (int i = 0; i < n; i++) {
        int kept[100] = {0};
        long count = 0, down = 65536;
        size_t last = 0, slot = 0;
        int64_t weighed = 0, edge = 0, chosen = 7;
        for (int j = 0; j < m; j++) {
            if (x[i][j] > 1.0f) {
                count++;
                above++;
            } else {
                last = (size_t)j;
            }
            weighed += x[i][j] > 0.5f ? small[i] : -1;
            weighed = weighed + j;
            down -= 3;
            step(&chosen, j);
            all += 1;
            if (x[i][j] > 1.0f) kept[slot++] = j;
        }
        for (int j = 0; j < 65536; j++)
            edge += 32767; // 2^31 - 2^16 at the end
        for (int k = 0; k < 3; k++) {
            long again = 0; // starts over in every pass
            for (int j = 0; j < 32768; j++)
                again += j & 0x7FFF;
            last += again > 0;
        }
        sum += small[i];
        y[i][0] = (int)count;
        y[i][1] = (int)last;
        y[i][2] = (int)weighed;
        y[i][3] = (int)down;
        y[i][4] = (int)chosen;
        y[i][5] = (int)edge;
        y[i][6] = kept[slot];
        y[i][7] = (int)(count++);
        y[i][7] += (int)(++count);
    }
    total[0] = (int)above;
    total[1] = (int)all;
    total[2] = (int)sum;
}
