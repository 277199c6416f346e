// The same without the clause.
// test: -i n=24
#include <omp.h>
void f(int n, int out[4]) {
    int k = 5;
#pragma omp parallel num_threads(4)
    {
        k = omp_get_thread_num();
        out[omp_get_thread_num()] = k;
    }
}
