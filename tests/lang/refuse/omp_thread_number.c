// The thread's number comes in a later version.
// test: -i n=16
// error: 8:23: omp_get_thread_num
#include <omp.h>
void f(int n, float x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        x[i] = (float)omp_get_thread_num();
    }
}
