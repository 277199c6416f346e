// 64-bit counters behind functions: places that a region takes by them, at file scope and by atomic capture of what comes next.
#include <stdio.h>
#include <stdlib.h>

#define MOST 3000
static size_t taken;
static int list[MOST], seen[MOST], n = MOST;

static size_t take(void) {
    size_t at;
#pragma omp atomic capture
    at = taken++;
    return at;
}

int main(void) {
    long next = -1;
    int sum = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (i % 3) list[take()] = i;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        long at;
#pragma omp atomic capture
        at = ++next;
        seen[at] = 1;
    }
    for (int i = 0; i < n; i++)
        sum += list[i] % 100 + seen[i];
    printf("%zu %ld %d\n", taken, next, sum);
    return 0;
}
