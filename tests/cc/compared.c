// Pointers to rows, and of structs in an array, of which the region asks whether they are NULL or the same: on the GPU where each leads to a
// row of its own. And pointers that change while a loop around regions goes through members of all structs.
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int n;
    float *x;
};

static int count(float **t, int n) {
    int rows = 0;
#pragma omp parallel for reduction(+ : rows) // GPU: 1 call
    for (int i = 0; i < n; i++)
        if (t[i]) rows++;
    return rows;
}
static float sum(struct cell *list, int n) {
    float all = 0;
#pragma omp parallel for reduction(+ : all) // GPU: 1 call
    for (int i = 0; i < n; i++) {
        float *own = list[i].x;
        if (own != NULL) all += list[i].n + own[0];
    }
    return all;
}
static int pairs(float **t, int n) {
    int same = 0;
#pragma omp parallel for reduction(+ : same) // CPU at run time: pointers of 't' are compared
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            same += t[i] == t[k];
    return same;
}
static void rotate(struct cell *list, int n) {
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for // GPU: 3 calls
        for (int i = 0; i < n; i++)
            list[i].x[0] += list[i].n;
        float *first = list[0].x;
        list[0].x = list[1].x;
        list[1].x = first;
        list[0].n++;
    }
}
static void rotate_other(struct cell *list, struct cell *one, struct cell *two, int n) {
    for (int t = 0; t < 3; t++) {
#pragma omp parallel for // GPU: 3 calls
        for (int i = 0; i < n; i++)
            list[i].x[0] += list[i].n;
        float *first = one->x;
        one->x = two->x;
        two->x = first;
    }
}
static float first_and_all(struct cell *list, int n) {
    float all = 0;
#pragma omp parallel for reduction(+ : all) // GPU
    for (int i = 1; i < n; i++) {
        list[i].n += list[0].n;
        all += list[i].x[0] - list[0].x[0];
    }
    return all;
}

int main(void) {
    enum { N = 5 }; // an odd number: an allocation has no room for another pointer
    float **t = malloc(N * sizeof *t);
    struct cell *list = malloc(N * sizeof *list);
    for (int i = 0; i < N; i++) {
        t[i] = list[i].x = malloc(40 * sizeof(float));
        list[i].n = i + 1;
        for (int k = 0; k < 40; k++)
            t[i][k] = i * k + 1;
    }
    printf("%d %g\n", count(t, N), sum(list, N));
    rotate(list, N);
    rotate_other(list, &list[2], &list[3], N);
    for (int i = 0; i < N; i++)
        printf("%d %g %g ", list[i].n, list[i].x[0], list[i].x[1]);
    printf("\n%g %d\n", first_and_all(list, N), list[4].n);
    t[4] = t[1];
    printf("%d\n", pairs(t, N));
    t[2] = NULL;
    printf("%d\n", count(t, N));
    list[3].x = NULL;
    printf("%g\n", sum(list, N));
    return 0;
}
