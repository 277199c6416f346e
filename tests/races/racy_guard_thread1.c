// Thread 1 writes what thread 2 reads.
// test: -i n=32
#include <omp.h>
void f(int n, int a[4], int b[4]) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        if (me == 1) a[0] = 7;
        if (me == 2) b[0] = a[0];
    }
}
