// Random numbers by a generator of the program's own: a private stream for each sample, and a table of counts.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static inline uint32_t next(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

int main(int argc, char **argv) {
    int samples = argc > 1 ? atoi(argv[1]) : 20000, hits = 0;
    unsigned buckets[16] = {0};
#pragma omp parallel for reduction(+ : hits) // GPU
    for (int i = 0; i < samples; i++) {
        uint32_t state = 2463534242u + (uint32_t)i * 7919u;
        for (int k = 0; k < 8; k++) {
            uint32_t x = next(&state) >> 17, y = next(&state) >> 17;
            if (x * x + y * y < 1u << 30) hits++;
        }
    }
#pragma omp parallel for // GPU
    for (int i = 0; i < samples; i++) {
        uint32_t state = (uint32_t)i + 1u;
        next(&state);
#pragma omp atomic
        buckets[next(&state) % 16u]++;
    }
    printf("%d %.3f\n", hits, 4.0 * hits / (8.0 * samples));
    for (int i = 0; i < 16; i++)
        printf("%u%c", buckets[i], i == 15 ? '\n' : ' ');
    return 0;
}
