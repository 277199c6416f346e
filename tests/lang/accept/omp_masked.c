// `masked` is `master`; `filter` names another thread.
// test: -i n=40 -i x=uniform:lo=-50,hi=50,seed=1
// check: exact
#include <omp.h>
void masks(int n, const int x[n], int y[n], int out[3]) {
    int k = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp masked
        {
            k = x[0];
            out[0] = omp_get_thread_num();
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = x[i] + k;
#pragma omp masked filter(2)
        out[1] = omp_get_thread_num();
    }
#pragma omp parallel masked num_threads(4)
    out[2] = y[n - 1];
}
