// Each thread of a region prints what stands outside of its worksharing loops; jumps that all threads take may follow.
// run: -i n=4
#include <omp.h>
#include <stdio.h>

static void say(int t) {
    if (t == 2) return;
    printf("step %d\n", t);
}

void prints(int n, int x[n]) {
#pragma omp parallel num_threads(2)
    {
        puts("begin");
        for (int t = 0; t < 9; t++) {
            say(t);
            if (x[0] == 2) {
                printf("stop at %d\n", t);
                break;
            }
#pragma omp barrier
#pragma omp for
            for (int i = 0; i < n; i++)
                x[i] += 1;
#pragma omp single
            printf("once %d\n", t);
        }
        if (omp_get_thread_num() == 1) puts("end");
    }
}
