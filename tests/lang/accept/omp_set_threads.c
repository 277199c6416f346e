// omp_set_num_threads gives regions their team; omp_set_dynamic and omp_set_nested change nothing.
// test: -i n=30
// check: exact
#include <omp.h>
void teams_of(int n, int x[n], int y[8], int out[2]) {
    omp_set_dynamic(0);
    omp_set_nested(1);
    omp_set_num_threads(3);
    int most = omp_get_max_threads();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        y[me] = omp_get_num_threads();
#pragma omp for schedule(static, 2)
        for (int i = 0; i < n; i++)
            x[i] += me;
    }
    omp_set_num_threads(n / 6);
#pragma omp parallel
    {
#pragma omp master
        out[1] = omp_get_num_threads();
    }
    out[0] = most;
}
