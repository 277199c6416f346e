// How many threads the machine has is nothing that a result may depend on.
// test: -i n=16
// error: 6:13: omp_get_max_threads
#include <omp.h>
void f(int n, float x[n]) {
    int m = omp_get_max_threads();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = (float)m;
}
