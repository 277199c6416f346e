// Locks: use a reduction.
// test: -i n=16
// error: 7:5: locks are not supported; use a reduction clause
#include <omp.h>
void f(int n, float x[n]) {
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1.0f;
}
