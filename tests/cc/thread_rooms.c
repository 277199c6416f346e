// Memory that each thread allocates for all of a region: histograms of its own, which a critical section adds up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4000 };
static unsigned char px[N];
static void fill(int *t, int n, int v) {
    for (int i = 0; i < n; i++)
        t[i] = v;
}

static int whole[256], seen[N], set[256], low[64], high[64], kept[64];

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
    // what a thread leaves there its next iteration finds, so results are those of as many threads
#pragma omp parallel // GPU
    {
        int *sums = calloc(64, sizeof *sums);
#pragma omp for
        for (int i = 0; i < N; i++) {
            sums[px[i] & 7] += px[i];
            seen[i] = 1 + sums[px[i] & 7];
        }
        free(sums);
    }
#pragma omp parallel // GPU
    {
        int *last = malloc(bins * sizeof(last[0]));
        for (int i = 0; i < bins; i++)
            last[i] = 1;
#pragma omp for
        for (int i = 0; i < N; i++)
            last[i % 16] = px[i];
#pragma omp for
        for (int i = 0; i < N; i++)
            seen[i] += 3 * last[i & 31];
        free(last);
    }
#pragma omp parallel // GPU
    {
        int *now = calloc(bins, sizeof(int));
#pragma omp for
        for (int i = 0; i < N; i++) {
            if (i % 3 == 0) fill(now, bins, px[i]);
            seen[i] += 2 + now[i & 31];
        }
        free(now);
    }
    for (int i = 0; i < N; i++)
        kept[i & 63] += seen[i] * (i % 11);
    for (int i = 0; i < 256; i += 16)
        printf("%d %d %d %d %d\n", whole[i], set[i], low[i / 4], high[i / 4], kept[i / 4]);
    return 0;
}
