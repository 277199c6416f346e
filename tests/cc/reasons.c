// What is for the CPU, and is said so that one knows what to do.
// build: -fdouble=float
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 600 };
static double *rows[N], *diagonal[N];
static int key[N];
static struct {
    double x[N][6];
    union {
        double d;
        int i;
    } either;
} mixed;

int main(void) {
    int last = -1, sum = 0;
    omp_lock_t lock;
    for (int i = 0; i < N; i++) {
        rows[i] = malloc(6 * sizeof **rows);
        key[i] = i * 7919 % 101;
    }
#pragma omp parallel for // CPU: 'diagonal' leads to rows, and one of its pointers is set here
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 6; k++)
            rows[i][k] = i + k;
        diagonal[i] = rows[i];
    }
#pragma omp parallel for lastprivate(conditional : last) // GPU
    for (int i = 0; i < N; i++)
        if (key[i] == 5) last = i;
    omp_init_lock(&lock);
#pragma omp parallel for // CPU: locks stay on the CPU
    for (int i = 0; i < N; i++) {
        omp_set_lock(&lock);
        sum += key[i];
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    mixed.either.d = 1;
#pragma omp parallel for // CPU: a struct of doubles and a union, or of more than 16 KB
    for (int i = 0; i < N; i++)
        mixed.x[i][2] = mixed.either.d + i;
    void *any = key;
#pragma omp parallel for // CPU: 'any' leads to something without a type
    for (int i = 0; i < N; i++)
        ((int *)any)[i] += i;
    int words = N, same = 0;
    char (*names)[8] = calloc((size_t)words, sizeof *names);
#pragma omp parallel for reduction(+ : same) // CPU: 'strcmp' is not supported
    for (int i = 0; i < words; i++)
        for (int j = 0; j < i; j++) // none, where a trial has one word
            same += !strcmp(names[i], names[j]);
    printf("%g %d %d %g\n", diagonal[7][3], last, sum + key[3], mixed.x[9][2]);
    return 0;
}
