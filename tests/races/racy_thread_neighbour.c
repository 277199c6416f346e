// Each thread reads what its neighbour writes, without a barrier.
// test: -i n=32
#include <omp.h>
void f(int n, int a[8], int b[8]) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        a[me] = me;
        b[me] = a[(me + 1) % 4];
    }
}
