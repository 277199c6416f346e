// Arrays in structs that functions take by value, which are copies: what is set in one of the two is not in the other one.
#include <stdio.h>
#include <stdlib.h>

typedef struct cell {
    float pos[3];
    float x;
    float *h;
} cell;
static float f(cell was, cell *now) {
    now->pos[1] += 2;
    now->x += 1;
    return now->pos[1] - was.pos[1] + now->x - was.x;
}
static float read_only(cell was, int k) { return was.pos[k] + was.x; }
static float g(cell was) {
    was.pos[1] += 5;
    return was.pos[1];
}
int main(void) {
    cell *list = calloc(60, sizeof *list);
    float *o = calloc(60, 4), s = 0;
    for (int i = 0; i < 60; i++)
        list[i].pos[1] = i;
#pragma omp parallel for // CPU: 'list': the fields of a struct that is passed must be
    for (int i = 0; i < 60; i++)
        o[i] = f(list[i], &list[i]);
#pragma omp parallel for // CPU: 'list': the fields of a struct that is passed must be
    for (int i = 0; i < 60; i++)
        o[i] += g(list[i]);
#pragma omp parallel for // GPU
    for (int i = 0; i < 60; i++)
        o[i] += read_only(list[i], i % 3);
    for (int i = 0; i < 60; i++)
        s += o[i] + list[i].pos[1];
    printf("%g\n", s);
}
