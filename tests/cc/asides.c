// What one thread of a region says or asks of the threads, and nobody else uses, stays with the CPU; the region moves.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static float a[400], b[400];

int main(void) {
    int threads = 0, known = 7, steps = 3, local = 5, *to = &local;
    for (int i = 0; i < 400; i++)
        a[i] = (float)(i % 13);
#pragma omp parallel num_threads(2) // GPU: 1 call, 1 dispatch
    {
#pragma omp master
        printf("%d threads, %d\n", omp_get_num_threads(), known);
        int t = 0;
        do {
#pragma omp for
            for (int i = 1; i < 399; i++)
                b[i] = 0.5f * (a[i - 1] + a[i + 1]);
#pragma omp for
            for (int i = 1; i < 399; i++)
                a[i] = b[i];
        } while (++t < steps);
    }
#pragma omp parallel // GPU
    {
#pragma omp for nowait
        for (int i = 0; i < 400; i++)
            b[i] = a[399 - i];
#pragma omp single
        {
            threads = omp_get_num_threads();
            if (threads == 2) printf("two of them\n"); // the barrier behind it stays
        }
#pragma omp for
        for (int i = 0; i < 400; i++)
            a[i] = b[399 - i] + b[i];
    }
    int loop = 4; // words of directives are names in the brackets of others
#pragma omp parallel firstprivate(loop) // GPU
    {
#pragma omp master
        printf("%d again\n", omp_get_num_threads());
#pragma omp for
        for (int i = 0; i < 400; i++)
            b[i] += a[i] * (float)loop;
    }
    printf("%d %g %g\n", threads, (double)a[5], (double)a[200]);
#pragma omp parallel // GPU
    {
#pragma omp for
        for (int i = 0; i < 400; i++)
            b[i] = a[i] + 1;
#pragma omp master
        printf("%g\n", (double)b[7]); // of the region's own
    }
#pragma omp parallel // CPU at run time: 'to' points to 'local'
    {
#pragma omp for
        for (int i = 0; i < 400; i++) {
            b[i] = a[i] + 2;
            if (i == 9) *to = 3;
        }
#pragma omp single
        printf("%d\n", local); // the region changes it by its address
    }
    for (int t = 0; t < 2; t++) {
#pragma omp parallel // GPU: 2 calls
        {
#pragma omp single nowait
            puts("again");
#pragma omp for
            for (int i = 0; i < 400; i++)
                a[i] += (float)t;
        }
    }
    printf("%g\n", (double)a[7]);
    return 0;
}
