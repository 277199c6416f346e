// Variables of each thread that a `single` reads, where they have the same value in all threads once more, or may have
// any of theirs.
// test: -i n=40 -i x=arange
// check: exact
#include <omp.h>
void single_reads(int n, const int x[n], int out[8], int y[n]) {
    int last;
#pragma omp parallel num_threads(4) private(last)
    {
        int id = omp_get_thread_num(), own[2];
        last = id;
        own[0] = id * 2;
        own[1] = 7;
        out[last] = own[0] + own[1];
        last = x[n - 1];
#pragma omp barrier
#pragma omp single
        if (last > 30) out[5] = last + own[1];
#pragma omp single nowait
        out[6] = last < 0 ? own[0] : own[1];
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = last + i;
    }
}
