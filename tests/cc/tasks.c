// What has no equal on the GPU: tasks, locks, critical sections that do more than keep the best, threads that ask for their number.
#include <omp.h>
#include <stdio.h>

static long fib(int n) {
    long a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void) {
    long f = 0;
    int hits = 0, full = 0, best = -1, at = -1, threads[64] = {0}, seen = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel // CPU:
#pragma omp single
    f = fib(12);
#pragma omp parallel for // CPU: omp_
    for (int i = 0; i < 100; i++) {
        omp_set_lock(&lock);
        hits++;
        omp_unset_lock(&lock);
    }
#pragma omp parallel for // CPU: critical
    for (int i = 0; i < 100; i++) {
#pragma omp critical
        {
            full += full < 70;
            hits += full & 1; // of what the section has made of another
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < 100; i++) {
#pragma omp critical
        if (i * 37 % 101 > best) {
            best = i * 37 % 101;
            at = i;
        }
    }
#pragma omp parallel num_threads(2) // GPU
    threads[omp_get_thread_num()] = 1;
    for (int i = 0; i < 64; i++)
        seen += threads[i];
    omp_destroy_lock(&lock);
    printf("%ld %d %d %d %d %d\n", f, hits, full, best, at, seen >= 1 && seen <= 2);
    return 0;
}
