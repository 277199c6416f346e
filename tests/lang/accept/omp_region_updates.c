// What a region does outside of its worksharing loops, each of its threads does: it updates its own copy of a reduction's
// variable, which starts at the operator's neutral value, and all copies are combined when the region ends.
// test: -i n=90 -i x=arange
// check: exact
#include <omp.h>
#include <stdbool.h>

static void add_twice(int *to, int value) {
    *to += value;
    *to += value;
}

void updates(int n, const int x[n], int out[24], float f[3]) {
    int ones = 0, mixed = 100, low = 1000, high = -1000, bits = 0, both = -1, odd = 5, product = 3;
    unsigned wide = 1;
    bool all = true, any = false;
    float sum = 0.5f, most = -1e30f, least = 8.0f;
#pragma omp parallel num_threads(8) reduction(+ : ones)
    ones += 1;
#pragma omp parallel num_threads(8) reduction(+ : mixed)
    {
        mixed += 1;
#pragma omp for
        for (int i = 0; i < n; i++)
            mixed += i + x[i];
        for (int t = 0; t < 3; t++) {
            mixed += t;
#pragma omp for nowait
            for (int i = 0; i < n; i++)
                mixed += t;
            if (t == 1) mixed -= 7;
            if (omp_get_thread_num() == t) mixed += 1000;
        }
#pragma omp single
        mixed += 10000;
#pragma omp master
        add_twice(&mixed, 20000);
    }
#pragma omp parallel num_threads(7) reduction(min : low) reduction(max : high) reduction(| : bits) reduction(& : both)
    {
        int tid = omp_get_thread_num();
        low = low < tid - 3 ? low : tid - 3;
        if (high < 2 * tid) high = 2 * tid;
        bits |= 1 << tid;
        both &= ~(1 << (2 * tid));
#pragma omp for
        for (int i = 0; i < n; i++)
            high = high > x[i] ? high : x[i];
    }
#pragma omp parallel num_threads(3) reduction(^ : odd) reduction(* : product, wide)
    {
        odd ^= 6;
        product *= 2;
        wide *= 3u;
        product *= omp_get_thread_num() + 1;
    }
#pragma omp parallel num_threads(5) reduction(&& : all) reduction(|| : any)
    {
        all = all && omp_get_thread_num() < 4;
        any = any || omp_get_thread_num() == 4;
    }
#pragma omp parallel num_threads(4) reduction(+ : sum) reduction(max : most) reduction(min : least)
    {
        float half = 0.5f * (float)omp_get_thread_num();
        sum += 0.25f;
        sum += half;
        most = half > most ? half : most;
        least = half < least ? half : least;
    }
    int set = 7, read = 1, inner = 0;
#pragma omp parallel num_threads(6) reduction(+ : set, read, inner)
    { // no sum: what counts is the copy of the thread
        set = 5;
        read += 2;
        if (read == 2) read *= 10;
        for (int k = 0; k < 4; k++)
            inner += k;
    }
    out[0] = ones;
    out[1] = mixed;
    out[2] = low;
    out[3] = high;
    out[4] = bits;
    out[5] = both;
    out[6] = odd;
    out[7] = product;
    out[8] = (int)wide;
    out[9] = all;
    out[10] = any;
    out[11] = set;
    out[12] = read;
    out[13] = inner;
    f[0] = sum;
    f[1] = most;
    f[2] = least;
}
