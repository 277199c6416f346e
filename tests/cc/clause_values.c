// Names of OpenMP's that are no functions: values of clauses. And what a file asks of devices.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#pragma omp requires dynamic_allocators

enum { N = 3000 };

int main(void) {
    int *key = malloc(N * sizeof *key), odd = 0, sum = 0, most = 0;
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        key[i] = i * 7919 % 1013;
#pragma omp parallel for allocate(omp_default_mem_alloc : sum) reduction(+ : sum) // GPU
    for (int i = 0; i < N; i++) {
        sum += key[i];
#pragma omp atomic hint(omp_sync_hint_contended)
        odd += key[i] & 1;
#pragma omp critical(best) hint(omp_sync_hint_uncontended | omp_sync_hint_speculative)
        if (key[i] > most) most = key[i];
    }
    printf("%d %d %d\n", sum, odd, most);
    return 0;
}
