// cost_paths.c - costs summed along paths through an image, from both sides and from above: a loop that goes on as long as it is inside,
// with a row of values that the next place needs, and the least of them by a function of the program.
//
// run: -i h=480 -i w=640 -i cost=uniform:lo=0,hi=40,seed=4
// test: -i h=9 -i w=21 -i cost=uniform:lo=0,hi=40,seed=4
// check: exact
#include <stdint.h>
#include <string.h>

enum { LEVELS = 40, NEAR = 5, FAR = 19 };

static int least(int a, int b) { return a < b ? a : b; }

static void walk(int h, int w, const uint8_t cost[h][w][LEVELS], int sum[h][w][LEVELS], int y, int x, int down, int right) {
    int before[LEVELS + 2], now[LEVELS + 2], floor = 0;
    for (int k = 0; k < LEVELS + 2; k++)
        before[k] = now[k] = 0;
    while (y >= 0 && y < h && x >= 0 && x < w) {
        int low = 1 << 20;
        before[0] = before[LEVELS + 1] = 1 << 20;
        for (int k = 1; k <= LEVELS; k++) {
            int best = least(least(before[k], floor + FAR), least(before[k - 1], before[k + 1]) + NEAR);
            now[k] = cost[y][x][k - 1] + best - floor;
            low = least(low, now[k]);
            sum[y][x][k - 1] += now[k];
        }
        memcpy(before, now, sizeof before);
        floor = low;
        y += down;
        x += right;
    }
}

void cost_paths(int h, int w, const uint8_t cost[h][w][LEVELS], int sum[h][w][LEVELS], int level[h][w]) {
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        walk(h, w, cost, sum, y, 0, 0, 1);
#pragma omp parallel for
    for (int y = 0; y < h; y++)
        walk(h, w, cost, sum, y, w - 1, 0, -1);
#pragma omp parallel for
    for (int x = 0; x < w; x++)
        walk(h, w, cost, sum, 0, x, 1, 0);
#pragma omp parallel for collapse(2)
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int best = 0;
            for (int k = 1; k < LEVELS; k++)
                if (sum[y][x][k] < sum[y][x][best]) best = k;
            level[y][x] = best;
        }
}
