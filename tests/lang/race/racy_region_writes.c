// Each thread of the region leaves its number in one element.
// test: -i n=24
// error: 7:9: data race
#include <omp.h>
void f(int n, int x[n]) {
#pragma omp parallel
        x[3] = omp_get_thread_num();
}
