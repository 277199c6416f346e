// Reductions of arrays by their names alone: local, global, of two dimensions, and beside variables; by sections of a caller's arrays.
#include <stdio.h>

enum { N = 4000, KINDS = 5 };
static int kind[N], all[KINDS];
static float at[N];

// How long they are, only the sections say: data choose the element.
static void count_pairs(int *pairs, int wide[2 * KINDS]) {
#pragma omp parallel for reduction(+ : pairs[ : KINDS * KINDS], wide[0 : 2 * KINDS]) // GPU
    for (int i = 1; i < N; i++) {
        pairs[kind[i] * KINDS + kind[i - 1]] += i & 3;
        wide[kind[i] + kind[i - 1]]++;
    }
}

int main(void) {
    int count[16] = {0}, odd = 0, table[2][3] = {{0}};
    float low[KINDS];
    for (int i = 0; i < N; i++) {
        kind[i] = i * 7 % KINDS;
        at[i] = (float)(i % 13) - (float)(i % 5);
    }
    for (int k = 0; k < KINDS; k++)
        low[k] = 1000;
#pragma omp parallel for reduction(+ : count, odd) // GPU
    for (int i = 0; i < N; i++) {
        count[(i ^ kind[i]) & 15]++;
        odd += kind[i] & 1;
    }
#pragma omp parallel for reduction(+ : all) reduction(min : low) // GPU
    for (int i = 0; i < N; i++) {
        all[kind[i]] += i;
        if (at[i] < low[kind[i]]) low[kind[i]] = at[i];
    }
    for (int i = 0; i < 16; i++)
        printf("%d ", count[i]);
    for (int k = 0; k < KINDS; k++)
        printf("%d %g ", all[k], (double)low[k]);
#pragma omp parallel for reduction(+ : table) // GPU
    for (int i = 0; i < N; i++)
        table[i & 1][kind[i] % 3]++;
    for (int i = 0; i < 6; i++)
        printf("%d ", table[i / 3][i % 3]);
    int pairs[KINDS * KINDS] = {0}, wide[2 * KINDS] = {0};
    count_pairs(pairs, wide);
    for (int i = 0; i < KINDS * KINDS; i++)
        printf("%d %d ", pairs[i], i < 2 * KINDS ? wide[i] : -1);
    printf("%d\n", odd);
    return 0;
}
