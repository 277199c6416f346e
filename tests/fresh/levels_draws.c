// levels_draws.c - a generator of random numbers in each of few rows, and what its draws decide: a walk that takes those
// that are accepted, a list of them, the first that is rare, draws until then.
//
// run: -i n=2000000 -i m=8 -i seed=11
// test: -i n=2049 -i m=3 -i seed=11
// check: exact
#include <stdint.h>

void levels_draws(int n, int m, uint32_t seed, uint32_t taken[m][n], int out[m][6]) {
#pragma omp parallel for
    for (int r = 0; r < m; r++) {
        uint32_t s = seed + (uint32_t)r * 977u, rare = 0;
        int walk = 0, highest = 0, count = 0, returns = 0, done = 0, before = 0;
        for (int t = 0; t < n; t++) {
            s = s * 1664525u + 1013904223u;
            uint32_t u = s >> 8;
            s = s * 1664525u + 1013904223u;
            if (!done) {
                before += (int)(u & 3u);
                if (s >> 22 == 5u) {
                    done = 1;
                    rare = s;
                }
            }
            if (u % 3u != 0u) continue;
            walk += u & 64u ? 1 : -1;
            highest = walk > highest ? walk : highest;
            if (walk == 0) returns++;
            if (walk > highest / 2) taken[r][count++] = s;
        }
        out[r][0] = walk;
        out[r][1] = highest;
        out[r][2] = count;
        out[r][3] = returns;
        out[r][4] = before;
        out[r][5] = (int)rare;
    }
}
