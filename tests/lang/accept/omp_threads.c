// Values that differ between the threads of a region: the thread's number, private variables that live across worksharing loops,
// private arrays, a static schedule with and without chunks, a reduction and an atomic by each thread.
// test: -i n=1000
// check: exact
#include <omp.h>

static int number(void) { return omp_get_thread_num(); }

void threads(int n, int x[n], int part[40], int owner[n], int out[8]) {
    int total = 0, finished = 0, all = 0;
#pragma omp parallel num_threads(40) reduction(+ : total)
    {
        int mine = 0, seen[3] = {1, 2, 3}, scale = 3;
        const int tid = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < n; i++) {
            x[i] = (i * 37 + scale) % 101;
            mine += x[i];
            owner[i] = omp_get_thread_num();
        }
        part[tid] = mine;
        for (int t = 0; t < 3; t++) {
#pragma omp for schedule(static, 4)
            for (int i = n - 1; i >= 0; i -= 3) {
                mine = (mine * 5 + x[i] + t) % 10007;
                seen[t] += tid;
            }
            if (tid % 2)
                mine++;
        }
        for (int k = tid; k < n; k += omp_get_num_threads())
            x[k] += number() * scale;
        total += mine + seen[0] * seen[1] - seen[2];
#pragma omp atomic
        finished++;
#pragma omp barrier
#pragma omp master
        {
            out[0] = omp_get_thread_num() + omp_get_num_threads();
            out[1] = finished;
        }
#pragma omp for collapse(2) reduction(+ : all)
        for (int i = 0; i < 13; i++)
            for (int j = 0; j < 11; j++)
                all += i * j + tid;
    }
    out[2] = total;
    out[3] = all;
    out[4] = omp_get_num_threads() * 10 + omp_get_thread_num();
#pragma omp parallel for num_threads(7)
    for (int i = 0; i < n; i++)
        owner[i] += 100 * omp_get_thread_num();
    int last = 0, first = 5;
#pragma omp parallel num_threads(6) firstprivate(first) shared(last)
    {
        first += omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < 6; i++)
            part[i] += first;
        if (omp_get_thread_num() == 3) {
#pragma omp atomic write
            last = first;
        }
    }
    out[5] = last;
}
