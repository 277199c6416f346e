// Atomic updates, unsigned numbers, small integers, an array that grows by realloc.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 100, bins[16] = {0};
    uint8_t *data = malloc((size_t)n);
    data = realloc(data, (size_t)(n *= 40));
    for (int i = 0; i < n; i++)
        data[i] = (uint8_t)(i * i);
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        bins[data[i] >> 4]++;
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", bins[i]);
    printf("\n");
    free(data);
    return 0;
}
