// build: -fdouble=pair
// Thread numbers and rows of threads as programs have them that are built without OpenMP, too: `int id = 0;`, set later; pointers that are
// declared first. And one whose first value is used.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000, B = 16 };
static int keys[N], sorted[N], ptrs[B];
#pragma omp threadprivate(ptrs)
static double parts[64];

int main(void) {
    int most = omp_get_max_threads(), **counts = malloc((size_t)most * sizeof *counts), n = 0;
    for (int t = 0; t < most; t++)
        counts[t] = calloc(B, sizeof(int));
    for (int i = 0; i < N; i++)
        keys[i] = i * 37 % (B * 4);
#pragma omp parallel // GPU
    {
        int *mine, id = 0, threads = 1, i, k;
#ifdef _OPENMP
        id = omp_get_thread_num();
        threads = omp_get_num_threads();
#endif
        mine = counts[id];
        for (i = 0; i < B; i++)
            mine[i] = 0;
#pragma omp for schedule(static)
        for (i = 0; i < N; i++)
            mine[keys[i] >> 2]++;
        ptrs[0] = 0;
        for (k = 0; k < id; k++)
            ptrs[0] += counts[k][0];
        for (i = 1; i < B; i++) {
            ptrs[i] = ptrs[i - 1];
            for (k = 0; k < id; k++)
                ptrs[i] += counts[k][i];
            for (k = id; k < threads; k++)
                ptrs[i] += counts[k][i - 1];
        }
#pragma omp for schedule(static)
        for (i = 0; i < N; i++) {
            k = keys[i];
            sorted[ptrs[k >> 2]++] = k;
        }
    }
#pragma omp parallel // GPU
    {
        int id = 0;
        double own = 0;
        if (most > 1) parts[id] = 1;
        id = omp_get_thread_num();
#pragma omp for
        for (int i = 0; i < N; i++)
            own += sorted[i] * 0.5;
        parts[id + 1] = own;
    }
    for (int i = 1; i < N; i++)
        n += sorted[i - 1] >> 2 > sorted[i] >> 2;
    printf("%d %d %g %g\n", n, sorted[N / 2], parts[0], parts[1] + parts[2]);
    return 0;
}
