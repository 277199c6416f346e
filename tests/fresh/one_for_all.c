// one_for_all.c - rows in which one pass may write what all others read: the shortest ways by Floyd and Warshall with
// the next node of each, and the elimination of a column by whole rows. One loop ends beyond that pass, one before it.
//
// run: -i n=512 -i m=384 -i weight=uniform:lo=1,hi=10000,seed=1 -i a=uniform:lo=1,hi=30,seed=2
// test: -i n=70 -i m=45 -i weight=uniform:lo=1,hi=10000,seed=1 -i a=uniform:lo=1,hi=30,seed=2
// check: exact
#include <stdint.h>

void one_for_all(int n, int m, const uint16_t weight[n][n], int dist[n][n], int next[n][n], unsigned a[m][m]) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int w = weight[i][j];
            dist[i][j] = i == j ? -(i % 5) : w < 1500 ? w : 1 << 28;
            next[i][j] = i == j || w < 1500 ? j : -1;
        }
    for (int k = 0; k < n; k++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            if (i == k || dist[i][k] >= 1 << 28) continue;
            for (int j = 0; j < n; j++) {
                int d = dist[i][k] + dist[k][j];
                if (d < dist[i][j]) {
                    dist[i][j] = d;
                    next[i][j] = next[i][k];
                }
            }
        }
    }
    for (int k = 0; k < m - 1; k++) {
#pragma omp parallel for
        for (int i = 0; i < m; i++) {
            if (i == k) continue;
            for (int j = 1; j < m - 1; j++)
                a[i][j] = a[i][j] * 3u - a[i][k] * a[k][j] + (a[i][k] >> 3);
        }
    }
}
