// _Thread_local variables, of file scope and static in functions, are as threadprivate ones.
// test: -i n=600
// check: exact
#include <omp.h>
#include <threads.h>

static _Thread_local unsigned state = 17;
_Thread_local int row[3] = {1, 2};
static __thread struct {
    int draws, last;
} seen;
static thread_local int *at;
static _Thread_local const int step = 3;

static unsigned draw(void) {
    static _Thread_local int calls = 100;
    state = state * 1664525u + 1013904223u;
    seen.draws++;
    seen.last = calls++;
    return state >> 8;
}

void threads(int n, int x[n], int out[40][4], int own[2]) {
    state = 23; // thread 0's
#pragma omp parallel num_threads(40)
    {
        int tid = omp_get_thread_num();
        state += (unsigned)tid;
        at = &x[tid];
#pragma omp for
        for (int i = 0; i < n; i++)
            x[i] = (int)(draw() % 1000u) + step;
        row[tid % 3] += tid;
    }
#pragma omp parallel num_threads(40)
    {
        int tid = omp_get_thread_num();
        out[tid][0] = seen.draws;
        out[tid][1] = seen.last;
        out[tid][2] = row[0] + 10 * row[1] + 100 * row[2];
        *at += 5;
    }
    row[1] = 9;
#pragma omp parallel num_threads(40) copyin(row)
    out[omp_get_thread_num()][3] = row[1] + row[2];
    own[0] = (int)(state >> 4);
    own[1] = row[0];
}
