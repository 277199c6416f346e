// scan_nan.c - the largest so far where the first is no number: it stays where `>` chooses, and fmaxf leaves it.
//
// test: -i n=40000 -i x=uniform:lo=0,hi=1,seed=1
// check: exact
#include <math.h>

void scan_nan(int n, const float x[n], float y[n], float z[n], float r[4]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = z[i] = 0;
    float top = sqrtf(x[0] - 2.0f), low = x[0], most = sqrtf(x[0] - 2.0f), least = sqrtf(x[1] - 2.0f);
    for (int i = 1; i < n; i++) {
        float v = i == 777 ? sqrtf(x[i] - 3.0f) : x[i] * (float)i;
        if (v > top) top = v;
        if (v < low) low = v;
        if (i > 5000) most = fmaxf(most, v);
        least = fminf(least, v);
        y[i] = top;
        z[i] = most;
    }
    r[0] = top;
    r[1] = low;
    r[2] = most;
    r[3] = least;
}
