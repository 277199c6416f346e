// lanes_search.c - searches for the best and its place that lanes share, from step to step of a table: of equal ones
// the first or the last, the one with the smaller name, under a condition, from the far end, with what else the best
// has, and of floats that are no numbers.
//
// run: -i steps=300 -i n=30 -i m=1000 -i table=uniform:lo=0,hi=9,seed=1
// run: -i name=uniform:lo=0,hi=99,seed=2 -i x=uniform:lo=-3,hi=3,seed=3
// test: -i steps=4 -i n=20 -i m=100 -i table=uniform:lo=0,hi=9,seed=1
// test: -i name=uniform:lo=0,hi=99,seed=2 -i x=uniform:lo=-3,hi=3,seed=3
// check: exact
// dispatches: 1
#include <math.h>

void lanes_search(int steps, int n, int m, int table[steps][m], const int name[m], const float x[n][m],
                  int from[steps][m], int who[n][5], float value[n][3]) {
    for (int t = 1; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            int best = 2147483647, at = -1;
            for (int k = i; k < m; k++) {
                int c = table[t - 1][k] + (name[k] ^ i) % 4;
                if (c < best) {
                    best = c;
                    at = k;
                }
            }
            table[t][i] = best % 1000;
            from[t][i] = at;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float low = 1e30f, high = -0.0f, top = NAN;
        int last = -1, other = 5, named = 100, most = -1, far = -1, never = i;
        for (int k = 0; k < m; k++) {
            if (name[k] % 3 == 0) continue;
            float c = floorf(x[i][k]);
            if (name[k] % 7 == 0) c = NAN;
            if (c <= low) {
                low = c;
                last = k * 2 + i;
                other = name[k];
            }
        }
        for (int k = m - 1; k >= 0; k--)
            if (floorf(x[i][k]) > high) {
                high = floorf(x[i][k]);
                far = k;
            }
        for (int k = 0; k < m; k++) {
            int c = (name[k] * (i + 1)) % 11;
            if (c > most || (c == most && name[k] < named)) {
                most = c;
                named = name[k];
            }
        }
        for (int k = 0; k < m; k++)
            if (x[i][k] > top) {
                top = x[i][k];
                never = k;
            }
        who[i][0] = last;
        who[i][1] = other;
        who[i][2] = named;
        who[i][3] = far;
        who[i][4] = never;
        value[i][0] = low;
        value[i][1] = high;
        value[i][2] = top != top ? (float)most : top;
    }
}
