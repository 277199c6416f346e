// left_with_count.c - a loop that is left when something has settled, and counts the pass in which it is: lanes share the
// loops in it.
//
// test: -i n=4 -i b=normal:seed=1
// check: near 1e-3
#include <math.h>
#define N 64
void left_with_count(int n, const float b[n][N], float x[n][N], int its[n]) {
#pragma omp parallel for
    for (int c = 0; c < n; c++) {
        float a[N], d[N];
        int k;
        for (int i = 0; i < N; i++)
            a[i] = b[c][i];
        for (k = 0; k < 100; k++) {
            float s = 0;
            for (int i = 0; i < N; i++)
                d[i] = 0.5f * a[i] - 0.2f * a[(i + 1) % N];
            for (int i = 0; i < N; i++) {
                a[i] = d[i];
                s += d[i] * d[i];
            }
            if (s < 1e-3f) {
                k++; break;
            }
        }
        for (int i = 0; i < N; i++)
            x[c][i] = a[i];
        its[c] = k;
    }
}
