// 64-bit integers: arrays, members of structs, variables that regions change, sums; values beyond 32 bits that a region takes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t sum;
    uint64_t mask;
    int n;
} slot;

static int64_t table[64];

static uint64_t hash(uint64_t x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ull;
    return x ^ (x >> 33);
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 20000;
    uint64_t *keys = malloc((size_t)n * sizeof *keys), seed = 0x123456789ull, all = 0;
    slot *s = calloc((size_t)n, sizeof *s);
    int64_t best = 0;
    size_t hits = 0;
    for (int t = 0; t < 4; t++) { // GPU: GPU
#pragma omp parallel for
        for (long i = 0; i < n; i++)
            keys[i] = hash((uint64_t)i + seed + (t ? keys[i] : 0));
        seed += 0x100000000ull;
    }
#pragma omp parallel for // GPU: GPU
    for (int i = 0; i < 64; i++)
        table[i] = ((int64_t)1 << (i % 50)) - i;
#pragma omp parallel for // GPU: GPU
    for (int i = 0; i < n; i++) {
        uint64_t x = seed + keys[i];
        for (int k = 0; k < 20; k++) // of 46 bits, as the NAS benchmarks have it
            x = 1220703125u * x & 0x3FFFFFFFFFFFull;
        s[i].mask = x;
        s[i].n = (int)(x >> 40);
        s[i].sum = table[x & 63] - (int64_t)x;
    }
#pragma omp parallel for reduction(max : best) reduction(^ : all) reduction(+ : hits) // GPU: GPU
    for (int i = 0; i < n; i++) {
        if (s[i].sum > best) best = s[i].sum;
        all ^= s[i].mask;
        hits += s[i].n > 30;
    }
    printf("%lld %llx %zu %d %llx\n", (long long)best, (unsigned long long)all, hits, s[77].n,
           (unsigned long long)keys[n - 1]);
    free(s);
    free(keys);
    return 0;
}
