// Variables of which each thread has its own: regions that use them, in whatever way, stay on the CPU, and those between them, which
// go, leave the threads and their values alone.
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
#pragma omp parallel num_threads(THREADS) // CPU: 'seen' is a variable of each thread
    seen = omp_get_thread_num() * 10;
#pragma omp parallel for num_threads(THREADS) // CPU: 'state' is a variable of each thread
    for (int i = 0; i < N; i++)
        x[i] = (float)(draw() % 100u);
#pragma omp parallel for num_threads(THREADS) // GPU
    for (int i = 0; i < N; i++)
        y[i] = x[i] * 0.5f + 1;
#pragma omp parallel for num_threads(THREADS) // CPU: 'before' is a variable of each thread
    for (int i = 0; i < N; i++)
        x[i] += (float)calls();
    mine[1] = 7;
#pragma omp parallel for num_threads(THREADS) copyin(mine) // CPU: 'mine' is a variable of each thread
    for (int i = 0; i < N; i++)
        x[i] += mine[i % 3];
#pragma omp parallel for copyin(mine) num_threads(THREADS) // CPU: 'mine' is a variable of each thread
    for (int i = 0; i < N; i++)
        y[i] += 1;
#pragma omp parallel for num_threads(THREADS) // CPU: 'own' is a variable of each thread
    for (int i = 0; i < N; i++) {
        own ^= 1;
        y[i] += (own | 1) == 5;
    }
    int sum = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : sum) // CPU: 'seen' is a variable of each thread
    sum += seen + (int)(state % 1000u);
    double all = 0;
    for (int i = 0; i < N; i++)
        all += x[i] + y[i] * (i % 7);
    printf("%d %g\n", sum, all);
    return 0;
}
