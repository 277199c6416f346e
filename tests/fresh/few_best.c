// few_best.c - the few largest of many values with their places, a list for each thread, and the lists merged.
//
// run: -i n=1048576 -i x=normal:seed=1
// test: -i n=70000 -i x=normal:seed=1
// check: exact
// dispatches: 2
#include <omp.h>
#define K 10

static void insert(float v, int i, float top[K], int at[K]) {
    if (v < top[K - 1] || (v == top[K - 1] && i > at[K - 1])) return;
    int k = K - 1;
    while (k > 0 && (top[k - 1] < v || (top[k - 1] == v && at[k - 1] > i))) {
        top[k] = top[k - 1];
        at[k] = at[k - 1];
        k--;
    }
    top[k] = v;
    at[k] = i;
}

void best_few(int n, const float x[n], float top[K], int at[K]) {
    for (int k = 0; k < K; k++) {
        top[k] = -1e30f;
        at[k] = n;
    }
#pragma omp parallel
    {
        float mine[K];
        int where[K];
        for (int k = 0; k < K; k++) {
            mine[k] = -1e30f;
            where[k] = n;
        }
#pragma omp for nowait
        for (int i = 0; i < n; i++)
            insert(x[i], i, mine, where);
#pragma omp critical
        for (int k = 0; k < K; k++)
            insert(mine[k], where[k], top, at);
    }
}
