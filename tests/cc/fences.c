// Fences of GNU C beside barriers and in iterations are nothing on the device. In a loop in which a thread waits for another one they keep the
// region on the CPU, and so do locks of GNU C's operations.
#include <omp.h>
#include <stdio.h>

enum { N = 100 };
static float x[N], y[N];
static int there[64], lock;

static void publish(int i) {
    x[i] += y[i];
    __sync_synchronize();
    y[i] = x[i] + 1;
}
static void wait_for(int id) {
    while (!there[id])
        __sync_synchronize();
}

int main(void) {
    int n = N, sum = 0;
#pragma omp parallel // GPU
    {
        for (int k = 0; k < 3; k++) {
#pragma omp for
            for (int i = 0; i < n; i++)
                x[i] = y[i] * 0.5f;
            __atomic_thread_fence(__ATOMIC_SEQ_CST);
#pragma omp for
            for (int i = 0; i < n; i++)
                y[i] = x[n - 1 - i] + 1;
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        publish(i);
#pragma omp parallel // CPU: '__sync_synchronize' is not supported: use 'barrier', or leave it out
    {
        int id = omp_get_thread_num();
        if (id > 0) wait_for(id - 1);
        x[id] += 1;
        __sync_synchronize();
#pragma omp atomic write
        there[id] = 1;
    }
#pragma omp parallel for // CPU: '__sync_lock_test_and_set' is not supported: on a device the iteration that has a lock may wait
    for (int i = 0; i < n; i++) {
        while (__sync_lock_test_and_set(&lock, 1))
            ;
        sum += i;
        __sync_lock_release(&lock);
    }
    printf("%g %g %d\n", x[0], y[4], sum);
    return 0;
}
