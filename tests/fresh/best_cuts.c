// best_cuts.c - searches in iterations that are few, as they are written for all kinds of things: the best order of a
// chain of products by diagonals, the likeliest path through hidden states, the nearest of some points by a loop over
// their coordinates, the largest of a row by its place, points that are masked, names that decide between equal ones,
// and the two cheapest ways.
//
// run: -i n=512 -i m=2000 -i q=32 -i dim=uniform:lo=5,hi=50,seed=1 -i emit=uniform:lo=-3,hi=0,seed=2
// run: -i x=uniform:lo=-1,hi=1,seed=3 -i used=uniform:lo=0,hi=3,seed=4 -i name=uniform:lo=0,hi=500,seed=5
// test: -i n=100 -i m=150 -i q=6 -i dim=uniform:lo=5,hi=9,seed=1 -i emit=uniform:lo=-3,hi=0,seed=2
// test: -i x=uniform:lo=-1,hi=1,seed=3 -i used=uniform:lo=0,hi=3,seed=4 -i name=uniform:lo=0,hi=30,seed=5
// check: exact
#include <math.h>

void best_cuts(int n, int m, int q, const int dim[n + 1], int cost[n][n], int split[n][n], const float emit[q][n],
               float score[q][n], int back[q][n], const float x[m][4], const int used[m], const int name[m],
               int who[q][7], float far[q][3]) {
    for (int len = 2; len <= n; len++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i <= (n - len) / 4; i++) {
            int j = i + len - 1, best = 2147483647, at = i;
            for (int k = i; k < j; k++) {
                int c = cost[i][k] + cost[k + 1][j] + dim[i] * dim[k + 1] * dim[j + 1];
                if (c < best) {
                    best = c;
                    at = k;
                }
            }
            cost[i][j] = best;
            split[i][j] = at;
        }
    }
    for (int t = 1; t < q; t++) {
#pragma omp parallel for
        for (int u = 0; u < n / 4; u++) {
            float best = score[t - 1][0] + emit[t][u];
            int from = 0;
            for (int v = 1; v < n; v++)
                if (score[t - 1][v] + emit[t][(u * v) % n] >= best) {
                    best = score[t - 1][v] + emit[t][(u * v) % n];
                    from = v;
                }
            score[t][u] = best + emit[t][u];
            back[t][u] = from;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < q; i++) {
        float near = INFINITY, low = 1e30f;
        int at = -1, top = 0, free = -1, tied = 1000, cheap = 1000, second = 2147483647, first = 2147483647;
        for (int k = 0; k < m; k++) {
            float d = 0.0f;
            if (k == i) continue;
            for (int c = 0; c < 4; c++)
                d += floorf((x[i][c] - x[k][c]) * 8.0f) * floorf((x[i][c] - x[k][c]) * 8.0f);
            if (d < near) {
                near = d;
                at = k;
            }
        }
        for (int k = 1; k < m; k++)
            if (x[k][i % 4] > x[top][i % 4]) top = k;
        for (int k = m - 1; k >= 0; k -= 2) {
            if (used[k]) continue;
            float c = floorf(x[k][i % 4] * 4.0f);
            if (c < low) {
                low = c;
                free = k;
            }
        }
        for (int k = 0; k < m; k++) {
            int c = (name[k] + i) % 17;
            if (c < cheap || (c == cheap && name[k] < tied)) {
                cheap = c;
                tied = name[k];
            }
        }
        for (int k = 0; k < m; k++) {
            int c = name[k] ^ i;
            if (c < first) {
                second = first;
                first = c;
            } else if (c < second) {
                second = c;
            }
        }
        who[i][0] = at;
        who[i][1] = top;
        who[i][2] = free;
        who[i][3] = tied;
        who[i][4] = cheap;
        who[i][5] = first;
        who[i][6] = second;
        far[i][0] = near;
        far[i][1] = low;
        far[i][2] = x[top][i % 4];
    }
}
