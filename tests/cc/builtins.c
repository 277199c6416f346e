// The atomic operations of GNU C: the levels of a graph, a table that iterations fill, bits, the largest of all; and locks made of them, which
// are for the CPU.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3000, DEGREE = 4, ROOM = 8192 };
static int to[N * DEGREE], level[N], seen[N], queue[N];
static int table[ROOM], best = -1, last, lock;
static unsigned bits[N / 32 + 1];

static int breadth(int from) {
    int begin = 0, end = 1, steps = 0;
    for (int i = 0; i < N; i++)
        level[i] = -1;
    seen[from] = 1;
    level[from] = 0;
    queue[0] = from;
    while (begin < end) { // GPU
        int next = end;
#pragma omp parallel for schedule(dynamic, 64)
        for (int i = begin; i < end; i++) {
            int u = queue[i];
            for (int e = u * DEGREE; e < u * DEGREE + DEGREE; e++) {
                int v = to[e];
                if (!seen[v] && __sync_bool_compare_and_swap(&seen[v], 0, 1)) {
                    level[v] = level[u] + 1;
                    queue[__sync_fetch_and_add(&next, 1)] = v;
                }
            }
        }
        begin = end;
        end = next;
        steps++;
    }
    return steps;
}

static void keep_most(int *at, int v) {
    int old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < v && !__atomic_compare_exchange_n(at, &old, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static int fill(int *kept, int counts[4], unsigned *out_mixed) {
    int next = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++) {
        unsigned h = (unsigned)(i % 700) * 2654435761u >> 19;
        for (;;) {
            int was = __sync_val_compare_and_swap(&table[h], -1, i % 700);
            if (was == -1) kept[__sync_fetch_and_add(&next, 1)] = i % 700;
            if (was == -1 || was == i % 700) break;
            h = (h + 1) % ROOM;
        }
        keep_most(&best, i * 37 % 5000);
        __sync_fetch_and_or(&bits[i / 32], 1u << i % 32);
        __sync_add_and_fetch(counts, 2);
        __atomic_fetch_add(&counts[i & 3], 1, __ATOMIC_SEQ_CST);
        __sync_fetch_and_xor(out_mixed, (unsigned)i);
        if (i % 500 == 17) __atomic_store_n(&last, 17, __ATOMIC_RELAXED);
    }
    return next;
}

static void enter(int *at) {
    while (!__sync_bool_compare_and_swap(at, 0, 1))
        ;
}

static void locked(int *list, int *count) {
#pragma omp parallel for // CPU: `__sync_bool_compare_and_swap` waits here for what another iteration does
    for (int i = 0; i < N; i++) {
        enter(&lock);
        list[(*count)++ % 8] = 1;
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    }
#pragma omp parallel for // CPU: `__atomic_compare_exchange_n` waits here
    for (int i = 0; i < N; i++) {
        int none = 0;
        while (!__atomic_compare_exchange_n(&lock, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            none = 0;
        list[(*count)++ % 8] = 1;
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    }
}

int main(void) {
    int *kept = malloc(N * sizeof *kept), counts[4] = {0}, list[8], count = 0;
    unsigned mixed = 0;
    long sum = 0, levels = 0;
    for (int i = 0; i < N * DEGREE; i++)
        to[i] = (int)((unsigned)i * 2654435761u >> 7) % N;
    memset(table, -1, sizeof table);
    int steps = breadth(5), next = fill(kept, counts, &mixed);
    locked(list, &count);
    for (int i = 0; i < N; i++)
        levels += level[i] * (i % 7);
    for (int i = 0; i < next; i++)
        sum += kept[i];
    for (unsigned i = 0; i < N / 32 + 1; i++)
        sum += bits[i] % 1000;
    printf("%d %ld %d %ld %d %u %d %d\n", steps, levels, next, sum, best, mixed, counts[0] + counts[3] + last, count);
    return 0;
}
