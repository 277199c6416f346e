// Flushes beside barriers and in iterations are nothing on the device. In a loop in which a thread waits for another one they keep the region
// on the CPU.
#include <omp.h>
#include <stdio.h>

enum { N = 100 };
static float x[N], y[N];
static int there[64];

static void halves(int n) {
#pragma omp for
    for (int i = 0; i < n; i++)
        x[i] = y[i] * 0.5f;
#pragma omp flush
#pragma omp for
    for (int i = 0; i < n; i++)
        y[i] = x[n - 1 - i] + 1;
}

static void wait_for(int id) {
    int is_there = 0;
    while (!is_there) {
#pragma omp flush(there)
#pragma omp atomic read
        is_there = there[id];
    }
}

int main(void) {
    int n = N;
#pragma omp parallel // GPU
    {
        for (int k = 0; k < 3; k++) {
            halves(n);
#pragma omp flush(x, y)
#pragma omp barrier
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        x[i] += y[i];
#pragma omp flush(x)
        y[i] = x[i] + 1;
    }
#pragma omp parallel // CPU: '#pragma omp flush' is not supported
    {
        int id = omp_get_thread_num();
        if (id > 0) wait_for(id - 1);
        x[id] += 1;
#pragma omp flush
#pragma omp atomic write
        there[id] = 1;
    }
    printf("%g %g\n", x[0], y[4]);
    return 0;
}
