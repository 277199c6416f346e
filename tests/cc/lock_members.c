// Structs with a lock in them that the region leaves alone; one that it sets is for the CPU.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

struct source {
    float *flux, sum;
    omp_lock_t *lock;
};
struct bin {
    int count;
    omp_lock_t lock;
};

int main(void) {
    enum { N = 40 };
    struct source list[N];
    static struct bin bins[N];
    for (int i = 0; i < N; i++) {
        list[i] = (struct source){calloc(8, sizeof(float)), 0, malloc(sizeof(omp_lock_t))};
        omp_init_lock(list[i].lock);
        omp_init_lock(&bins[i].lock);
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 8; k++) {
            list[i].flux[k] += (float)(i * k % 5);
            list[i].sum += list[i].flux[k];
        }
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        bins[i].count += i;
#pragma omp parallel for // CPU: `omp_set_lock`: locks stay on the CPU
    for (int i = 0; i < N; i++) {
        omp_set_lock(&bins[i % 7].lock);
        bins[i % 7].count++;
        omp_unset_lock(&bins[i % 7].lock);
    }
    float s = 0;
    for (int i = 0; i < N; i++)
        s += list[i].sum * (float)i + (float)bins[i].count;
    printf("%g\n", (double)s);
    return 0;
}
