// 64-bit counters by which iterations take places: captured, in sections, in functions, downwards, and from far away.
// test: -i n=500 -i x=uniform:lo=0,hi=9,seed=1
// check: exact
#include <stddef.h>
#include <stdint.h>

static size_t takes;
static size_t take(void) {
    size_t at;
#pragma omp atomic capture
    at = takes++;
    return at;
}

void places(int n, const int x[n], int seen[n], int listed[n], int down[n], int64_t out[6], int sums[4]) {
    const int64_t far = INT64_C(5000000000);
    long count = 0;
    size_t many = 0;
    int64_t last = far, total = 0;
    uint64_t left = (uint64_t)n;
    takes = 3;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] > 4) {
            size_t at;
#pragma omp atomic capture
            at = many++;
            seen[at] = 1;
        } else {
#pragma omp critical
            {
                listed[count++] = 1;
                total += x[i];
            }
        }
        int64_t own;
#pragma omp atomic capture
        own = ++last;
#pragma omp atomic
        sums[0] += (int)(own - far);
#pragma omp critical(left)
        {
            left--;
            down[left] = 1;
        }
        if (x[i] == 2) {
            int t = (int)take();
#pragma omp atomic
            sums[1] += t;
        }
    }
    for (int k = 0; k < 2; k++)
#pragma omp parallel for
        for (int i = 0; i < n; i++) {
            uint64_t at;
#pragma omp atomic capture
            {
                at = left;
                left += 1;
            }
#pragma omp atomic
            sums[2] += (int)at;
        }
    out[0] = count;
    out[1] = (int64_t)many;
    out[2] = last;
    out[3] = (int64_t)left;
    out[4] = (int64_t)takes;
    out[5] = total;
}
