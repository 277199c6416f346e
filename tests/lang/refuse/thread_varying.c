// What differs between threads must not decide how often they come to a worksharing loop.
// test: -i n=16
// error: 9:29: 'mine' differs between the threads
#include <omp.h>
void f(int n, float x[n]) {
#pragma omp parallel
    {
        int mine = omp_get_thread_num() + 1;
        for (int t = 0; t < mine; t++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                x[i] += 1.0f;
        }
    }
}
