// build: -Wno-array-bounds
// Pointers to the element before an array, as of arrays that count from 1: a file's arrays that stand side by side, where such a pointer
// leads to another one's last element, allocations, and rows. Pointers to a last element mean that one. And tables that functions of
// a region set: two in one allocation, and one whose rows change places.
#include <stdio.h>
#include <stdlib.h>
static float before[64], a[64], behind[64];
static int map[64];
static float **p, **q;
static float get(float **t, int i, int j) { return t[i][j]; }
static void put(float **t, int i, int j, float v) { t[i][j] = v; }
static float getp(int i, int j) { return p[i][j]; }
static void turn(float **t) {
    float *x = t[1];
    t[1] = t[2];
    t[2] = x;
}
static float deep(float **t, float **u, int i) { return get(t, i, 1) + get(u, i, 4); }
static void add1(float *x, int n) {
#pragma omp parallel for // GPU: 2 calls
    for (int i = 1; i <= n; i++)
        x[i] += i;
}
static void gather(float *x, float *y, int n) {
#pragma omp parallel for // GPU: 1 call
    for (int i = 1; i <= n; i++)
        y[i] = x[map[i - 1]] * 2;
}
static float one(float *x) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // GPU: 3 calls
    for (int i = 0; i < 10; i++)
        s += x[0];
    return s;
}
static float some(float *x, int k) {
    float s = 0;
#pragma omp parallel for reduction(+ : s) // CPU at run time: where 'x' points, no memory is known
    for (int i = 0; i < 10; i++)
        s += x[map[i] * k];
    return s;
}
int main(void) {
    for (int i = 0; i < 64; i++)
        map[i] = 1 + (i * 7) % 64, before[i] = 100 + i, a[i] = i, behind[i] = 1000 + i;
    add1(a - 1, 64);
    gather(a - 1, behind - 1, 64);
    float *h = malloc(64 * sizeof *h), *o = malloc(64 * sizeof *o);
    for (int i = 0; i < 64; i++)
        h[i] = 3 * i, o[i] = 0;
    gather(h - 1, o - 1, 64);
    add1(o - 1, 64);
    printf("%g %g %g %g\n", a[0], a[63], behind[5], o[63]);
    printf("%g %g %g\n", one(&before[63]), one(&a[63]), one(&h[63]));
    printf("%g %g %g\n", some(&before[63], 0), some(&a[63], 0), some(&h[63], 0));
    printf("%g %g\n", some(a - 1, 1), some(h - 1, 1));
    // two tables in one allocation, written
    float *all = malloc(sizeof *all * 201);
    for (int i = 0; i < 201; i++)
        all[i] = i;
    p = malloc(sizeof *p * 11), q = malloc(sizeof *q * 11);
    for (int i = 0; i < 11; i++)
        p[i] = all + i * 10, q[i] = all + 90 + i * 10;
#pragma omp parallel for // CPU at run time: 'q' and 'p' share memory
    for (int i = 1; i <= 9; i++)
        for (int j = 1; j <= 10; j++)
            put(q, i, j, get(p, i, j) + 1);
    float s = 0;
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i <= 9; i++)
        s += getp(i, 10) + deep(p, q, i);
    printf("%g\n", s);
    turn(p);
#pragma omp parallel for reduction(+ : s) // GPU
    for (int i = 1; i <= 9; i++)
        s += getp(i, 10) * i;
    for (int t = 0; t < 3; t++) {
        turn(q);
#pragma omp parallel for // CPU at run time: 'q' and 'p' share memory
        for (int i = 1; i <= 9; i++)
            put(q, i, 10, get(p, i, 10) + get(q, i, 3));
    }
    for (int i = 0; i < 201; i++)
        s += all[i] * i;
    printf("%g\n", s);
    float **r = malloc(sizeof *r * 5);
    for (int i = 0; i < 5; i++)
        r[i] = (float *)malloc(sizeof **r * 8) - 1;
#pragma omp parallel for // GPU
    for (int i = 0; i < 5; i++)
        for (int j = 1; j <= 8; j++)
            put(r, i, j, i * j);
    r[3] = r[2];
#pragma omp parallel for // CPU at run time: two rows of 'r' are one
    for (int i = 0; i < 5; i++)
        if (i != 2)
            for (int j = 1; j <= 8; j++)
                put(r, i, j, get(r, i, j) + 1);
    for (int i = 0; i < 5; i++)
        for (int j = 1; j <= 8; j++)
            s += r[i][j] * j;
    printf("%g\n", s);
    return 0;
}
