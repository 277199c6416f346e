// Whether a region has these threads is not certain.
// test: -i n=16
// error: 6:22: call it at the beginning of the entry
#include <omp.h>
void f(int n, float x[n]) {
    if (x[0] > 3.0f) omp_set_num_threads(4);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)omp_get_thread_num();
}
