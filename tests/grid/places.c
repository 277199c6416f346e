// places.c - few blocks of a sort by digits, each of which takes places from counters of its own, in order; then some of
// them take places where those of other counters overlap, and the last one stays.
//
// run: -i n=200000 -i key=uniform:lo=0,hi=4294967295,seed=4
// test: -i n=1900 -i key=uniform:lo=0,hi=4294967295,seed=4
// check: exact
// dispatches: 1
#include <stdint.h>
#define BLOCKS 4
#define DIGITS 16

void places(int n, const uint32_t key[n], uint32_t sorted[n], uint32_t from[n], int rank[n], int left[BLOCKS][3], int last[BLOCKS][n]) {
    int per = (n + BLOCKS - 1) / BLOCKS;
    int start[DIGITS][BLOCKS];
#pragma omp parallel for
    for (int b = 0; b < BLOCKS; b++) {
        for (int d = 0; d < DIGITS; d++)
            start[d][b] = 0;
        for (int i = b * per; i < (b + 1) * per && i < n; i++)
            start[key[i] >> 28][b]++;
        for (int k = 0; k < 3; k++)
            left[b][k] = 2 * k;
        for (int k = 0; k < n; k++)
            last[b][k] = -1;
    }
    int sum = 0;
    for (int d = 0; d < DIGITS; d++)
        for (int b = 0; b < BLOCKS; b++) {
            int count = start[d][b];
            start[d][b] = sum;
            sum += count;
        }
#pragma omp parallel for
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = b * per; i < (b + 1) * per && i < n; i++) {
            int to = start[key[i] >> 28][b]++;
            sorted[to] = key[i];
            from[to] = (uint32_t)i;
            rank[i] = to;
        }
        for (int i = b * per + 1; i < (b + 1) * per && i < n; i++) {
            uint32_t k = key[i] >> 5 & 7;
            if (k < 3) {
                int to = left[b][k];
                left[b][k] = to + 3;
                last[b][to] = i;
            }
        }
    }
}
