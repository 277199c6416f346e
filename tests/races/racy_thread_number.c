// Every thread writes its number to the same place.
// test: -i n=32
#include <omp.h>
void f(int n, int a[n]) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();
        a[0] = me;
    }
}
