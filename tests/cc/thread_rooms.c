// Memory that each thread allocates for all of a region: histograms of its own, which a critical section adds up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4000 };
static unsigned char px[N];
static int whole[256], set[256], low[64], high[64], kept[64];

int main(void) {
    int bins = 64;
    for (int i = 0; i < N; i++)
        px[i] = (unsigned char)(i * 31 + i / 7);
#pragma omp parallel // GPU
    {
        int *local = malloc(256 * sizeof(int));
        memset(local, 0, 256 * sizeof(int));
#pragma omp for
        for (int i = 0; i < N; i++)
            local[px[i]]++;
#pragma omp critical
        for (int i = 0; i < 256; i++)
            whole[i] += local[i];
        free(local);
    }
#pragma omp parallel // GPU
    {
        int *local = (int *)malloc(sizeof *local * 256);
        for (int i = 0; i < 256; i++)
            local[i] = 0;
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            local[px[i]] += 2;
#pragma omp critical
        for (int i = 0; i < 256; i++)
            set[i] += local[i];
        free(local);
    }
#pragma omp parallel // GPU
    {
        int *one = (int *)calloc((size_t)bins, sizeof(int)), *other = calloc(64, sizeof *other);
#pragma omp for
        for (int i = 0; i < N; i++) {
            one[px[i] & 63]++;
            other[px[i] >> 2]++;
        }
#pragma omp critical
        {
            for (int i = 0; i < bins; i++)
                low[i] += one[i];
            for (int i = 0; i < 64; i++)
                high[i] += other[i];
        }
        free(one);
        free(other);
    }
#pragma omp parallel // CPU: `calloc` stays on the CPU
    {
        int *local = calloc(64, sizeof(int)), *at = local;
#pragma omp for
        for (int i = 0; i < N; i++)
            at[px[i] & 63]++;
#pragma omp critical
        for (int i = 0; i < 64; i++)
            kept[i] += *local++;
        free(at);
    }
    for (int i = 0; i < 256; i += 16)
        printf("%d %d %d %d %d\n", whole[i], set[i], low[i / 4], high[i / 4], kept[i / 4]);
    return 0;
}
