// Shared scalars whose stores are no race only at first sight: two constants, a flag that others read, two iterations.
// error: 15:23: 'stop' is shared by all iterations of the parallel loop, and several of them may write it: declare it inside, or add private(stop), or reduction(|| : stop) where they set it
// error: 16:20: 'side' is shared by all iterations
// error: 22:21: 'ends' is shared by all iterations
// error: 23:21: 'wide' is shared by all iterations
// error: 29:44: 'odd' is shared by all threads of the region, and several of them may write it: declare it inside, or add private(odd), or reduction(+ : odd) where they add to it
// test: -i n=16
#include <omp.h>
#include <stdbool.h>
void f(int n, int x[n], int y[n]) {
    bool stop = false;
    int side = 0, ends = 0, wide = 0, odd = 0;
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (x[i] > 5) stop = true;
        if (i > 3) side = 1;
        if (i > 9) side = 2;
        if (!stop) y[i] = 1;
    }
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        if (i == 0) ends += x[0];
        if (i == 3) wide = x[i];
        if (i == n - 1) ends += x[i];
        y[i] = wide;
    }
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() % 2 == 1) odd = omp_get_thread_num();
        if (omp_get_thread_num() == 1) odd = 5;
    }
    y[0] = stop + side + ends + odd;
}
