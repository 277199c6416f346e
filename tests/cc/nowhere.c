// Pointers that lead nowhere and are not followed, or not so far: structs, and arrays of which only a declaration says how large they are.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct list {
    int n;
    float step, *x;
};

static void declared(float x[2000], int n) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 0; i < n; i++)
        x[i] += (float)i;
}

static void no_iterations(struct list *p, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        p->x[i] += p->step;
    for (int t = 0; t < n; t++) {
#pragma omp parallel for
        for (int i = 0; i < p->n; i++)
            p->x[i] += p->step;
    }
}

static void on_condition(struct list *p, int adds) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < 100; i++)
        if (adds) p->x[i] += p->step;
}

int main(void) {
    char *pages = mmap(NULL, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || munmap(pages + 4096, 8192) != 0) return 1;
    float *x = (void *)pages;
    declared(x, 1000);
    declared(x, 1000);
    struct list own = {100, 2, calloc(100, sizeof(float))}, *other = (void *)(x + 1000), *none = NULL, *bad = (void *)16;
    if (!own.x) return 1;
    no_iterations(none, 0);
    no_iterations(bad, 0);
    no_iterations(&own, 2);
    *other = own;
    on_condition(other, 1);
    on_condition(&own, 0);
    on_condition(bad, 0);
    on_condition(&own, 1);
    printf("%g %g %g\n", (double)x[999], (double)own.x[3], (double)own.x[99]);
    free(own.x);
    return 0;
}
