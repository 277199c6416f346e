// The thread's number must not decide whether threads come to a worksharing loop.
// test: -i n=16
// error: 8:13: must not decide
#include <omp.h>
void f(int n, float x[n]) {
#pragma omp parallel
    {
        if (omp_get_thread_num() < 4) {
#pragma omp for
            for (int i = 0; i < n; i++)
                x[i] = 1.0f;
        }
    }
}
