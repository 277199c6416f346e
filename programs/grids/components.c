// components.c - the connected parts of the dark pixels of an image: each pixel gets the least number in its part.
//
// Source: labels spread to neighbours until nothing changes, and jump to the label of their label (Y. Shiloach,
// U. Vishkin, "An O(log n) parallel connectivity algorithm", 1982).
//
// run: -i n=1024 -i dark=0.55 -i shade=uniform:lo=0,hi=1,seed=1
// test: -i n=24 -i dark=0.55 -i shade=uniform:lo=0,hi=1,seed=1
// check: exact
// dispatches: 1
// barriers: 2 a round
#include <stdbool.h>

void components(int n, float dark, const float shade[n][n], int label[n * n], int old[n * n], int rounds[1]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            label[i * n + j] = shade[i][j] < dark ? i * n + j : -1;
    int round = 0;
    bool changed = true;
    while (changed) {
        changed = false;
        round++;
#pragma omp parallel for
        for (int p = 0; p < n * n; p++)
            old[p] = label[p];
#pragma omp parallel for collapse(2) reduction(|| : changed)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int p = i * n + j, least = old[p];
                if (least < 0) continue;
                if (i > 0 && old[p - n] >= 0 && old[p - n] < least) least = old[p - n];
                if (i < n - 1 && old[p + n] >= 0 && old[p + n] < least) least = old[p + n];
                if (j > 0 && old[p - 1] >= 0 && old[p - 1] < least) least = old[p - 1];
                if (j < n - 1 && old[p + 1] >= 0 && old[p + 1] < least) least = old[p + 1];
                if (old[least] < least) least = old[least];
                if (least != old[p]) {
                    label[p] = least;
                    changed = true;
                }
            }
    }
    rounds[0] = round;
}
