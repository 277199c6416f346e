// Lists that grow together in one section: they have one order, whichever it is.
// build: -fdouble=float
#include <stdio.h>
#include <stdlib.h>
#define MOST 3000
static int x[MOST], a[MOST], b[2 * MOST], c[MOST + 5], n = MOST;

static int cmp(const void *p, const void *q) { return *(const int *)p - *(const int *)q; }
static unsigned sum(int *list, long count) {
    unsigned h = 0;
    qsort(list, (size_t)count, 4, cmp);
    for (long i = 0; i < count; i++)
        h = h * 31 + (unsigned)list[i];
    return h;
}
int main(void) {
    int many = 0, few = 0, last = MOST, total = 0;
    long pairs = 0;
    size_t most = 5;
    for (int i = 0; i < n; i++)
        x[i] = i * 7919 % 1000;
        // two lists in step
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (x[i] > 200) {
#pragma omp critical
            {
                a[many++] = i;
                c[few] = x[i];
                few++;
            }
        }
    unsigned same = 1;
    for (int i = 0; i < few; i++)
        same &= c[i] == x[a[i]];
    printf("%d %d %u %u %u\n", many, few, same, sum(a, many), sum(c, few));
    many = few = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        if (x[i] > 200) {
#pragma omp critical
            {
                a[many] = i;
                b[pairs] = many;
                b[pairs + 1] = x[i];
                pairs += 2;
                many++;
                c[--last] = i;
                total += x[i];
            }
        }
    printf("%d %ld %d %d\n", many, pairs, last, total);
    same = 1;
    for (int i = 0; i < many; i++)
        same &= b[2 * i] == i && b[2 * i + 1] == x[a[i]] && c[MOST - 1 - i] == a[i];
    printf("%u %u\n", same, sum(a, many));
    many = few = 0;
    pairs = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp critical
        {
            if (x[i] % 2) {
                a[many++] = i;
                few++;
                b[few - 1] = i;
            } else {
                c[most] = i;
                b[pairs] = 0;
                pairs++;
                most++;
            }
        }
    }
    printf("%d %d %ld %zu\n", many, few, pairs, most);
    return 0;
}
