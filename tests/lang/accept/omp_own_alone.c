// A thread's own variables that one thread sets: after `master` its alone, after `copyprivate` everybody's.
// test: -i n=24
// check: exact
#include <omp.h>
struct own {
    int at, by;
};

void own_alone(int n, int out[4], int y[n], int z[n], int w[4], int each[16]) {
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
    int base = 7; // threads change what the one has set
#pragma omp parallel num_threads(4) firstprivate(base)
    {
        int me = omp_get_thread_num(), pair[2] = {me, 3};
        struct own o = {me, 1};
        for (int round = 0; round < 2; round++) {
#pragma omp single copyprivate(base, pair, o)
            {
                base = y[3] + round;
                pair[0] = 5 + n;
                pair[1] = 3;
                o.by = base;
                o.at = 2;
            }
            base += me;
            pair[1] += me;
            each[me * 4 + round] = base + pair[0];
            o.at += me * o.by;
        }
        each[me * 4 + 2] = pair[1] - 3;
        each[me * 4 + 3] = o.at;
    }
}
