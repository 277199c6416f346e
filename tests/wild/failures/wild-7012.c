// Random program 7012, shrunk: interpreter, as lowered.
// WHORL_UNSUPPORTED: 7012.c:24:13: error: a reduction of 64-bit integers takes an element an iteration, at most 16777216: write a loop over blocks around it, and the parallel loop over these; where its end is computed, or under --uniform, end it at a constant, and leave the rest out by an if
// run: -i n=39 -i m=2 -i steps=4

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

static float keep(float x) { return (float)((int)(x * 16.0f) % 1024) * 0.0625f; }

struct s0 {
    int a[2];
    int b;
};

void wild_7012(int n, int m, int steps, const int key[n],
          int *y, uint8_t a0[m], const unsigned in1[n][4], float a2[n][m], const struct s0 in3[8][m],
          struct s0 s4[n], const uint8_t in5[2 * n][m], int a6[m]) {
    for (int t7 = 0, end8 = t7 + 3; t7 < end8; t7++) {
        int round9 = 0;
        do {
            round9++;
            {
                uint64_t r18 = 0;
#pragma omp parallel
                {
#pragma omp for reduction(- : r18)
                    for (int i19 = 0; i19 < t7; i19++) {
                        int j20 = 0;
                        while (j20++ < 6 && ((uint64_t)((int64_t)((uint64_t)(int64_t)steps) >> ((unsigned)in5[(0x90284561u) % (unsigned)(2 * n)][((int)((unsigned)(key[end8]) % 2u))] & 63u)) != ((uint64_t)in1[m][(18u) % (unsigned)(4)] * (uint64_t)(int64_t)end8))) {
                            r18 -= (uint64_t)(int64_t)round9;
                        }
                    }
#pragma omp barrier
                }
            }
        } while (round9 < 6 && (keep(0.5f * a2[(unsigned)((-823)) % (unsigned)(n)][((unsigned)key[((int)((unsigned)((int)(keep(5.1250f * a2[end8][((end8) % 2)]) * 4.0f)) % 39u))]) % (unsigned)(m)] + a2[(((in5[(((in3[(((t7) & 7))][((n) % 2)].a[(n < 0 ? 0 : n > 1 ? 1 : n)]) & 63))][(in1[end8][(n < 0 ? 0 : n > 3 ? 3 : n)]) % (unsigned)(m)]) & 31))][0]) <= a2[(((a0[((steps) % 2)]) & 31))][((((a6[(0x876b8fcfu < 0xb10ea8cbu)] >> 1)) & 1))]));
    }
}
