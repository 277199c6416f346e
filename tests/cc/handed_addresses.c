// Functions that are handed a struct, and the address of a member of it besides: what is set there is set in the struct, and not in a copy.
#include <stdio.h>
#include <stdlib.h>

typedef struct cell {
    float pos[3];
    float x;
    int n;
    float *h;
} cell;
static float copied(cell was, float *p) {
    p[1] += 2;
    return p[1] - was.pos[1];
}
static float of_copy(cell was) { return was.pos[1]; }
static float handed_on(cell was, float *p) {
    *p += 2;
    return of_copy(was) * 3 + was.pos[2];
}
static float number(const cell *c, float *p) {
    float before = c->x;
    *p += 3;
    return c->x * 10 + before;
}
static void bump(int *q) { *q += 1; }
static int deeper(const cell *c, int *q) {
    int before = c->n;
    bump(q);
    return c->n * 10 + before;
}
int main(void) {
    enum { N = 60 };
    cell *list = calloc(N, sizeof *list);
    float *o = calloc(N, sizeof *o), s = 0;
    for (int i = 0; i < N; i++)
        list[i].pos[1] = i, list[i].x = i, list[i].n = i % 7;
#pragma omp parallel for // CPU: 'list': the fields of a struct that is passed must be
    for (int i = 0; i < N; i++)
        o[i] = copied(list[i], list[i].pos);
#pragma omp parallel for // CPU: 'list': the fields of a struct that is passed must be
    for (int i = 0; i < N; i++)
        o[i] += handed_on(list[i], &list[i].pos[1]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        o[i] += of_copy(list[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        o[i] += number(&list[i], &list[i].x);
#pragma omp parallel for // GPU
    for (int i = 0; i < N; i++)
        o[i] += deeper(&list[i], &list[i].n);
    for (int i = 0; i < N; i++)
        s += o[i] * (i % 5) + list[i].pos[1] + list[i].x + list[i].n;
    printf("%g\n", s);
}
