// Lists whose counter has 64 bits, or passes 2^31: in sections, with sums beside it, up to a limit, and by atomic capture.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 3000
struct list {
    int *at;
    size_t count;
};
static int x[MOST], list[MOST], other[MOST], n = MOST;
static int64_t kept;

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void print(int *at, uint64_t count, uint64_t from) {
    qsort(at, (size_t)(count - from), sizeof *at, compare);
    unsigned hash = 0;
    for (uint64_t k = 0; k < count - from; k++)
        hash = hash * 31 + (unsigned)at[k];
    printf("%llu %u\n", (unsigned long long)count, hash);
}

int main(void) {
    const uint64_t most = 3000000000u;
    long count = 0;
    size_t many = 0, room = 200;
    uint64_t far = most;
    unsigned half = 2147483000u;
    long long left = MOST, work = 0;
    struct list own = {malloc(sizeof x), 5}, *p = &own;
    for (int i = 0; i < n; i++)
        x[i] = i * 7919 % 1000;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        if (x[i] > 500) {
#pragma omp critical
            {
                list[count++] = i;
                work += x[i];
            }
        } else {
            size_t at;
#pragma omp atomic capture
            at = many++;
            other[at] = i;
        }
    }
    printf("%lld\n", work);
    print(list, (uint64_t)count, 0);
    print(other, many, 0);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
        if (x[i] % 3 == 0) {
#pragma omp critical(far)
            {
                list[far - most] = i;
                far += 1;
            }
        }
        if (x[i] % 2 == 0) {
#pragma omp critical(half)
            other[half++ - 2147483000u] = i;
        }
    }
    print(list, far, most);
    print(other, half, 2147483000u);
    many = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical(left)
        list[--left] = i;
#pragma omp critical(room)
        {
            if (many < room) {
                other[many++] = x[i];
            }
        }
        if (x[i] == 7) {
#pragma omp critical(kept)
            kept++;
        }
    }
    printf("%lld %zu %lld\n", left, many, (long long)kept);
    print(list, MOST, 0);
#pragma omp parallel for // GPU
    for (int i = 5; i < n; i++) {
#pragma omp critical
        p->at[p->count++] = i;
    }
    for (int k = 0; k < 5; k++)
        p->at[k] = k;
    print(p->at, p->count, 0);
    return 0;
}
