// scan_fill.c - the last value that was known goes on, beginning with none: a NaN in front of it does not stay; and sums
// of segments, of which the first has a NaN.
//
// test: -i n=4099 -i x=zeros
// check: exact
#include <math.h>

void scan_fill(int n, float x[n], float filled[n], float sums[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = i % 700 == 690 ? (float)i : i == 5 ? NAN : -1.0f;
    float last = NAN, sum = 0.0f;
    for (int t = 0; t < n; t++) {
        last = x[t] > 0.0f ? x[t] : last;
        filled[t] = last;
    }
    for (int t = 0; t < n; t++) {
        if (t % 700 == 0) sum = 0.0f;
        sum += x[t];
        sums[t] = sum;
    }
}
