// A thread's own variables that one thread sets: after `master` its alone, after `copyprivate` everybody's.
// test: -i n=24
// check: exact
#include <omp.h>
void own_alone(int n, int out[4], int y[n], int z[n], int w[4]) {
#pragma omp parallel num_threads(4)
    {
        int k = 1, m = 2, scratch = 0, a[2] = {3, 4};
#pragma omp master
        {
            k = 5;
            a[1] = 6;
        }
        out[omp_get_thread_num()] = k * 10 + a[1];
#pragma omp single copyprivate(m)
        {
            for (scratch = 0; scratch < 3; scratch++)
                m += n;
        }
#pragma omp for
        for (int i = 0; i < n; i++)
            y[i] = m + i;
#pragma omp single
        {
            scratch = y[3];
            z[0] = scratch;
        }
#pragma omp for schedule(static)
        for (int i = 1; i < n; i++)
            z[i] = i - 1 < 23 ? y[i] : 0;
        scratch = 4;
        w[omp_get_thread_num()] = scratch + k;
    }
}
