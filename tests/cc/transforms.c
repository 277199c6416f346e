// A fast transform over a prime, with tables, stages in a loop and bits reversed; and its inverse, which must give back the input.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 10
#define LENGTH (1 << BITS)
#define PRIME 12289u // LENGTH divides PRIME - 1

static uint32_t data[LENGTH], roots[LENGTH], turned[LENGTH];

static uint32_t power(uint32_t base, uint32_t e) {
    uint32_t result = 1;
    for (; e; e >>= 1, base = base * base % PRIME)
        if (e & 1u) result = result * base % PRIME;
    return result;
}

static void transform(uint32_t root) {
    roots[0] = 1;
    for (int i = 1; i < LENGTH; i++)
        roots[i] = roots[i - 1] * root % PRIME;
#pragma omp parallel for // GPU
    for (int i = 0; i < LENGTH; i++) {
        int r = 0;
        for (int k = 0; k < BITS; k++)
            r |= (i >> k & 1) << (BITS - 1 - k);
        turned[r] = data[i];
    }
    for (int half = 1; half < LENGTH; half *= 2) { // GPU
#pragma omp parallel for
        for (int i = 0; i < LENGTH / 2; i++) {
            int low = i / half * 2 * half + i % half, high = low + half;
            uint32_t t = turned[high] * roots[i % half * (LENGTH / 2 / half)] % PRIME, u = turned[low];
            turned[low] = (u + t) % PRIME;
            turned[high] = (u + PRIME - t) % PRIME;
        }
    }
    memcpy(data, turned, sizeof data);
}

int main(void) {
    uint32_t root = power(11, (PRIME - 1) / LENGTH), sum = 0;
    uint32_t *input = malloc(sizeof data);
    if (!input) return 1;
    for (uint32_t i = 0; i < LENGTH; i++)
        input[i] = data[i] = i * i % PRIME;
    transform(root);
    for (int i = 0; i < LENGTH; i++)
        sum = sum * 31u + data[i];
    printf("%u\n", sum);
    transform(power(root, PRIME - 2));
    uint32_t back = power(LENGTH, PRIME - 2);
    for (int i = 0; i < LENGTH; i++)
        assert(data[i] * back % PRIME == input[i]);
    puts("back again");
    free(input);
    return 0;
}
