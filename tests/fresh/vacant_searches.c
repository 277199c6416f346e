// run: -i n=2000 -i d=uniform:lo=0,hi=30,seed=1 -i w=uniform:lo=1,hi=90,seed=2
// test: -i n=90 -i d=uniform:lo=0,hi=30,seed=1 -i w=uniform:lo=1,hi=90,seed=2
// check: exact
// Searches that begin without a place: the next vertex of shortest paths, in sequential code; the largest of what is on in each row,
// by lanes; with numbers that nothing is worse than, and where there is a place already or none is found.
#include <limits.h>
#include <stdbool.h>

void vacant_searches(int n, const int d[n], const int w[n][n], int dist[n], int order[n], int top[n], int kept[n], unsigned low[n]) {
    bool done[n];
#pragma omp parallel for
    for (int v = 0; v < n; v++) {
        dist[v] = v % 11 == 3 ? INT_MAX : w[0][v];
        done[v] = v == 0;
    }
    for (int round = 1; round < n; round += 7) {
        int u = -1;
        for (int v = 0; v < n; v++)
            if (!done[v] && (u == -1 || dist[v] < dist[u])) u = v;
        order[round] = u;
        done[u] = true;
#pragma omp parallel for
        for (int v = 0; v < n; v++)
            if (!done[v] && dist[u] < INT_MAX && w[u][v] < 70 && dist[u] + w[u][v] < dist[v]) dist[v] = dist[u] + w[u][v];
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        int at = -1, best = 77, have = i % 5, had = d[have];
        unsigned least = 3, who = i;
        for (int k = 0; k < n; k++)
            if (w[i][k] % 17 == i % 19 && (at < 0 || w[i][k] > best)) { // for some rows there is none
                best = w[i][k];
                at = k;
            }
        for (int k = 0; k < n; k++)
            if (have < 0 || d[k] < had) {
                had = d[k];
                have = k;
            }
        int first = -1;
        for (int k = 0; k < n; k++)
            if (first < 0 || (w[k][i] % 3 ? UINT_MAX : 9u) < least) {
                least = w[k][i] % 3 ? UINT_MAX : 9u;
                first = k;
            }
        top[i] = at * 1000 + best;
        kept[i] = have * 1000 + had;
        low[i] = least + first + who;
    }
}
