// What is asked of devices, and clauses of memory: nothing here.
// test: -i n=50 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
#include <omp.h>
#pragma omp requires dynamic_allocators
#pragma omp requires atomic_default_mem_order(relaxed)

void requires(int n, const int x[n], int y[n], int out[2]) {
    int sum = 0, count = 0;
#pragma omp target teams distribute parallel for map(tofrom : sum) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        y[i] = 2 * x[i];
        sum += y[i];
    }
#pragma omp parallel for allocate(sum) reduction(+ : sum)
    for (int i = 0; i < n; i++) {
#pragma omp nothing
        sum += x[i];
        if (x[i] > 9)
#pragma omp nothing
            sum += 3;
        else
#pragma omp nothing
            for (int k = 0; k < 2; k++)
#pragma omp nothing
                sum -= k + 1;
#pragma omp atomic hint(omp_sync_hint_uncontended)
        count++;
    }
    out[0] = sum;
    out[1] = count;
}
