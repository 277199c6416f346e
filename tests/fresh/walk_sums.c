// Running sums of a long array in blocks, each of which an iteration walks along: its sum first, then where it begins,
// then the sums themselves; the last block is shorter. And the smallest so far of each block.
// run: -i n=16777000 -i x=uniform:lo=-1,hi=1,seed=1
// test: -i n=19990 -i x=uniform:lo=-1,hi=1,seed=1
// check: abs 1e-3
#include <math.h>
#define B 64

void walk_sums(int n, const float x[n], float y[n], float low[n], float part[(n + B - 1) / B]) {
    int blocks = (n + B - 1) / B;
#pragma omp parallel for
    for (int b = 0; b < blocks; b++) {
        int first = b * B, end = first + B < n ? first + B : n;
        float sum = 0.0f;
        for (int i = first; i < end; i++)
            sum += x[i];
        part[b] = sum;
    }
    float before = 0.0f;
    for (int b = 0; b < blocks; b++) {
        float sum = part[b];
        part[b] = before;
        before += sum;
    }
#pragma omp parallel for
    for (int b = 0; b < blocks; b++) {
        int first = b * B, end = first + B < n ? first + B : n;
        float sum = part[b], least = INFINITY;
        for (int i = first; i < end; i++) {
            sum += x[i];
            least = fminf(least, x[i]);
            y[i] = sum;
            low[i] = least;
        }
    }
}
