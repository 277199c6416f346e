// Each thread has its element, and a barrier stands before the neighbours read it.
// test: -i n=32
#include <omp.h>
void f(int n, int a[8], int b[8]) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        a[me] = me;
#pragma omp barrier
        b[me] = a[(me + 1) % 4];
    }
}
