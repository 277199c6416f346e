// The parts overlap by one.
// test: -i n=24
#include <omp.h>
void f(int n, float a[n], float b[n], float c[n]) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num(), part = n / 4;
        for (int i = me * part; i < (me + 1) * part + 1 && i < n; i++)
            a[i] += b[i];
    }
}
