// Variables of which each thread has its own, set in one region and read in the next, in file order or through functions: what the CPU's
// threads have goes along and comes back, and regions between them leave it alone.
#include <omp.h>
#include <stdio.h>

enum { N = 60000, THREADS = 4 };
static float x[N], y[N];
static int seen;
static float mine[3] = {1, 2, 3};
extern unsigned state;
#pragma omp threadprivate(seen, mine)
#pragma omp threadprivate(state)
unsigned state = 17;
static _Thread_local int own = 5;

static unsigned draw(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static int calls(void) {
    static int before;
#pragma omp threadprivate(before)
    return before++;
}

int main(void) {
#pragma omp parallel num_threads(THREADS) // GPU
    seen = omp_get_thread_num() * 10;
#pragma omp parallel for num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++)
        x[i] = (float)(draw() % 100u);
#pragma omp parallel for num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++)
        y[i] = x[i] * 0.5f + 1;
#pragma omp parallel for num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++)
        x[i] += (float)calls();
    mine[1] = 7;
#pragma omp parallel for num_threads(THREADS) copyin(mine) // GPU
    for (int i = 0; i < N; i++)
        x[i] += mine[i % 3];
#pragma omp parallel for copyin(mine) num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++)
        y[i] += 1;
#pragma omp parallel for num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++) {
        own ^= 1;
        y[i] += (own | 1) == 5;
    }
    int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum) // GPU
    sum += seen + (int)(state % 1000u);
    double all = 0;
    for (int i = 0; i < N; i++)
        all += x[i] + y[i] * (i % 7);
    printf("%d %g\n", sum, all);
    return 0;
}
