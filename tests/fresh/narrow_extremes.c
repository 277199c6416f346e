// The largest and the smallest so far in types of 8 and 16 bits: what they cannot hold is cut where it is kept, and a
// value on the far side of all that they hold is never kept.
// test: -i n=300 -i x=uniform:lo=-100,hi=50,seed=1 -i y=uniform:lo=-70000,hi=30000,seed=2 -i small=uniform:lo=0,hi=200,seed=3
// check: exact
#include <stdint.h>

void narrow_extremes(int n, const int x[n], const int y[n], const uint8_t small[n], int out[8]) {
    uint8_t top = 3, picked = 0, plain = 0;
    int16_t least = 3000, most = -32768;
#pragma omp parallel for reduction(max : top)
    for (int i = 0; i < n; i++)
        if (top < x[i]) top = (uint8_t)x[i];
#pragma omp parallel for reduction(max : picked, plain)
    for (int i = 0; i < n; i++) {
        picked = picked > x[i] - 20 ? picked : x[i] - 20;
        if (small[i] > plain) plain = small[i];
    }
#pragma omp parallel for reduction(min : least) reduction(max : most)
    for (int i = n - 1; i >= 0; i -= 3) {
        if (-y[i] + 40000 < least) least = (int16_t)(-y[i] + 40000);
        if (y[i] > most) most = y[i];
    }
    uint8_t inside = 1;
#pragma omp parallel reduction(max : inside)
    {
#pragma omp for
        for (int i = 0; i < n; i++)
            inside = inside < x[i] ? x[i] : inside;
    }
    out[0] = top;
    out[1] = picked;
    out[2] = plain;
    out[3] = least;
    out[4] = most;
    out[5] = inside;
}
