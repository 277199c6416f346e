// Which thread has the new value nobody knows.
// test: -i n=24
// error: 10:9: 'k' differs between the threads of the region
#include <omp.h>
void f(int n, int out[4]) {
#pragma omp parallel num_threads(4)
    {
        int k = 1;
#pragma omp single
        k = 5;
        out[omp_get_thread_num()] = k;
    }
}
