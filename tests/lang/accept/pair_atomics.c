// -fdouble=pair: doubles and 64-bit integers that atomics and critical sections of a loop only add to, or combine, beside 32-bit ones; in
// nested loops, under conditions, in regions, in a function, beside a section that keeps the best.
// test: -fdouble=pair -i n=700 -i x=uniform:lo=-9,hi=9,seed=1
// check: rel 1e-12
#include <stdint.h>

static double total;
static long count;

static void add_up(int n, const double x[n]) {
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < n; i++) {
        double part = 0.0;
        for (int k = 0; k < 3; k++)
            part += x[(i + k) % n] * 0.1;
#pragma omp critical(total)
        {
            total += part;
            count++;
        }
    }
}

void atomics(int n, const double x[n], double out[6], uint64_t words[4], int whole[2]) {
    double sum = 2.0, product = 0.5, high = -1.0;
    uint64_t bits = 1, all = UINT64_MAX;
    long far = 0;
    int even = 0, at = -1;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < n; i++) {
            if (x[i] > 0.0) {
#pragma omp atomic
                sum += x[i];
            }
#pragma omp atomic update
            product = product - x[i] * 0.25;
#pragma omp atomic
            bits ^= (uint64_t)i * 0x9E3779B97F4A7C15u;
        }
#pragma omp for collapse(2) nowait
        for (int i = 0; i < n / 7; i++)
            for (int j = 0; j < 7; j++) {
#pragma omp atomic
                all &= ~((uint64_t)1 << (i * j % 61));
#pragma omp critical
                {
                    far -= (long)i * 1000000007;
                    even += i % 2;
                }
            }
    }
    double again = 0.0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++) {
#pragma omp atomic
            again += x[i] * k;
        }
#pragma omp critical(high)
        if (x[i] > high) {
            high = x[i];
            at = i;
        }
    }
    total = 1.0;
    add_up(n, x);
    add_up(n / 2, x);
    out[0] = sum;
    out[1] = product;
    out[2] = again;
    out[3] = high;
    out[4] = total;
    words[0] = bits;
    words[1] = all;
    words[2] = (uint64_t)far;
    words[3] = (uint64_t)count;
    whole[0] = even;
    whole[1] = at;
}
