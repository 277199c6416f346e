// build: -Wno-array-bounds -Wno-clobbered
// Arrays of a function that it hands to functions with regions, where data say which elements these use: of constant length, of variable
// length, a part of one, one behind another call; in a call that longjmp leaves, where other arrays stand in the same place then; and where
// elements that count from 1 begin before one.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static unsigned char *pixels;
static int n = 5000, by;

static void count(int *bins) {
#pragma omp parallel for // GPU: 3 calls
    for (int i = 0; i < n; i++) {
        int k = pixels[i] * by / 4;
#pragma omp atomic
        bins[k]++;
    }
}
static int look(const float *table, const int *map) {
    int s = 0;
#pragma omp parallel for reduction(+ : s) // GPU: 5 calls
    for (int i = 0; i < n; i++)
        s += (int)table[map[pixels[i]]];
    return s;
}
static int outer(const float *table) { // hands it on
    int map[256], own = 3;
    for (int i = 0; i < 256; i++)
        map[i] = (i * 7 + own) % 256;
    return look(table, map) + look(table + 0, map);
}
static void leaves(float *x, const int *map, int now) {
#pragma omp parallel for // GPU
    for (int i = 0; i < 16; i++)
        x[map[i]] += 1;
    if (now) longjmp(back, 1);
}
static float small(void) {
    float x[32];
    int map[16];
    for (int i = 0; i < 16; i++)
        map[i] = i * 2, x[2 * i] = (float)i;
    leaves(x, map, 1);
    return x[2];
}
static float large(int which) {
    float x[400];
    int map[16];
    for (int i = 0; i < 400; i++)
        x[i] = (float)i;
    for (int i = 0; i < 16; i++)
        map[i] = i * 20;
    leaves(x, map, 0);
    return x[which] + x[20];
}
static float from_one(const float *x, const int *map) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // CPU at run time: where 'x' points, no memory is known
    for (int i = 0; i < 10; i++)
        s += x[map[i] + 1];
    return s;
}
static float beside(void) {
    float x[16], s;
    int map[16];
    for (int i = 0; i < 16; i++)
        x[i] = (float)i, map[i] = i % 3;
    s = from_one(&x[-1], map);
    return s;
}

int main(void) {
    int bins[256] = {0}, length = 256, (*rows)[64];
    float table[256];
    pixels = malloc((size_t)n);
    rows = calloc(4, sizeof *rows);
    if (!pixels || !rows) return 1;
    for (int i = 0; i < n; i++)
        pixels[i] = (unsigned char)(i * i);
    int more[length];
    for (int i = 0; i < length; i++)
        table[i] = (float)(i % 19), more[i] = i;
    by = 4;
    count(bins);
    by = 3;
    count(&bins[10]);
    count(more);
    int kept = more[3];
    for (int i = 0; i < length; i++)
        more[i] = 255 - i;
    int s = look(table, more) % 1000 + (outer(table) + outer(table)) % 1000;
    printf("%d %d %d %d\n", bins[1], bins[20], kept, s);
    if (setjmp(back) == 0) printf("%g\n", (double)small());
    printf("%g\n", (double)large(300));
    printf("%g\n", (double)beside());
    free(pixels);
    free(rows);
    return 0;
}
