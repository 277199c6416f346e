// Sorting by a network, and by counting; checks with qsort, assertions, and a checksum of bytes.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG 12
#define COUNT (1 << LOG)

typedef unsigned int key;
static key keys[COUNT];

static int compare(const void *a, const void *b) {
    key x = *(const key *)a, y = *(const key *)b;
    return x < y ? -1 : x > y;
}

static void fill(key *a, int n, unsigned seed) {
    for (int i = 0; i < n; i++)
        a[i] = (seed = seed * 22695477u + 1u) >> 8;
}

int main(void) {
    key *wanted = malloc(sizeof keys);
    int places[256] = {0}, from[256];
    if (wanted == NULL) return 1;
    fill(keys, COUNT, 7);
    memcpy(wanted, keys, sizeof keys);
    for (int size = 2; size <= COUNT; size *= 2) // GPU
        for (int apart = size / 2; apart > 0; apart /= 2) {
#pragma omp parallel for
            for (int i = 0; i < COUNT; i++) {
                int other = i ^ apart;
                if (other > i && (keys[i] > keys[other]) == ((i & size) == 0)) {
                    key k = keys[i];
                    keys[i] = keys[other];
                    keys[other] = k;
                }
            }
        }
    qsort(wanted, COUNT, sizeof *wanted, compare);
    assert(memcmp(wanted, keys, sizeof keys) == 0);
    fill(keys, COUNT, 99);
#pragma omp parallel for // GPU
    for (int i = 0; i < COUNT; i++) {
#pragma omp atomic update
        places[keys[i] & 255u] += 1;
    }
    from[0] = 0;
    for (int b = 1; b < 256; b++)
        from[b] = from[b - 1] + places[b - 1];
    for (int i = 0; i < COUNT; i++)
        wanted[from[keys[i] & 255u]++] = keys[i];
    key sum = 0;
#pragma omp parallel for reduction(^ : sum) // GPU
    for (int i = 0; i < COUNT; i++)
        sum ^= wanted[i] * ((key)i | 1u);
    printf("%u %d %d\n", sum, places[3], from[255]);
    free(wanted);
    return 0;
}
