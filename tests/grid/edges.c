// Guards at edges, whose neighbours are loaded before the guards are asked: of a matrix and of a row that stands for one; beside them a
// load that others than neighbours need, and a loop that ends when nothing changes.
// test: -i n=37 -i x=uniform:lo=0,hi=1000,seed=1
// check: exact
// dispatches: 1
#include <stdbool.h>

void edges(int n, int x[n * n], int old[n][n], int low[n * n], int rounds[1]) {
    bool changed = true;
    int round = 0;
    while (changed && round < 40) {
        changed = false;
        round++;
#pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                old[i][j] = x[i * n + j] + low[i * n + j] % 2;
#pragma omp parallel for collapse(2) reduction(|| : changed)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                int p = i * n + j, least = old[i][j];
                if (i > 0 && old[i - 1][j] < least) least = old[i - 1][j];
                if (i < n - 1 && old[i + 1][j] < least) least = old[i + 1][j];
                if (j > 0) least += old[i][j - 1] & 1;
                least -= j < n - 1 ? old[i][j + 1] & 1 : 2;
                if (least > 5 && old[least % n][j] < least) least--;
                if (least < x[p] - 1) {
                    x[p] = least;
                    changed = true;
                }
            }
#pragma omp parallel for
        for (int p = 0; p < n * n; p++) {
            int sum = x[p];
            if (p >= n && x[p - n] > 3) sum += x[p - n];
            if (p + n < n * n && x[p + n] > 3) sum += x[p + n];
            low[p] = sum;
        }
    }
    rounds[0] = round;
}
