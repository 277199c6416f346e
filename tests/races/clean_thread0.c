// Only thread 0 writes.
// test: -i n=32
#include <omp.h>
void f(int n, int out[1]) {
    int team = 0;
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 0) team = omp_get_num_threads();
    }
    out[0] = team;
}
