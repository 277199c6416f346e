// largest_both_ways.c - the largest of values by a comparison and by fmaxf in one loop, beginning with no number: that
// stays until the first fmaxf, and what was only compared before does not count.
//
// test: -i n=100 -i x=uniform:lo=-1,hi=1,seed=3 -i y=uniform:lo=0,hi=2,seed=4
// check: exact
#include <math.h>

void largest_both_ways(int n, const float x[n], const float y[n], float out[n][2]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float top = sqrtf(x[i]), low = sqrtf(x[n - 1 - i]);
        for (int k = 0; k < n; k++) {
            if (x[k] > top) top = x[k];
            if (k % 70 == i % 70) top = fmaxf(top, y[k] - 1.5f);
            low = x[k] < low ? x[k] : low;
            low = k % 70 == i % 70 ? fminf(low, y[k]) : low;
        }
        out[i][0] = top;
        out[i][1] = low;
    }
}
