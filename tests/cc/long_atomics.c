// Sets of bits and 64-bit sums by the atomic operations of GNU C, as statements: a sieve, degrees of a graph, sums of functions that are called.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static uint64_t composite[N / 64 + 1];
static long long total;

static void mark(int i) { __atomic_fetch_or(&composite[i / 64], 1ull << i % 64, __ATOMIC_RELAXED); }
static void add(long long *to, int x) { (void)__sync_add_and_fetch(to, (long long)x * x * x); }

int main(void) {
    int count = 0;
    uint64_t *degree = calloc(100, sizeof *degree), bytes = 0;
#pragma omp parallel for schedule(dynamic) // GPU
    for (int i = 2; i < N / 2; i++)
        for (int k = 2 * i; k < N; k += i)
            mark(k);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        add(&total, i);
#pragma omp parallel // GPU
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            __sync_fetch_and_add(&degree[i * 7 % 100], 1ull << 32);
            __atomic_add_fetch(&bytes, sizeof(int) * 1000000000ull, __ATOMIC_RELAXED);
        }
    }
    for (int i = 2; i < N; i++)
        count += !(composite[i / 64] >> i % 64 & 1);
    printf("%d %lld %llu %llu\n", count, total, (unsigned long long)degree[3], (unsigned long long)bytes);
    return 0;
}
