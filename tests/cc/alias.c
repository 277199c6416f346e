// Two pointers into one allocation are pointers into one array on the device, if they are of one type.
#include <stdio.h>
#include <stdlib.h>

static float table[4][50], line[100];

static void add(int n, float *to, const float *from) {
#pragma omp parallel for // GPU: 5 calls
    for (int i = 0; i < n; i++)
        to[i] += from[i] * 0.5f;
}

static void rows(int n, float (*to)[50], float (*from)[50]) {
#pragma omp parallel for // GPU
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 50; k++)
            to[i][k] = from[i][k] - 1;
}

static void three(int n, const float *a, float *b, float *c) {
    for (int t = 0; t < 3; t++) { // GPU
#pragma omp parallel for
        for (int i = 1; i < n - 1; i++)
            c[i] = a[i] + b[i - 1] + b[i + 1];
        float *old = b;
        b = c;
        c = old;
    }
    b[0] += 1;
    c[1] -= 1;
}

static void by_name(int n, const float *from) {
#pragma omp parallel for // GPU
    for (int k = 0; k < n; k++)
        line[50 + k] = from[k] + (float)k;
}

static void two_types(int n, float (*to)[50], const float *from) {
#pragma omp parallel for // CPU at run time: share memory
    for (int i = 0; i < n; i++)
        to[i][0] = from[50 * i + 49];
}

int main(void) {
    float *all = malloc(200 * sizeof *all), *large = malloc(90000 * sizeof *large);
    if (!all || !large) return 1;
    for (int i = 0; i < 200; i++)
        all[i] = (float)i;
    for (int i = 0; i < 90000; i++)
        large[i] = (float)(i % 31);
    add(100, all, all + 100);
    add(100, all + 100, all);
    add(50, all, all);
    printf("%.2f %.2f %.2f\n", (double)all[3], (double)all[103], (double)all[77]);
    add(30000, large, large + 60000);
    add(30000, large + 30000, large);
    three(30000, large, large + 30000, large + 60000);
    rows(2, (float(*)[50])(void *)(all + 100), (float(*)[50])(void *)all);
    rows(1, table + 2, table + 1);
    by_name(49, line + 1);
    two_types(4, (float(*)[50])(void *)all, all);
    double sum = 0;
    for (int i = 0; i < 90000; i++)
        sum += large[i] * (float)(i % 11);
    for (int i = 0; i < 200; i++)
        sum += all[i] * (float)(i % 5) + table[i / 50][i % 50] + line[i / 2];
    printf("%.9g\n", sum);
    free(all), free(large);
    return 0;
}
